/**
 * The upper bounds of the latency buckets, in microseconds; another bucket has no bound. They grow by about 1.5, so the relative error
 * of a percentile is at most 50 %, with 29 numbers per hour and key.
 */
export const LATENCY_BOUNDS_US: readonly number[] = [
  10, 15, 22, 33, 50, 75, 110, 165, 250, 375, 560, 840, 1260, 1900, 2850, 4300, 6400, 9600, 14_500, 22_000, 33_000,
  50_000, 75_000, 110_000, 250_000, 500_000, 1_000_000, 5_000_000,
]

/** The bucket of a latency: 0 to `LATENCY_BOUNDS_US.length`. */
export function latencyBucket(durationUs: number): number {
  let bucket = 0
  while (bucket < LATENCY_BOUNDS_US.length && durationUs > LATENCY_BOUNDS_US[bucket]) bucket++
  return bucket
}

/**
 * Estimates a percentile of the response times in microseconds (`share`: 0 to 1) from the number of requests in each bucket; undefined
 * without requests. Missing buckets at the end are empty.
 *
 * Interpolates linearly within the bucket of the exact value: the upper bound could exceed every measured time. The open last
 * bucket gives its lower bound.
 */
export function percentileUs(counts: readonly number[], share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let left = Math.max(1, Math.ceil(total * share))
  for (const [bucket, count] of counts.entries()) {
    if (left <= count) return within(bucket, (left - 0.5) / count)
    left -= count
  }
  return undefined
}

/** Adds the counts of a histogram to another one. */
export function addHistogram(sum: number[], counts: readonly number[]): void {
  for (const [bucket, count] of counts.entries()) sum[bucket] = (sum[bucket] ?? 0) + count
}

function within(bucket: number, share: number): number {
  const from = bucket === 0 ? 0 : LATENCY_BOUNDS_US[bucket - 1]
  const to = LATENCY_BOUNDS_US[bucket] ?? from
  return from + (to - from) * share
}
