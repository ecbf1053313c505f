import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedFeed } from '../../test/support/feeds/recorded-feeds.ts'
import { detectedLosses, readClinics, replay } from '../../test/support/sync/drop-replay.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'

const FEEDS = ['rite-aid-nj-2023-03-24', 'prepmod-wa-2021-09-01'].map(recordedFeed)

for (const { name, folder, skip } of FEEDS) {
  test(`the clinics of ${name} raise no alarm while slots are booked within two days or end`, { skip }, () => {
    const clinics = readClinics(folder)
    for (const slots of [...clinics, clinics.flat()]) {
      for (const bookedAfterMs of [2 * DAY_MS, Number.POSITIVE_INFINITY]) {
        const { syncs, alarms } = replay(slots, { everyMs: 6 * HOUR_MS, bookedAfterMs, isRefilled: true, seed: 7 })
        assert.ok(syncs > 5)
        assert.equal(alarms, 0)
      }
    }
  })
}

/** A clinic of so many slots of half an hour, on workdays from 9 to 17. */
const clinic = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const startMs = Date.UTC(2027, 0, 4 + Math.floor(n / 16), 9) + (n % 16) * (HOUR_MS / 2)
    return { schedule: 'one', startMs, endMs: startMs + HOUR_MS / 2 }
  })

test('a clinic that is synced once a day raises no alarm when its slots end', () => {
  for (const count of [20, 40, 80, 400]) {
    const options = { everyMs: DAY_MS, bookedAfterMs: Number.POSITIVE_INFINITY, isRefilled: false, seed: 1 }
    assert.equal(replay(clinic(count), options).alarms, 0, `${count} slots`)
  }
})

test('a clinic of 40 slots raises an alarm when one sync loses 60 % of them', () => {
  assert.equal(detectedLosses([clinic(40), clinic(100), clinic(10_000)], 0.6), 3)
  assert.equal(detectedLosses([clinic(40)], 0.5), 0)
})
