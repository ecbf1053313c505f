import { DAY_MS, HOUR_MS } from '../../../../src/lib/time.ts'
import { USAGE_DAYS_MAX } from '../../../../src/shared/usage-days.ts'
import { LOCALE } from '../../components/locale.ts'
import { formatDate, midnight, otherZone } from '../../components/visitor-time.ts'

/** How far back a chart of requests looks. */
export const RANGES = ['24h', '7d', '30d', '90d'] as const
export type Range = (typeof RANGES)[number]

/** The duration of one bar. */
export type Step = 'hour' | 'day'

/** A period of whole hours, in bars. */
export interface UsagePeriod {
  readonly step: Step
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  /** Start of each bar, ascending: whole hours, or midnights in the visitor's zone. */
  readonly starts: readonly number[]
  /** The duration in calendar days, also if some of the last one are in the future. */
  readonly days: number
  /** Whether the last bar contains the current time. */
  readonly isOpen: boolean
}

/** Days of the visitor's zone. */
export interface Days {
  /** The first midnight. */
  readonly firstMs: number
  readonly count: number
}

/** For sentences: "in the last 7 days". */
export const RANGE_LABELS: Readonly<Record<Range, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
}

export const RANGE_DAYS: Readonly<Record<Range, number>> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 }

/** The steps available for a number of days, the default first. */
export function stepsOf(days: number): readonly Step[] {
  if (days <= 1) return ['hour']
  return days <= 7 ? ['day', 'hour'] : ['day']
}

/** The bars of a range that ends now. Days are those of the visitor's zone, including today, and have 23 to 25 hours. */
export function usagePeriod(range: Range, step: Step, nowMs: number): UsagePeriod {
  const days = RANGE_DAYS[range]
  const toMs = floorHour(nowMs) + HOUR_MS
  const today = new Date(nowMs).setHours(0, 0, 0, 0)
  const starts =
    step === 'hour'
      ? hourStarts(toMs - days * DAY_MS, toMs)
      : dayStarts({ firstMs: daysAfter(today, 1 - days), count: days })
  return { step, fromMs: floorHour(starts[0]), toMs, starts, days, isOpen: true }
}

/** The bars of some days, without those in the future. */
export function periodOfDays(chosen: Days, step: Step, nowMs: number): UsagePeriod {
  const endMs = daysAfter(chosen.firstMs, chosen.count)
  const toMs = Math.min(endMs, floorHour(nowMs) + HOUR_MS)
  const starts = step === 'hour' ? hourStarts(floorHour(chosen.firstMs), toMs) : dayStarts(chosen)
  return {
    step,
    fromMs: floorHour(chosen.firstMs),
    toMs,
    starts: starts.filter((startMs) => startMs <= nowMs),
    days: chosen.count,
    isOpen: nowMs < endMs,
  }
}

/** The bars as many days earlier as the period has, at the same times of day, so that days in progress are compared up to the same hour. */
export function previousPeriod({ step, fromMs, toMs, starts, days }: UsagePeriod): UsagePeriod {
  const earlier = (timeMs: number) => daysAfter(timeMs, -days)
  return {
    step,
    fromMs: floorHour(earlier(fromMs)),
    toMs: earlier(toMs),
    starts: starts.map(earlier),
    days,
    isOpen: false,
  }
}

/** The days between two dates, both inclusive (`YYYY-MM-DD`), or why they cannot be shown. */
export function daysBetween(
  dates: { from?: string | undefined; to?: string | undefined },
  nowMs: number,
): Days | string {
  const firstMs = midnight(dates.from, 0)
  const lastMs = midnight(dates.to, 0)
  if (firstMs === undefined || lastMs === undefined) return 'Choose the first and the last day.'
  if (firstMs > nowMs) return 'The first day must not be in the future.'
  if (lastMs < firstMs) return 'The last day must not be before the first.'
  // Days have 23 to 25 hours.
  const count = Math.round((lastMs - firstMs) / DAY_MS) + 1
  return count > USAGE_DAYS_MAX ? `Choose at most ${USAGE_DAYS_MAX} days.` : { firstMs, count }
}

/** "from May 3, 2026 to May 5, 2026". */
export function daysLabel({ firstMs, count }: Days): string {
  const first = formatDate(new Date(firstMs))
  return count === 1 ? `on ${first}` : `from ${first} to ${formatDate(new Date(daysAfter(firstMs, count - 1)))}`
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

function hourStarts(fromMs: number, toMs: number): number[] {
  return Array.from({ length: Math.ceil((toMs - fromMs) / HOUR_MS) }, (_, n) => fromMs + n * HOUR_MS)
}

function dayStarts({ firstMs, count }: Days): number[] {
  return Array.from({ length: count }, (_, n) => daysAfter(firstMs, n))
}

/** The same time of day, calendar days later: days with a clock change do not have 24 hours. */
function daysAfter(timeMs: number, days: number): number {
  const date = new Date(timeMs)
  return date.setDate(date.getDate() + days)
}

const hour = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric', minute: '2-digit' })
const weekdayHour = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', hour: 'numeric' })
const day = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric' })
const longDay = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', month: 'short', day: 'numeric' })

/** The axis label of a bar. */
export function tickLabel(span: UsagePeriod, startMs: number): string {
  if (span.step === 'day') return day.format(startMs)
  return span.starts.length > 24 ? weekdayHour.format(startMs) : hour.format(startMs)
}

/** The period of a bar: "Tue, Mar 3, 2:00 PM – 3:00 PM". */
export function barLabel(span: UsagePeriod, startMs: number): string {
  const isNow = span.isOpen && startMs === span.starts[span.starts.length - 1]
  if (span.step === 'day') return `${longDay.format(startMs)}${isNow ? ', so far' : ''}`
  const end = isNow ? 'now' : hour.format(startMs + HOUR_MS)
  return `${longDay.format(startMs)}, ${hour.format(startMs)} – ${end}${otherZone(new Date(startMs))}`
}
