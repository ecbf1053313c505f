import { excerpt } from '../../lib/json.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import { findTimeZone, type TimeZone } from '../../lib/time-zone.ts'
import { type Instant, parseInstant } from '../../slot/instant.ts'
import { InvalidData } from '../invalid-data.ts'

/** Which of two numbers before the year is the month: `11/21/2026` or `21/11/2026`. */
export const DATE_ORDERS = ['mdy', 'dmy'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/** How times without an offset are to be understood. */
export interface TimeRules {
  /** Where they are local: a name of the IANA database. */
  readonly timeZone?: string | undefined
  readonly dateOrder?: DateOrder | undefined
}

/**
 * Reads a time as people write it into spreadsheets: an RFC 3339 instant, or a local time of a named zone.
 *
 *     2026-11-21T09:30:00-05:00      as it is
 *     2026-11-21 09:30, 2026/11/21   year, month, day
 *     21.11.2026 09:30               day, month, year: nobody writes points otherwise
 *     11/21/2026 9:30 AM             whichever is possible; where both are, `dateOrder` decides
 *     2026-11-21 24:00               the midnight at the end of that day (ISO 8601)
 *
 * Nothing is guessed: without a zone, without an order where it matters, and where clocks skip or repeat the hour, it throws
 * `InvalidData`, which names `field` and says what would do.
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
    `${field} must be a time that ${rules.timeZone} has once: got "${excerpt(text)}": ${NOT_ONCE[offset]}`,
  )
}

/**
 * A zone by its name in the IANA database, or `UTC`. Undefined for abbreviations and bare offsets, which other programs
 * accept as zones: they do not say when clocks change.
 */
export function findNamedZone(name: string): TimeZone | undefined {
  const known = ZONES.get(name)
  if (known !== undefined) return known
  const zone = ZONE_NAME.test(name) ? findTimeZone(name) : undefined
  // There are about 600; the limit is for a file that varies the case of their letters.
  if (zone !== undefined && ZONES.size < 1000) ZONES.set(name, zone)
  return zone
}

const NOT_ONCE = {
  skipped: 'clocks skip it when they go forward',
  repeated: 'clocks show it twice when they go back: write it with its offset',
}

const ZONES = new Map<string, TimeZone>()

const ZONE_NAME = /^(?:UTC|(?!Etc\/)[A-Za-z]+(?:\/[A-Za-z][A-Za-z0-9_+-]*){1,2})$/

/** Years that a spreadsheet shows with two digits, or turns into others, lie outside. */
const [YEAR_MIN, YEAR_MAX] = [1990, 2199]

const LOCAL =
  /^(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/.])(\d{1,2})\6(\d{4}))(?:,? |T)(\d{1,2})(?::(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)? ?([ap]\.?m\.?)?$/i

/** `2026-11-21 09:30:00 -0500`, as many programs write it. */
const SPACE_BEFORE_OFFSET = / (?=(?:Z|[+-]\d\d:?\d\d)$)/i

/** What most often is wrong with a time, and what to do about it. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/^\d{5}(?:[.,]\d+)?$/, 'spreadsheets count days so: give the column a format with date and time'],
  [/^\d{1,2}([-/.])\d{1,2}\1\d{2}(?!\d)/, 'its year must have four digits'],
  [/^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/, 'a time lacks'],
  [/^\d{1,2}:\d{2}/, 'a date lacks'],
  [/\d(?: [ap]\.?m\.?)? \(?[A-Z]{1,4}T\)?$/i, 'name the zone in the column timeZone'],
]

function hintOf(text: string, order: DateOrder | undefined): string {
  if (order !== undefined && LOCAL.exec(text.slice(0, 60))?.[8] !== undefined)
    return `: the order of dates is said to be ${order}`
  const hint = HINTS.find(([pattern]) => pattern.test(text.slice(0, 60)))
  return hint === undefined ? '' : `: ${hint[1]}`
}

/** The local time that a text states, in milliseconds as if it were UTC; undefined if it is no date with a time. */
function localTimeOf(text: string, field: string, order: DateOrder | undefined): number | undefined {
  const found = LOCAL.exec(text.slice(0, 60))
  if (found === null) return undefined
  const [, y, , m, d, first, sign, second, yearLast, hour, minute, seconds, half] = found
  const [month, day] =
    y === undefined
      ? monthAndDay([Number(first), Number(second)], sign, { order, field, text })
      : [Number(m), Number(d)]
  const hours = hourOf(Number(hour), half)
  // "9" alone is no time; "9 AM" is.
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
  if (separator === '.') return [second, first]
  if (order !== undefined) return order === 'mdy' ? [first, second] : [second, first]
  if (first === second || second > 12) return [first, second]
  if (first > 12) return [second, first]
  throw new InvalidData(
    `${field} must tell day from month: got "${excerpt(text)}": write 2026-11-21, or set the order of dates (mdy or dmy)`,
  )
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0)
}

/** Undefined if there is no such date or time. */
function utcOf(parts: readonly [number, number, number, number, number, number]): number | undefined {
  const [year, month, day, hour, minute, second] = parts
  if (year < YEAR_MIN || year > YEAR_MAX) return undefined
  const ms = Date.UTC(year, month - 1, day, hour, minute, second)
  const back = new Date(ms)
  const isSame =
    back.getUTCMonth() + 1 === month &&
    back.getUTCDate() === day &&
    back.getUTCHours() === hour &&
    back.getUTCMinutes() === minute &&
    back.getUTCSeconds() === second
  return isSame ? ms : undefined
}

function zoneOf(name: string | undefined, field: string, text: string): TimeZone {
  if (name === undefined) {
    throw new InvalidData(
      `${field} must have an offset, or a time zone beside it (column timeZone, or one for the file): got "${excerpt(text)}"`,
    )
  }
  const zone = findNamedZone(name)
  if (zone !== undefined) return zone
  throw new InvalidData(
    `timeZone must be a name such as America/New_York (IANA), or UTC: got "${excerpt(name)}"`,
  )
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
