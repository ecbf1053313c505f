import { MINUTE_MS } from '../../lib/time.ts'
import type { Instant } from '../../slot/instant.ts'
import { checkPeriod } from '../slot-bounds.ts'
import { readTime, type TimeRules } from './local-time.ts'
import type { RecordFields } from './record-fields.ts'

/**
 * Reads when a slot starts and ends:
 *
 *     start, end                       two times
 *     date, start, end                 times of the day; `endDate` if the slot ends on another day
 *     start, duration                  in place of the end
 *
 * Undefined, with faults, if a time is invalid.
 */
export function readPeriod(fields: RecordFields, rules: TimeRules): { start: Instant; end: Instant } | undefined {
  const date = fields.raw('date')
  const start = timeOf(fields, 'start', { date, rules })
  const minutes = readDuration(fields)
  const end = readEnd(fields, { start, minutes, date: fields.raw('endDate') ?? date, rules })
  if (start === undefined || end === undefined) return undefined
  refuseOneHalf(fields)
  if (end.ms < start.ms && date !== undefined && fields.raw('endDate') === undefined)
    fields.wrong('end', 'after start, with an endDate if it is on another day')
  else fields.faults.collect('end', () => checkPeriod(start, end))
  if (minutes !== undefined && end.ms - start.ms !== minutes * MINUTE_MS)
    fields.wrong('duration', `${(end.ms - start.ms) / MINUTE_MS} minutes, as start and end say`)
  return { start, end }
}

/** In "1:00" to "1:30 PM", the start is rarely at night. */
function refuseOneHalf(fields: RecordFields): void {
  const [start, end] = [fields.raw('start'), fields.raw('end')].map(String)
  if (HALF.test(end) && EITHER_HALF.test(start)) fields.wrong('start', 'with AM or PM, like end')
  if (HALF.test(start) && EITHER_HALF.test(end)) fields.wrong('end', 'with AM or PM, like start')
}

const HALF = /[ap]\.?m\.?$/i
const EITHER_HALF = /(?:^|[ T])(?:0?[1-9]|1[0-2])(?::\d{2}){1,2}$/

interface DatedTime {
  readonly date: unknown
  readonly rules: TimeRules
}

function readEnd(
  fields: RecordFields,
  { start, minutes, ...dated }: DatedTime & { start: Instant | undefined; minutes: number | undefined },
): Instant | undefined {
  const isMissing = fields.raw('end') === undefined && fields.raw('duration') !== undefined
  if (!isMissing) return timeOf(fields, 'end', dated)
  return start === undefined || minutes === undefined ? undefined : later(start, minutes)
}

function timeOf(fields: RecordFields, name: 'start' | 'end', { date, rules }: DatedTime): Instant | undefined {
  const written = fields.raw(name)
  const time = withDate(written, date)
  return fields.faults.collect(name, () => readTime(time, name, rules))
}

/** A time of the day, with the date of another cell before it. */
function withDate(time: unknown, date: unknown): unknown {
  if (typeof time !== 'string' || typeof date !== 'string' || !TIME_OF_DAY.test(time.trim())) return time
  return `${date.trim().replace(MIDNIGHT, '')} ${time.trim()}`
}

/** With anything after it, so that an error quotes both and does not ask for the date. */
const TIME_OF_DAY = /^\d{1,2}(?::\d{2}|\s?[ap]\.?m)/i

/** Programs write a date as its midnight. */
const MIDNIGHT = /(?:[T ]0?0:00(?::00(?:\.0+)?)?| 12:00(?::00)? AM)$/i

/** In minutes. */
function readDuration(fields: RecordFields): number | undefined {
  return fields.parsed('duration', 'minutes, such as 30, 45 min, 1 h 30 min or 0:45', minutesOf)
}

/** A bare number of minutes below this could be hours. */
const BARE_MINUTES_MIN = 5

/** Hours and minutes. `15:00` without seconds could be minutes and seconds. */
const CLOCK = /^(?=0?[0-4]:|\d+:\d+:)(\d{1,2}):(\d{2})(?::00)?$/
const UNITS =
  /^(?:PT)?(?:(\d{1,2}(?:[.,]\d{1,2})?)\s?(?:h|hrs?|hours?)\.?)?\s?(?:(\d{1,4})\s?(?:m|mins?|minutes?)\.?)?$/i

function minutesOf(text: string): number | undefined {
  if (/^\d{1,4}$/.test(text)) return Number(text) >= BARE_MINUTES_MIN ? Number(text) : undefined
  const [, hours = '0', minutes = '0'] = CLOCK.exec(text) ?? UNITS.exec(text) ?? []
  const total = Number(hours.replace(',', '.')) * 60 + Number(minutes)
  return total > 0 && Number.isInteger(total) ? total : undefined
}

/** The offset stays, also if clocks change in between. */
function later({ text, ms }: Instant, minutes: number): Instant {
  const [offset] = /Z$|[+-]\d\d:\d\d$/.exec(text) ?? ['Z']
  const [, sign, hour, minute] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  const offsetMinutes = offset === 'Z' ? 0 : Number(`${sign}1`) * (Number(hour) * 60 + Number(minute))
  const endMs = ms + minutes * MINUTE_MS
  const local = new Date(endMs + offsetMinutes * MINUTE_MS).toISOString()
  return { text: `${local.slice(0, endMs % 1000 === 0 ? 19 : 23)}${offset}`, ms: endMs }
}
