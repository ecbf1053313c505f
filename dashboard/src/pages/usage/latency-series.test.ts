import assert from 'node:assert/strict'
import { test } from 'node:test'
import { latencyBucket } from '../../../../src/lib/latency-histogram.ts'
import { HOUR_MS } from '../../../../src/lib/time.ts'
import { percentilesOf, percentilesPerBar } from './latency-series.ts'
import { usagePeriod } from './usage-range.ts'

const SPAN = usagePeriod('7d', 'day', new Date(2026, 2, 20, 15, 40).getTime())
const FAST = latencyBucket(100)
const SLOW = latencyBucket(50_000)

/** An hour with fast and slow requests. */
function hourOf(hourMs: number, fast: number, slow: number): { hourMs: number; counts: number[] } {
  return { hourMs, counts: Array.from({ length: SLOW + 1 }, (_, n) => (n === FAST ? fast : n === SLOW ? slow : 0)) }
}

test('a bar has the percentiles of all its hours, and none without requests', () => {
  const day = SPAN.starts[2]
  const bars = percentilesPerBar([hourOf(day, 97, 0), hourOf(day + HOUR_MS, 0, 3)], SPAN)
  assert.deepEqual(
    bars.map((bar) => bar?.requests),
    [undefined, undefined, 100, undefined, undefined, undefined, undefined],
  )
  const { p50Ms = 0, p95Ms = 0, p99Ms = 0 } = bars[2] ?? {}
  assert.ok(p50Ms > 0.07 && p50Ms < p95Ms && p95Ms < 0.11 && p99Ms > 33 && p99Ms < 50, `${p50Ms} ${p95Ms} ${p99Ms}`)
})

test('the percentiles of a period are not the means of its hours', () => {
  const all = percentilesOf([hourOf(SPAN.starts[0], 1000, 0), hourOf(SPAN.starts[1], 0, 1)])
  assert.equal(all?.requests, 1001)
  assert.ok((all?.p99Ms ?? 1) < 0.11)
  assert.equal(percentilesOf([]), undefined)
})
