import { HOUR_MS } from '../../../../src/lib/time.ts'
import { otherZone } from '../../components/visitor-time.ts'

/** How far back a chart of requests looks. */
export const RANGES = ['24h', '7d', '30d', '90d'] as const
export type Range = (typeof RANGES)[number]

/** The duration of one bar. */
export type Step = 'hour' | 'day'

/** A period of whole hours, in bars. The last bar contains the current time. */
export interface UsagePeriod {
  readonly step: Step
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  /** Start of each bar: whole hours, or midnights in the visitor's zone. */
  readonly starts: readonly number[]
}

/** For sentences: "in the last 7 days". */
export const RANGE_LABELS: Readonly<Record<Range, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
}

const RANGE_DAYS: Readonly<Record<Range, number>> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 }

/** The steps available for a range, the default first. */
export function stepsOf(range: Range): readonly Step[] {
  if (range === '24h') return ['hour']
  return range === '7d' ? ['day', 'hour'] : ['day']
}

/** The bars of a range that ends now. Days are those of the visitor's zone, including today, and have 23 to 25 hours. */
export function usagePeriod(range: Range, step: Step, nowMs: number): UsagePeriod {
  const toMs = floorHour(nowMs) + HOUR_MS
  const starts = step === 'hour' ? hourStarts(RANGE_DAYS[range] * 24, toMs) : dayStarts(RANGE_DAYS[range], nowMs)
  return { step, fromMs: floorHour(starts[0]), toMs, starts }
}

/** Index of the bar of a time: 0 to `starts.length - 1`. Earlier times belong to the first bar. */
export function barOf(starts: readonly number[], timeMs: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle] <= timeMs) low = middle
    else high = middle - 1
  }
  return low
}

function floorHour(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) * HOUR_MS
}

function hourStarts(count: number, toMs: number): number[] {
  return Array.from({ length: count }, (_, n) => toMs - (count - n) * HOUR_MS)
}

/** By calendar days, because days with a clock change do not have 24 hours. */
function dayStarts(count: number, nowMs: number): number[] {
  const now = new Date(nowMs)
  return Array.from({ length: count }, (_, n) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - count + 1 + n).getTime(),
  )
}

const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const weekdayHour = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: 'numeric' })
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const longDay = new Intl.DateTimeFormat(undefined, { weekday: 'short', month: 'short', day: 'numeric' })

/** The axis label of a bar. */
export function tickLabel(span: UsagePeriod, startMs: number): string {
  if (span.step === 'day') return day.format(startMs)
  return span.starts.length > 24 ? weekdayHour.format(startMs) : hour.format(startMs)
}

/** The period of a bar: "Tue, Mar 3, 2:00 PM – 3:00 PM". The last one has not ended. */
export function barLabel(span: UsagePeriod, startMs: number): string {
  const isLast = startMs === span.starts[span.starts.length - 1]
  if (span.step === 'day') return `${longDay.format(startMs)}${isLast ? ', so far' : ''}`
  const end = isLast ? 'now' : hour.format(startMs + HOUR_MS)
  return `${longDay.format(startMs)}, ${hour.format(startMs)} – ${end}${otherZone(new Date(startMs))}`
}
