import { LATENCY_BOUNDS_US } from '../keys/latency.ts'

/** So many requests fell into this bucket of `LATENCY_BOUNDS_US`. */
export interface CountedBucket {
  readonly bucket: number
  readonly requests: number
}

/**
 * The least bound, in microseconds, within which a share (0 to 1) of the requests was answered; undefined if there were none.
 *
 * It is the upper end of a bucket, so at most half too high; for the open last bucket, the lower one.
 */
export function percentileUs(buckets: readonly CountedBucket[], share: number): number | undefined {
  const total = buckets.reduce((sum, { requests }) => sum + requests, 0)
  let left = Math.max(1, Math.ceil(total * share))
  for (const { bucket, requests } of buckets.toSorted((a, b) => a.bucket - b.bucket)) {
    left -= requests
    if (left <= 0 && requests > 0) return LATENCY_BOUNDS_US[Math.min(bucket, LATENCY_BOUNDS_US.length - 1)]
  }
  return undefined
}
