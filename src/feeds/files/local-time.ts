import { excerpt } from '../../lib/json.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import { type Instant, parseInstant } from '../../slot/instant.ts'
import { InvalidData } from '../invalid-data.ts'
import { findTimeZone, type TimeZone } from './time-zone.ts'

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
  const zone = zoneOf(rules.timeZone, field, text)
  return withOffset(local, { zone, field, text })
}

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

/** As if it were UTC, in milliseconds. Undefined if it is no date with a time. */
function localTimeOf(text: string, field: string, order: DateOrder | undefined): number | undefined {
  const found = LOCAL.exec(text.slice(0, 60))
  if (found === null) return undefined
  const [, y, , m, d, first, sign, second, yearLast, hour, minute, seconds, half] = found
  const [month, day] =
    y === undefined
      ? monthAndDay(Number(first), Number(second), { sign, order, field, text })
      : [Number(m), Number(d)]
  const hours = hourOf(Number(hour), half)
  // "9" alone is no time; "9 AM" is.
  if (hours === undefined || (minute === undefined && half === undefined)) return undefined
  const date = [Number(y ?? yearLast), month, day] as const
  if (hours === 24 && Number(minute) === 0 && Number(seconds ?? 0) === 0) {
    const midnight = utcOf([...date, 0, 0, 0])
    return midnight === undefined ? undefined : midnight + DAY_MS
  }
  return utcOf([...date, hours, Number(minute ?? 0), Number(seconds ?? 0)])
}

function monthAndDay(
  first: number,
  second: number,
  {
    sign,
    order,
    field,
    text,
  }: { sign: string | undefined; order: DateOrder | undefined; field: string; text: string },
): [month: number, day: number] {
  if (sign === '.') return [second, first]
  if (order !== undefined) return order === 'mdy' ? [first, second] : [second, first]
  if (first === second || second > 12) return [first, second]
  if (first > 12) return [second, first]
  throw new InvalidData(
    `${field} must tell day from month: got "${excerpt(text)}": write 2026-11-21, or say the order of dates (mdy or dmy)`,
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
  const same = [
    back.getUTCFullYear(),
    back.getUTCMonth() + 1,
    back.getUTCDate(),
    back.getUTCHours(),
    back.getUTCMinutes(),
    back.getUTCSeconds(),
  ]
  return same.every((part, at) => part === parts[at]) ? ms : undefined
}

function zoneOf(name: string | undefined, field: string, text: string): TimeZone {
  if (name === undefined) {
    throw new InvalidData(
      `${field} must have an offset, or a time zone beside it (column timeZone, or one for the file): got "${excerpt(text)}"`,
    )
  }
  const zone = findTimeZone(name)
  if (zone === undefined)
    throw new InvalidData(
      `timeZone must be a name such as America/New_York (IANA), or UTC: got "${excerpt(name)}"`,
    )
  return zone
}

function withOffset(
  localMs: number,
  { zone, field, text }: { zone: TimeZone; field: string; text: string },
): Instant {
  const offsets = zone.offsetsAt(localMs)
  if (offsets.length === 1) return instantOf(localMs, offsets[0])
  const what =
    offsets.length === 0
      ? 'the clocks skip it when they are put forward'
      : 'the clocks show it twice when they are put back: write it with its offset'
  throw new InvalidData(`${field} must be a time that ${zone.name} has once: got "${excerpt(text)}": ${what}`)
}

function instantOf(localMs: number, offsetMs: number): Instant {
  const minutes = Math.abs(offsetMs) / MINUTE_MS
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const offset = `${offsetMs < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
  return { text: `${new Date(localMs).toISOString().slice(0, 19)}${offset}`, ms: localMs - offsetMs }
}
