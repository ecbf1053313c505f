import { now } from '../api/now.ts'
import { LOCALE } from './locale.ts'

/** In the visitor's language and zone: "May 3, 2026". */
export function formatDate(date: Date): string {
  return date.toLocaleDateString(LOCALE, { dateStyle: 'medium' })
}

/**
 * In the visitor's language and zone: "May 3, 2026, 10:00 AM EDT". With `inTable`, under a head that names the zone of now (see
 * `timeHeader()`), a time names its zone only if the clocks have changed in between.
 */
export function formatDateTime(date: Date, inTable = false): string {
  return withZone(date.toLocaleString(LOCALE, { dateStyle: 'medium', timeStyle: 'short' }), date, inTable)
}

/** As `formatDateTime()`, to the second: "May 3, 2026, 10:00:05 AM EDT". */
export function formatDateTimeSeconds(date: Date, inTable = false): string {
  return withZone(date.toLocaleString(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' }), date, inTable)
}

/** As `formatDateTime()`, without the date: "10:00:05 AM EDT". */
export function formatTime(date: Date, inTable = false): string {
  return withZone(date.toLocaleTimeString(LOCALE, { timeStyle: 'medium' }), date, inTable)
}

/** The start of a day (`YYYY-MM-DD`) in the visitor's zone, plus a number of days. Undefined for an invalid date. */
export function midnight(date: string | undefined, daysLater: number): number | undefined {
  const [year, month, day] = (date ?? '').split('-').map(Number)
  const ms = new Date(year, month - 1, day + daysLater).getTime()
  return Number.isNaN(ms) || ms < 0 ? undefined : ms
}

/** The date in the visitor's zone, also of `<input type="date">`: `YYYY-MM-DD`. */
export function dayOf(ms: number): string {
  const date = new Date(ms)
  return `${String(date.getFullYear()).padStart(4, '0')}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

export function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/** The label of times in the visitor's zone: "Time (EST)". Of several, as in a table column, with the zone at present. */
export function timeHeader(text: string, date?: Date): string {
  return `${text} (${zoneLabel(date)})`
}

/** The visitor's zone at an instant: "EST", "CEST", "UTC+8". */
export function zoneLabel(date = new Date(now())): string {
  return zoneName(date.getTime(), undefined)
}

/** Locales whose users know zones by a short name. English of the United States has names for its own zones only. */
const NAMING_LOCALES = [LOCALE, 'en-GB', 'en-CA', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA']

/**
 * The usual short name of an IANA time zone (the visitor's if undefined) at an instant: "EST", "CET", "AEDT". Of a zone without
 * one the offset: "UTC+8".
 */
export function zoneName(ms: number, timeZone: string | undefined): string {
  const nameIn = (locale: string) => zonePart(ms, { locale, timeZone, timeZoneName: 'short' })
  for (const locale of NAMING_LOCALES) {
    const name = nameIn(locale)
    if (!/^(?:GMT|UTC)[+-]/.test(name)) return name
  }
  return nameIn(LOCALE).replace('GMT', 'UTC')
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The zone in a formatted time. Formats are kept: each takes some 50 µs to make. */
export function zonePart(
  ms: number,
  { locale, ...options }: { locale: string; timeZone: string | undefined; timeZoneName: 'short' | 'longOffset' },
): string {
  const key = `${locale} ${options.timeZone} ${options.timeZoneName}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options as Intl.DateTimeFormatOptions)
  formats.set(key, format)
  return format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** The zone of a time below `timeHeader()`: " EDT", or empty where it is the zone of now. */
export function otherZone(date: Date): string {
  return date.getTimezoneOffset() === new Date(now()).getTimezoneOffset() ? '' : ` ${zoneLabel(date)}`
}

function withZone(text: string, date: Date, inTable: boolean): string {
  return text + (inTable ? otherZone(date) : ` ${zoneLabel(date)}`)
}
