/**
 * The upper ends of the buckets in which latencies are counted, in microseconds; the last bucket is open.
 *
 * They grow by a factor of about 1.5, so a percentile that is read from them is off by half of itself at most: enough to see
 * whether a caller is served in 0.1 ms or in 10, for 29 numbers an hour and key.
 */
export const LATENCY_BOUNDS_US: readonly number[] = [
  10, 15, 22, 33, 50, 75, 110, 165, 250, 375, 560, 840, 1260, 1900, 2850, 4300, 6400, 9600, 14_500, 22_000,
  33_000, 50_000, 75_000, 110_000, 250_000, 500_000, 1_000_000, 5_000_000,
]

/** The bucket that a latency falls into: 0 to `LATENCY_BOUNDS_US.length`. */
export function latencyBucket(durationUs: number): number {
  let bucket = 0
  while (bucket < LATENCY_BOUNDS_US.length && durationUs > LATENCY_BOUNDS_US[bucket]) bucket++
  return bucket
}
