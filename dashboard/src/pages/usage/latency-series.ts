import { addHistogram, percentileUs } from '../../../../src/lib/latency-histogram.ts'
import type { UsageView } from '../../../../src/shared/contract/usage.ts'
import { barOf, type UsagePeriod } from './usage-range.ts'

type LatencyHour = UsageView['latencies'][number]

/** Response times of some requests. */
export interface Percentiles {
  readonly requests: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}

/** Of all hours; undefined without requests. */
export function percentilesOf(hours: readonly LatencyHour[]): Percentiles | undefined {
  return percentilesIn(sumOf(hours))
}

/** Of each bar; undefined where there are no requests. */
export function percentilesPerBar(
  hours: readonly LatencyHour[],
  { starts }: UsagePeriod,
): readonly (Percentiles | undefined)[] {
  const byBar = Map.groupBy(hours, ({ hourMs }) => barOf(starts, hourMs))
  return starts.map((_, bar) => percentilesOf(byBar.get(bar) ?? []))
}

function sumOf(hours: readonly LatencyHour[]): number[] {
  const sum: number[] = []
  for (const { counts } of hours) addHistogram(sum, counts)
  return sum
}

function percentilesIn(counts: readonly number[]): Percentiles | undefined {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentileUs(counts, share))
  if (p50 === undefined || p95 === undefined || p99 === undefined) return undefined
  return {
    requests: counts.reduce((sum, count) => sum + count, 0),
    p50Ms: p50 / 1000,
    p95Ms: p95 / 1000,
    p99Ms: p99 / 1000,
  }
}
