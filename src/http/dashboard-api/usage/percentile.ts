import { LATENCY_BOUNDS_US } from '../../../keys/usage-meter.ts'

/** The number of requests in a bucket of `LATENCY_BOUNDS_US`. */
export interface CountedBucket {
  readonly bucket: number
  readonly requests: number
}

/**
 * Estimates a percentile of the response times in microseconds (`share`: 0 to 1); undefined without requests.
 *
 * Interpolates linearly within the bucket of the exact value: the upper bound could exceed every measured time. The open last
 * bucket gives its lower bound.
 */
export function percentileUs(buckets: readonly CountedBucket[], share: number): number | undefined {
  const total = buckets.reduce((sum, { requests }) => sum + requests, 0)
  let left = Math.max(1, Math.ceil(total * share))
  for (const { bucket, requests } of buckets.toSorted((a, b) => a.bucket - b.bucket)) {
    if (left <= requests) return within(bucket, (left - 0.5) / requests)
    left -= requests
  }
  return undefined
}

function within(bucket: number, share: number): number {
  const from = bucket === 0 ? 0 : LATENCY_BOUNDS_US[bucket - 1]
  const to = LATENCY_BOUNDS_US[bucket] ?? from
  return from + (to - from) * share
}
