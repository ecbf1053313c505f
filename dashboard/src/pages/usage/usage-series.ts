import type { UsageView } from '../../../../src/shared/contract/usage.ts'
import { barOf, type UsagePeriod } from './usage-range.ts'

type UsageHour = UsageView['hours'][number]

/** One series of a stacked chart. */
export interface Series {
  /** A status, the id of a key, or `OTHERS`. */
  readonly id: string
  readonly total: number
  /** Requests in each bar. */
  readonly counts: readonly number[]
}

/** The id of the series that sums up the remaining keys. */
export const OTHERS = 'others'

/** Requests by HTTP status, in the order of statuses. */
export function seriesByStatus(hours: readonly UsageHour[], span: UsagePeriod): Series[] {
  return seriesOf(hours, span, (hour) => String(hour.status)).sort((a, b) => Number(a.id) - Number(b.id))
}

/** Requests by key, the busiest first. Beyond `seriesMax` series, the rest is summed up as `OTHERS`. */
export function seriesByKey(hours: readonly UsageHour[], span: UsagePeriod, seriesMax: number): Series[] {
  const all = seriesOf(hours, span, (hour) => hour.keyId).sort((a, b) => b.total - a.total)
  if (all.length <= seriesMax) return all
  return [...all.slice(0, seriesMax - 1), sumOf(all.slice(seriesMax - 1))]
}

/** All requests of each bar. */
export function requestsPerBar(hours: readonly UsageHour[], span: UsagePeriod): readonly number[] {
  return seriesOf(hours, span, () => '')[0]?.counts ?? span.starts.map(() => 0)
}

/** The totals of a period. */
export interface RequestTotals {
  readonly requests: number
  /** Responses with status 400 or above. */
  readonly errors: number
  /** Responses with status 500 or above. */
  readonly failures: number
}

export function requestTotals(hours: readonly UsageHour[]): RequestTotals {
  let requests = 0
  let errors = 0
  let failures = 0
  for (const hour of hours) {
    requests += hour.requests
    if (hour.status >= 400) errors += hour.requests
    if (hour.status >= 500) failures += hour.requests
  }
  return { requests, errors, failures }
}

function seriesOf(hours: readonly UsageHour[], { starts }: UsagePeriod, idOf: (hour: UsageHour) => string): Series[] {
  const counts = new Map<string, number[]>()
  for (const hour of hours) {
    const id = idOf(hour)
    const bars = counts.get(id) ?? starts.map(() => 0)
    bars[barOf(starts, hour.hourMs)] += hour.requests
    counts.set(id, bars)
  }
  return [...counts].map(([id, bars]) => ({ id, counts: bars, total: bars.reduce((sum, n) => sum + n, 0) }))
}

function sumOf(series: readonly Series[]): Series {
  return {
    id: OTHERS,
    total: series.reduce((sum, one) => sum + one.total, 0),
    counts: series[0].counts.map((_, bar) => series.reduce((sum, one) => sum + one.counts[bar], 0)),
  }
}
