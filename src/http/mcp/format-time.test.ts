import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPeriod } from './slot-view.ts'

test('formats weekday, date, local time and offset', () => {
  for (const [start, end, when] of [
    ['2026-06-01T09:00:00-04:00', '2026-06-01T09:15:00-04:00', 'Mon 2026-06-01 09:00-09:15 (UTC-04:00)'],
    ['2026-06-01T23:30:00.000Z', '2026-06-01T23:45:00.000Z', 'Mon 2026-06-01 23:30-23:45 (UTC)'],
    [
      '2026-06-06T23:30:00+02:00',
      '2026-06-07T00:30:00+02:00',
      'Sat 2026-06-06 23:30 to 2026-06-07T00:30:00+02:00 (UTC+02:00)',
    ],
    [
      '2026-11-01T01:30:00-04:00',
      '2026-11-01T01:30:00-05:00',
      'Sun 2026-11-01 01:30 to 2026-11-01T01:30:00-05:00 (UTC-04:00)',
    ],
    ['soon', 'later', 'soon to later'],
  ]) {
    assert.equal(formatPeriod(start, end), when)
  }
})
