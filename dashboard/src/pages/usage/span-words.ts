import { HOUR_MS } from '../../../../src/lib/time.ts'
import type { UsageSpan } from './usage-span.ts'

const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const weekdayHour = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: 'numeric' })
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const longDay = new Intl.DateTimeFormat(undefined, { weekday: 'short', month: 'short', day: 'numeric' })

/** What stands below a bar. */
export function tickWords(span: UsageSpan, startMs: number): string {
  if (span.step === 'day') return day.format(startMs)
  return span.starts.length > 24 ? weekdayHour.format(startMs) : hour.format(startMs)
}

/** The time that a bar stands for, in full: "Tue, Mar 3, 2:00 PM – 3:00 PM". The last one is not over. */
export function barWords(span: UsageSpan, startMs: number): string {
  const isLast = startMs === span.starts[span.starts.length - 1]
  if (span.step === 'day') return `${longDay.format(startMs)}${isLast ? ', so far' : ''}`
  const end = isLast ? 'now' : hour.format(startMs + HOUR_MS)
  return `${longDay.format(startMs)}, ${hour.format(startMs)} – ${end}`
}
