import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../lib/time.ts'
import { TimeZone } from './time-zone.ts'

test('each day begins where the one before ends, in every zone, over years of changing clocks', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) {
    const zone = new TimeZone(name)
    const dayOf = (ms: number) => new Date(ms).toLocaleDateString('sv-SE', { timeZone: name })
    for (const from of ['2018-11-03T12:00:00Z', '2026-03-07T12:00:00Z', '2026-10-24T12:00:00Z']) {
      const days = zone.daysFrom(Date.parse(from), 3)
      assert.equal(days[0].date, dayOf(Date.parse(from)), name)
      for (const { date, startMs } of days) {
        assert.equal(dayOf(startMs), date, `${name} ${date}`)
        assert.notEqual(dayOf(startMs - 1), date, `${name} ${date}`)
      }
    }
  }
})

test('a day whose midnight is skipped begins at the skip, one whose midnight comes twice at the first', () => {
  // Clocks in Beirut went from 24:00 to 01:00 on 29 March 2026, those in Havana back from 01:00 on 1 November.
  const [, skipped] = new TimeZone('Asia/Beirut').daysFrom(Date.parse('2026-03-28T12:00:00Z'), 2)
  assert.deepEqual(skipped, { date: '2026-03-29', startMs: Date.parse('2026-03-28T22:00:00Z') })
  const [, twice, after] = new TimeZone('America/Havana').daysFrom(Date.parse('2026-10-31T12:00:00Z'), 3)
  assert.deepEqual(twice, { date: '2026-11-01', startMs: Date.parse('2026-11-01T04:00:00Z') })
  assert.equal(after.startMs - twice.startMs, DAY_MS + 3_600_000)
})
