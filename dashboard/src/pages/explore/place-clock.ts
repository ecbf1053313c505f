import { LOCALE } from '../../components/locale.ts'
import { twoDigits, zoneName, zonePart } from '../../components/visitor-time.ts'
import { MAINLAND_ZONES, zonesOf } from './place-zones.ts'

/** A clock on a wall: of an IANA time zone, or a fixed offset from UTC in minutes. */
export type Clock = string | number

/**
 * The clock at a slot's place: the zone of its state or country, if that has one or the published offset tells which; else the offset as
 * published. A slot without a state has the publisher's offset, as the zone of the mainland that has it at that time, if any: so that
 * a table names zones in one notation.
 */
export function placeClock(slot: {
  readonly start: string
  readonly location?: { readonly state?: string } | undefined
}): Clock {
  const offset = publishedOffset(slot.start)
  const state = slot.location?.state
  const zones = zonesOf(state ?? '')
  const ms = Date.parse(slot.start)
  const [only, ...others] = zones
  const atOffset = (zone: string) => clockOffset(zone, ms) === offset
  if (state === undefined) return MAINLAND_ZONES.find(atOffset) ?? offset
  return zones.find(atOffset) ?? (others.length === 0 ? only : undefined) ?? offset
}

/** Minutes that a clock is ahead of UTC at an instant. */
export function clockOffset(clock: Clock, ms: number): number {
  if (typeof clock === 'number') return clock
  const name = zonePart(ms, { locale: 'en-US', timeZone: clock, timeZoneName: 'longOffset' })
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)$/.exec(name) ?? ['', '+', '0', '0']
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

/** A time as a clock shows it, in the visitor's language. */
export function formatByClock(ms: number, clock: Clock, options: Intl.DateTimeFormatOptions): string {
  if (typeof clock === 'string') return new Date(ms).toLocaleString(LOCALE, { ...options, timeZone: clock })
  return new Date(ms + clock * 60_000).toLocaleString(LOCALE, { ...options, timeZone: 'UTC' })
}

/** The name of a clock at an instant: "HST", or "UTC-5" of an offset. */
export function clockName(ms: number, clock: Clock): string {
  if (typeof clock === 'string') return zoneName(ms, clock)
  if (clock === 0) return 'UTC'
  const [hours, minutes] = [Math.floor(Math.abs(clock) / 60), Math.abs(clock) % 60]
  return `UTC${clock < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${twoDigits(minutes)}`}`
}

/** The offset of an RFC 3339 time in minutes. */
function publishedOffset(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? ['', '+', '0', '0']
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1) || 0
}
