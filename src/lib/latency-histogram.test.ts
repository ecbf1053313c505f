import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addHistogram, LATENCY_BOUNDS_US, latencyBucket, percentileUs } from './latency-histogram.ts'

const latencies = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 200 })

test('a percentile lies in the bucket of the exact value', () => {
  fc.assert(
    fc.property(latencies, fc.double({ min: 0.01, max: 1, noNaN: true }), (durationsUs, share) => {
      const sorted = durationsUs.toSorted((a, b) => a - b)
      const exact = sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1]
      const bucket = latencyBucket(exact)
      const percentile = percentileUs(count(durationsUs), share) ?? Number.NaN
      assert.ok(percentile > (LATENCY_BOUNDS_US[bucket - 1] ?? 0) && percentile < LATENCY_BOUNDS_US[bucket])
    }),
  )
})

test('percentiles never decrease with a larger share', () => {
  fc.assert(
    fc.property(latencies, (durationsUs) => {
      const at = [0.1, 0.5, 0.9, 0.95, 1].map((share) => percentileUs(count(durationsUs), share) ?? 0)
      assert.deepEqual(
        at,
        at.toSorted((a, b) => a - b),
      )
    }),
  )
})

test('counts latencies above the last bound as that bound', () => {
  assert.equal(percentileUs(count([60_000_000]), 0.5), LATENCY_BOUNDS_US.at(-1))
})

test('returns no percentile without requests', () => {
  assert.equal(percentileUs([], 0.5), undefined)
  assert.equal(percentileUs([0, 0, 0], 0.5), undefined)
})

test('the sum of histograms is the histogram of all requests', () => {
  fc.assert(
    fc.property(fc.array(latencies), (hours) => {
      const sum: number[] = []
      for (const durationsUs of hours) addHistogram(sum, count(durationsUs))
      assert.deepEqual(sum, count(hours.flat()))
    }),
  )
})

/** Without empty buckets at the end. */
function count(durationsUs: readonly number[]): number[] {
  const buckets = durationsUs.map(latencyBucket)
  return Array.from(
    { length: Math.max(-1, ...buckets) + 1 },
    (_, bucket) => buckets.filter((one) => one === bucket).length,
  )
}
