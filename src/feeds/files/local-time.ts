import { excerpt, got } from '../../lib/json.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import { findTimeZone, type TimeZone } from '../../lib/time-zone.ts'
import { type Instant, parseInstant, parseRfc3339 } from '../../slot/instant.ts'
import { InvalidData } from '../rejections.ts'

/** Month first (`11/21/2026`) or day first (`21/11/2026`). */
export const DATE_ORDERS = ['mdy', 'dmy'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/** How to interpret times without an offset. */
export interface TimeRules {
  /** An IANA name. */
  readonly timeZone?: string | undefined
  readonly dateOrder?: DateOrder | undefined
}

/**
 * Parses a time as written in spreadsheets: an RFC 3339 instant, or a local time in a named zone.
 *
 *     2026-11-21T09:30:00-05:00      as it is
 *     2026-11-21 09:30, 2026/11/21   year, month, day
 *     21.11.2026 09:30               day, month, year: the usual order with dots, unless `dateOrder` is `mdy`
 *     11/21/2026 9:30 AM             the only possible order; if both are possible, `dateOrder` decides
 *     2026-11-21 24:00               the midnight at the end of that day (ISO 8601)
 *
 * Never guesses: throws `InvalidData`, naming `field` and the expected form, without a zone, for an ambiguous date without
 * `dateOrder`, and for an hour that a daylight saving transition skips or repeats.
 */
export function readTime(value: unknown, field: string, rules: TimeRules): Instant {
  const text = typeof value === 'string' ? value.trim().replace(/\s+/g, ' ') : ''
  const instant = parseInstant(text.replace(SPACE_BEFORE_OFFSET, ''))
  if (instant !== undefined) return instant
  const local = localTimeOf(text, field, rules.dateOrder)
  if (local === undefined) {
    throw new InvalidData(
      `${field} must be a date and a time, such as 2026-11-21 09:30 or 2026-11-21T09:30:00-05:00: got "${excerpt(value ?? '')}"${hintOf(text, rules.dateOrder)}`,
    )
  }
  const offset = zoneOf(rules.timeZone, field, text).localOffsetMinutes(local)
  if (typeof offset === 'number') return instantOf(local, offset)
  throw new InvalidData(
    `${field} must be an unambiguous time in ${rules.timeZone}: got "${excerpt(text)}": ${NOT_ONCE[offset]}`,
  )
}

/**
 * A zone by its IANA name, or `UTC`. Undefined for abbreviations and bare offsets, which do not define daylight saving
 * time.
 */
export function findNamedZone(name: string): TimeZone | undefined {
  const known = ZONES.get(name)
  if (known !== undefined) return known
  const zone = ZONE_NAME.test(name) ? findTimeZone(name) : undefined
  // There are about 600; the limit protects against files that vary upper and lower case.
  if (zone !== undefined && ZONES.size < 1000) ZONES.set(name, zone)
  return zone
}

const NOT_ONCE = {
  skipped: 'clocks skip it when they go forward',
  repeated: 'clocks show it twice when they go back: write it with its offset',
}

const ZONES = new Map<string, TimeZone>()

const ZONE_NAME = /^(?:UTC|(?!Etc\/)[A-Za-z]+(?:\/[A-Za-z][A-Za-z0-9_+-]*){1,2})$/

/** Excludes years that spreadsheets produce by mistake, such as 1900 or 0026. */
const [YEAR_MIN, YEAR_MAX] = [1990, 2199]

const LOCAL =
  /^(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/.])(\d{1,2})\6(\d{4}))(?:,? |T)(\d{1,2})(?::(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)? ?([ap]\.?m\.?)?$/i

/** `2026-11-21 09:30:00 -0500`, a common output format. */
const SPACE_BEFORE_OFFSET = / (?=(?:Z|[+-]\d\d:?\d\d)$)/i

/** Hints for common mistakes. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/^\d{5}(?:[.,]\d+)?(?: |$)/, 'this is a spreadsheet serial number; format the column as date and time'],
  [/^\d{1,2}([-/.])\d{1,2}\1\d{2}(?!\d)/, 'the year must have four digits'],
  [/^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/, 'the time is missing'],
  [/^\d{1,2}:\d{2}/, 'the date is missing'],
  [/\d(?: [ap]\.?m\.?)? \(?[A-Z]{1,4}T\)?$/i, 'name the zone in the column timeZone'],
]

function hintOf(text: string, order: DateOrder | undefined): string {
  if (order !== undefined && LOCAL.exec(text.slice(0, 60))?.[8] !== undefined)
    return `: the configured order of dates is ${order}`
  const hint = HINTS.find(([pattern]) => pattern.test(text.slice(0, 60)))
  return hint === undefined ? '' : `: ${hint[1]}`
}

/** The local time in milliseconds as if it were UTC; undefined if the text is not a date with a time. */
function localTimeOf(text: string, field: string, order: DateOrder | undefined): number | undefined {
  const found = LOCAL.exec(text.slice(0, 60))
  if (found === null) return undefined
  const [, y, , m, d, first, sign, second, yearLast, hour, minute, seconds, half] = found
  const [month, day] =
    y === undefined
      ? monthAndDay([Number(first), Number(second)], sign, { order, field, text })
      : [Number(m), Number(d)]
  const hours = hourOf(Number(hour), half)
  // "9" alone is not a time; "9 AM" is.
  if (hours === undefined || (minute === undefined && half === undefined)) return undefined
  const date = [Number(y ?? yearLast), month, day] as const
  const time = [Number(minute ?? 0), Number(seconds ?? 0)] as const
  if (hours !== 24 || time[0] !== 0 || time[1] !== 0) return utcOf([...date, hours, ...time])
  const midnight = utcOf([...date, 0, 0, 0])
  return midnight === undefined ? undefined : midnight + DAY_MS
}

function monthAndDay(
  [first, second]: readonly [number, number],
  separator: string | undefined,
  { order, field, text }: { order: DateOrder | undefined; field: string; text: string },
): [month: number, day: number] {
  if (order !== undefined) return order === 'mdy' ? [first, second] : [second, first]
  if (separator === '.' && second <= 12) return [second, first]
  if (first === second || second > 12) return [first, second]
  if (first > 12) return [second, first]
  throw new InvalidData(
    `${field} is ambiguous: got "${excerpt(text)}". Write the date as 2026-11-21, or set the order of dates (mdy or dmy)`,
  )
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0)
}

/** Undefined for a date or time that does not exist. */
function utcOf(parts: readonly [number, number, number, number, number, number]): number | undefined {
  const [year, month, day, hour, minute, second] = parts
  if (year < YEAR_MIN || year > YEAR_MAX || second > 59) return undefined
  const two = (value: number) => String(value).padStart(2, '0')
  return parseRfc3339(`${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}Z`)
}

function zoneOf(name: string | undefined, field: string, text: string): TimeZone {
  if (name === undefined) {
    throw new InvalidData(
      `${field} must have an offset or a time zone (column timeZone, or one for the file): ${got(text)}`,
    )
  }
  const zone = findNamedZone(name)
  if (zone !== undefined) return zone
  throw new InvalidData(`timeZone must be a name such as America/New_York (IANA), or UTC: ${got(name)}`)
}

function instantOf(localMs: number, offsetMinutes: number): Instant {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const size = Math.abs(offsetMinutes)
  const offset = `${offsetMinutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`
  return {
    text: `${new Date(localMs).toISOString().slice(0, 19)}${offset}`,
    ms: localMs - offsetMinutes * MINUTE_MS,
  }
}
