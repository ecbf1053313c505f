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
