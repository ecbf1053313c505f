import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../../../src/lib/time.ts'
import { barOf, RANGES, stepsOf, usagePeriod } from './usage-range.ts'
import { OTHERS, requestTotals, seriesByKey, seriesByStatus } from './usage-series.ts'

const NOW = new Date(2026, 2, 20, 15, 40).getTime()

test('a period has whole hours, ends after now, and has a bar for every hour', () => {
  for (const range of RANGES) {
    for (const step of stepsOf(range)) {
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
  assert.deepEqual(stepsOf('30d'), ['day'])
})

test("days start at midnight in the visitor's time zone", () => {
  for (const start of usagePeriod('90d', 'day', NOW).starts) {
    const date = new Date(start)
    assert.deepEqual([date.getHours(), date.getMinutes()], [0, 0])
  }
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
