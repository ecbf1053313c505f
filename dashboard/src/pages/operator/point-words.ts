import { DAY_MS } from '../../../../src/lib/time.ts'
import type { PastSpan } from './open-past.ts'

const hour = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
// The service's days are those of UTC: in the visitor's zone they would be named after the day before.
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const tick = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const dayTick = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** The time of a count, in full. */
export function pointWords(atMs: number, span: PastSpan): string {
  return span === '14d' ? hour.format(atMs) : day.format(atMs)
}

/** What stands below a chart; with the hour where all of it is within two days. */
export function pointTicks(span: PastSpan, lengthMs: number): (atMs: number) => string {
  if (span === '400d') return (atMs) => dayTick.format(atMs)
  return lengthMs <= 2 * DAY_MS ? (atMs) => hour.format(atMs) : (atMs) => tick.format(atMs)
}
