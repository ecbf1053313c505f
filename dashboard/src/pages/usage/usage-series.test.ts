import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '../../../../src/lib/time.ts'
import { dayOf } from '../../components/visitor-time.ts'
import {
  barOf,
  daysBetween,
  periodOfDays,
  previousPeriod,
  RANGE_DAYS,
  RANGES,
  stepsOf,
  type UsagePeriod,
  usagePeriod,
} from './usage-range.ts'
import { OTHERS, requestsPerBar, requestTotals, seriesByKey, seriesByStatus } from './usage-series.ts'

// Its clocks change on 8 March.
process.env.TZ = 'America/New_York'

const NOW = new Date(2026, 2, 20, 15, 40).getTime()

test('a period has whole hours, ends after now, and has a bar for every hour', () => {
  for (const range of RANGES) {
    for (const step of stepsOf(RANGE_DAYS[range])) {
      const span = usagePeriod(range, step, NOW)
      assert.equal(span.fromMs % HOUR_MS, 0)
      assert.equal(span.toMs % HOUR_MS, 0)
      assert.ok(span.toMs > NOW && span.toMs - NOW <= HOUR_MS)
      assert.ok(span.toMs - span.fromMs <= 92 * 24 * HOUR_MS, 'the API accepts at most 92 days')
      assert.equal(barOf(span.starts, span.fromMs), 0)
      assert.equal(barOf(span.starts, span.toMs - 1), span.starts.length - 1)
    }
  }
})

test('shows 24 hours in 24 bars, 7 days in 7 or 168, and a month in days', () => {
  assert.equal(usagePeriod('24h', 'hour', NOW).starts.length, 24)
  assert.equal(usagePeriod('7d', 'hour', NOW).starts.length, 168)
  assert.equal(usagePeriod('7d', 'day', NOW).starts.length, 7)
  assert.deepEqual(stepsOf(30), ['day'])
})

test("days start at midnight in the visitor's time zone", () => {
  for (const start of usagePeriod('90d', 'day', NOW).starts) {
    const date = new Date(start)
    assert.deepEqual([date.getHours(), date.getMinutes()], [0, 0])
  }
})

const MINUTES_MS = 60_000

/** The period of some days, both inclusive. */
function periodOfDates(from: string, to: string, step: 'day' | 'hour'): UsagePeriod {
  const days = daysBetween({ from, to }, NOW)
  assert.ok(typeof days === 'object', `${from} to ${to}: ${JSON.stringify(days)}`)
  return periodOfDays(days, step, NOW)
}

test('two dates are whole days, both inclusive', () => {
  const span = periodOfDates('2026-02-27', '2026-03-02', 'day')
  assert.deepEqual(span.starts.map(dayOf), ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
  assert.equal(span.toMs, new Date(2026, 2, 3).getTime())
  assert.equal(span.isOpen, false)
  assert.equal(periodOfDates('2026-03-01', '2026-03-01', 'hour').starts.length, 24)
})

test('two dates end now if the last one is today or later', () => {
  for (const last of ['2026-03-20', '2026-03-25']) {
    const days = periodOfDates('2026-03-19', last, 'day')
    assert.deepEqual(days.starts.map(dayOf), ['2026-03-19', '2026-03-20'])
    assert.equal(days.isOpen, true)
    assert.equal(days.toMs, NOW + 20 * MINUTES_MS)
  }
  assert.equal(periodOfDates('2026-03-20', '2026-03-20', 'hour').starts.length, 16)
})

test('refuses dates that are missing, in the wrong order, in the future or too far apart', () => {
  const problem = (from: string | undefined, to: string | undefined) => daysBetween({ from, to }, NOW)
  assert.equal(problem(undefined, '2026-03-01'), 'Choose the first and the last day.')
  assert.equal(problem('2026-03-01', 'soon'), 'Choose the first and the last day.')
  assert.equal(problem('2026-03-21', '2026-03-22'), 'The first day must not be in the future.')
  assert.equal(problem('2026-03-02', '2026-03-01'), 'The last day must not be before the first.')
  assert.equal(problem('2025-12-01', '2026-03-03'), 'Choose at most 92 days.')
  assert.equal(typeof problem('2025-12-01', '2026-03-02'), 'object')
})

test('the previous period has the same bars at the same times of day, and ends where this one begins', () => {
  const whole = periodOfDates('2026-03-03', '2026-03-05', 'day')
  const before = previousPeriod(whole)
  assert.deepEqual(before.starts.map(dayOf), ['2026-02-28', '2026-03-01', '2026-03-02'])
  assert.equal(before.toMs, whole.fromMs)
  const open = usagePeriod('7d', 'day', NOW)
  assert.equal(
    previousPeriod(open).toMs,
    new Date(2026, 2, 13, 16).getTime(),
    'the day in progress up to the same hour',
  )
  for (const span of [whole, open, usagePeriod('24h', 'hour', NOW), usagePeriod('90d', 'day', NOW)]) {
    const { starts, fromMs, toMs } = previousPeriod(span)
    assert.equal(starts.length, span.starts.length)
    assert.ok(toMs <= span.fromMs)
    assert.ok(toMs - fromMs <= 92 * DAY_MS)
  }
})

test('adds up all requests of a bar', () => {
  const span = usagePeriod('7d', 'day', NOW)
  const hour = (bar: number, status: number) => ({ hourMs: span.starts[bar], keyId: 'a', status, requests: 2 })
  assert.deepEqual(requestsPerBar([hour(1, 200), hour(1, 400), hour(6, 200)], span), [0, 4, 0, 0, 0, 0, 2])
  assert.deepEqual(requestsPerBar([], span), [0, 0, 0, 0, 0, 0, 0])
})

test('counts a request in the bar of its time', () => {
  const span = usagePeriod('24h', 'hour', NOW)
  const hour = (bar: number, status: number, requests: number) => ({
    hourMs: span.starts[bar],
    keyId: 'a',
    status,
    requests,
  })
  const series = seriesByStatus([hour(3, 404, 2), hour(3, 200, 5), hour(23, 200, 1)], span)
  assert.deepEqual(
    series.map(({ id, total }) => [id, total]),
    [
      ['200', 6],
      ['404', 2],
    ],
  )
  assert.deepEqual([series[0].counts[3], series[0].counts[23], series[1].counts[3]], [5, 1, 2])
})

test('gives the busiest keys their own series and sums up the others', () => {
  const span = usagePeriod('24h', 'hour', NOW)
  const hours = [1, 5, 3, 9].map((requests, n) => ({
    hourMs: span.starts[0],
    keyId: `k${n}`,
    status: 200,
    requests,
  }))
  const series = seriesByKey(hours, span, 3)
  assert.deepEqual(
    series.map(({ id, total }) => [id, total]),
    [
      ['k3', 9],
      ['k1', 5],
      [OTHERS, 4],
    ],
  )
  assert.equal(seriesByKey(hours, span, 4).length, 4)
})

test('totals distinguish client errors from server errors', () => {
  const hours = [200, 304, 400, 503].map((status) => ({ hourMs: 0, keyId: 'a', status, requests: 10 }))
  assert.deepEqual(requestTotals(hours), { requests: 40, errors: 20, failures: 10 })
})
