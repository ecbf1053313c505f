import { LATENCY_BOUNDS_US } from '../../../keys/latency.ts'

/** So many requests fell into this bucket of `LATENCY_BOUNDS_US`. */
export interface CountedBucket {
  readonly bucket: number
  readonly requests: number
}

/**
 * About the time, in microseconds, within which a share (0 to 1) of the requests was answered; undefined if there were none.
 *
 * It lies in the bucket that holds the exact one, where it would be if the bucket's requests were spread over it evenly:
 * its upper end would show half of them slower than any that was seen. For the open last bucket it is the lower end.
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
