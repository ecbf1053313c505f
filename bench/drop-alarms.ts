import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/lib/time.ts'
import { recordedFeed } from '../test/support/feeds/recorded-feeds.ts'
import { detectedLosses, type Replay, readClinics, replay } from '../test/support/sync/drop-replay.ts'

// node bench/drop-alarms.ts: how often the anomaly rule `dropped` is wrong, and what it detects. There are no recorded histories of
// feeds, so recorded publications are replayed: every schedule is the feed of a small clinic, whose slots are booked at random and
// end; both are removed by the publisher.

const EVERY = [
  ['5 minutes', 5 * MINUTE_MS],
  ['hour', HOUR_MS],
  ['day', DAY_MS],
] as const
const BOOKED_AFTER = [
  ['never', Number.POSITIVE_INFINITY],
  ['7 days', 7 * DAY_MS],
  ['2 days', 2 * DAY_MS],
  ['12 hours', 12 * HOUR_MS],
] as const
const SEEDS = [1, 2, 3, 4, 5]
const LOST_SHARES = [0.5, 0.6, 0.75, 0.9]

for (const { name, folder, skip } of ['rite-aid-nj-2023-03-24', 'prepmod-wa-2021-09-01'].map(recordedFeed)) {
  if (skip !== false) {
    console.log(`${name}: skipped, ${skip}`)
    continue
  }
  const clinics = readClinics(folder)
  const feeds = [...clinics, ...(clinics.length > 1 ? [clinics.flat()] : [])]
  console.log(
    `\n${name}: ${clinics.length} clinics, and all together; slots ${clinics.map(({ length }) => length).join(' ')}`,
  )
  console.log('| synced every | booked after | runs out | refilled |\n| --- | --- | --- | --- |')
  for (const [every, everyMs] of EVERY) {
    for (const [booked, bookedAfterMs] of BOOKED_AFTER) {
      const rates = [false, true].map((isRefilled) => alarmsOf(feeds, { everyMs, bookedAfterMs, isRefilled }))
      console.log(`| ${every} | ${booked} | ${rates.join(' | ')} |`)
    }
  }
  const detected = LOST_SHARES.map((share) => `${share * 100} %: ${detectedLosses(feeds, share)}`)
  console.log(`Feeds with an alarm if one sync loses a share of the slots (of ${feeds.length}): ${detected.join(', ')}`)
}

function alarmsOf(feeds: Parameters<typeof replay>[0][], options: Omit<Replay, 'seed'>): string {
  const results = feeds.flatMap((slots) => SEEDS.map((seed) => replay(slots, { ...options, seed })))
  const syncs = results.reduce((sum, result) => sum + result.syncs, 0)
  const alarms = results.reduce((sum, result) => sum + result.alarms, 0)
  return `${alarms} of ${syncs}`
}
