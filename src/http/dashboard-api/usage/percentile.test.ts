import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LATENCY_BOUNDS_US, latencyBucket } from '../../../keys/usage-meter.ts'
import { percentileUs } from './usage.ts'

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
  assert.equal(percentileUs([{ bucket: 3, requests: 0 }], 0.5), undefined)
})

/** In no order, as a store may return them. */
function count(durationsUs: readonly number[]): { bucket: number; requests: number }[] {
  const counts = new Map<number, number>()
  for (const bucket of durationsUs.map(latencyBucket)) counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
  return [...counts].map(([bucket, requests]) => ({ bucket, requests }))
}
