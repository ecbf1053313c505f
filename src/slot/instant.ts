// Hot path: every slot and every query parameter of type time. Reading characters takes 100 ns, a regular expression and
// Date.parse() 600 ns.

import { MINUTE_MS } from '../lib/time.ts'

/** An instant as text and as a number. */
export interface Instant {
  /** RFC 3339, with the original offset. */
  readonly text: string
  /** Milliseconds since 1970-01-01T00:00:00Z; finer fractions are truncated. */
  readonly ms: number
}

/**
 * Parses an RFC 3339 date-time as milliseconds since 1970; undefined if invalid. The offset is required; a leap second is the first
 * instant of the next minute; fractions finer than milliseconds are truncated.
 */
export function parseRfc3339(text: string): number | undefined {
  if (text.length > LENGTH_MAX || !hasDateAndTime(text, 0) || text.charCodeAt(16) !== COLON) return undefined
  const offsetAt = endOfFraction(text)
  if (offsetAt < 0 || !isFullOffset(text, offsetAt)) return undefined
  return millisecondsOf(text, offsetAt)
}

/**
 * Parses an instant as publishers write it and normalizes it to RFC 3339: an offset of `-05` or `-0500` becomes `-05:00`, absent seconds
 * become `:00`, and lower-case letters or a space become `T` and `Z`. A leap second, which `Date` cannot read, and an offset beyond 14:00,
 * which FHIR does not allow, become UTC. Undefined if invalid or without an offset. An offset that is wrong for the season is kept.
 */
export function parseInstant(text: string): Instant | undefined {
  if (text.length > LENGTH_MAX) return undefined
  const plain = isCanonical(text) ? text : canonical(text)
  const ms = parseRfc3339(plain)
  if (ms === undefined) return undefined
  const offsetAt = plain.length - (plain.charCodeAt(plain.length - 1) === UPPER_Z ? 1 : 6)
  if (plain.charCodeAt(17) !== SIX && Math.abs(offsetMinutes(plain, offsetAt)) <= OFFSET_MINUTES_MAX)
    return { text: plain, ms }
  const utc = new Date(ms).toISOString()
  return utc.length === UTC_LENGTH ? { text: utc, ms } : undefined
}

/** Minutes since 1970 of the `YYYY-MM-DDThh:mm` at a place of a text, whatever its offset; not a number if there is none. */
export function localMinuteAt(text: string, at: number): number {
  return hasDateAndTime(text, at) && text.charCodeAt(at + 10) === UPPER_T ? minutesAt(text, at) : Number.NaN
}

const [ZERO, SIX, NINE, COLON, DASH, DOT, PLUS] = [48, 54, 57, 58, 45, 46, 43]
const [UPPER_T, LOWER_T, UPPER_Z, LOWER_Z] = [84, 116, 90, 122]

/** Of an `instant` of FHIR. */
const OFFSET_MINUTES_MAX = 14 * 60

/** Longer in years that RFC 3339 cannot write. */
const UTC_LENGTH = '2026-01-31T09:00:00.000Z'.length

/** A nanosecond fraction and an offset fit into 35 characters. */
const LENGTH_MAX = 40

/** `YYYY-MM-DDThh:mm` at a place of a text. */
function hasDateAndTime(text: string, at: number): boolean {
  if (text.charCodeAt(at + 4) !== DASH || text.charCodeAt(at + 7) !== DASH) return false
  if (text.charCodeAt(at + 13) !== COLON) return false
  const separator = text.charCodeAt(at + 10)
  if (separator !== UPPER_T && separator !== LOWER_T) return false
  const year = pair(text, at) * 100 + pair(text, at + 2)
  const month = pair(text, at + 5)
  const day = pair(text, at + 8)
  // A pair that is not two digits is NaN; comparisons with NaN are false.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return false
  return pair(text, at + 11) <= 23 && pair(text, at + 14) <= 59
}

function pair(text: string, at: number): number {
  const high = text.charCodeAt(at) - ZERO
  const low = text.charCodeAt(at + 1) - ZERO
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Number.NaN
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** The index of the offset after `:ss` or `:ss.fff`, or -1 if the seconds or the fraction are invalid. */
function endOfFraction(text: string): number {
  if (!(pair(text, 17) <= 60)) return -1
  if (text.charCodeAt(19) !== DOT) return 19
  let at = 20
  while (isDigit(text.charCodeAt(at))) at++
  return at === 20 ? -1 : at
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** `Z` or `±hh:mm` at the end of the text. */
function isFullOffset(text: string, at: number): boolean {
  const sign = text.charCodeAt(at)
  if (sign === UPPER_Z || sign === LOWER_Z) return text.length === at + 1
  if ((sign !== PLUS && sign !== DASH) || text.length !== at + 6) return false
  return text.charCodeAt(at + 3) === COLON && pair(text, at + 1) <= 23 && pair(text, at + 4) <= 59
}

function millisecondsOf(text: string, offsetAt: number): number | undefined {
  const minutes = minutesAt(text, 0) - offsetMinutes(text, offsetAt)
  const seconds = pair(text, 17)
  // RFC 3339, 5.7: a leap second only ends a day of UTC.
  if (seconds === 60 && (minutes + 1) % 1440 !== 0) return undefined
  return minutes * MINUTE_MS + seconds * 1000 + thousandths(text, offsetAt)
}

/** Minutes since 1970 of a date and time, without its offset. */
function minutesAt(text: string, at: number): number {
  const days = daysSince1970(pair(text, at) * 100 + pair(text, at + 2), pair(text, at + 5), pair(text, at + 8))
  return days * 1440 + pair(text, at + 11) * 60 + pair(text, at + 14)
}

/** Neighboring slots are on the same day. */
let [recentDate, recentDays] = [19_700_101, 0]

function daysSince1970(year: number, month: number, day: number): number {
  const date = year * 10_000 + month * 100 + day
  if (date !== recentDate) [recentDate, recentDays] = [date, countDays(year, month, day)]
  return recentDays
}

/** Days between 1970-01-01 and a date of the proleptic Gregorian calendar; years are counted from March, so that leap days come last. */
function countDays(year: number, month: number, day: number): number {
  const years = month <= 2 ? year - 1 : year
  const era = Math.floor(years / 400)
  const yearOfEra = years - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

function offsetMinutes(text: string, at: number): number {
  const sign = text.charCodeAt(at)
  if (sign === UPPER_Z || sign === LOWER_Z) return 0
  const minutes = pair(text, at + 1) * 60 + pair(text, at + 4)
  return sign === DASH ? -minutes : minutes
}

function thousandths(text: string, offsetAt: number): number {
  let value = 0
  let unit = 100
  for (let at = 20; at < offsetAt && unit >= 1; at++) {
    value += (text.charCodeAt(at) - ZERO) * unit
    unit /= 10
  }
  return Math.round(value)
}

/** The format of nearly all publishers, which needs no normalization. */
function isCanonical(text: string): boolean {
  if (text.charCodeAt(10) !== UPPER_T || text.charCodeAt(16) !== COLON) return false
  return text.charCodeAt(text.length - 1) === UPPER_Z || text.charCodeAt(text.length - 3) === COLON
}

/** Leaves other errors for `parseRfc3339()` to reject. */
function canonical(text: string): string {
  const time = text.replace(/^(.{10})[t ]/, '$1T')
  const whole = time.charCodeAt(16) === COLON ? time : `${time.slice(0, 16)}:00${time.slice(16)}`
  const ending = whole.at(-1) === 'z' ? `${whole.slice(0, -1)}Z` : whole
  return ending.replace(/([+-]\d\d)(?::?(\d\d))?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`)
}
