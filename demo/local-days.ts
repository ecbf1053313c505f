/** A calendar day in a clinic's time zone. */
export interface LocalDay {
  /** Days since 1970-01-01. */
  readonly number: number
  /** `2026-11-21T`. */
  readonly datePrefix: string
  /** `-05:00`: the UTC offset during the daytime of that day. */
  readonly offset: string
  /** 00:00 with that offset, in milliseconds since 1970. */
  readonly midnightMs: number
  readonly isWeekend: boolean
}

const DAY_MS = 86_400_000

/** `count` local days of a zone, starting with the day of `fromMs`. */
export function localDays(zone: string, fromMs: number, count: number): LocalDay[] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const first = Math.floor((fromMs + offsetMinutes(format, fromMs) * 60_000) / DAY_MS)
  return Array.from({ length: count }, (_, day) => localDay(format, first + day))
}

/** A minute of the day as RFC 3339 with its UTC offset. */
export function formatLocalTime(day: LocalDay, minute: number): string {
  const hours = Math.trunc(minute / 60)
  const minutes = minute % 60
  return `${day.datePrefix}${hours < 10 ? '0' : ''}${hours}:${minutes < 10 ? '0' : ''}${minutes}:00${day.offset}`
}

function localDay(format: Intl.DateTimeFormat, number: number): LocalDay {
  // 18:00 UTC is daytime in every US zone, after any clock change at 2 a.m.
  const minutes = offsetMinutes(format, number * DAY_MS + 18 * 3_600_000)
  const weekday = new Date(number * DAY_MS).getUTCDay()
  return {
    number,
    datePrefix: new Date(number * DAY_MS).toISOString().slice(0, 11),
    offset: formatOffset(minutes),
    midnightMs: number * DAY_MS - minutes * 60_000,
    isWeekend: weekday === 0 || weekday === 6,
  }
}

function offsetMinutes(format: Intl.DateTimeFormat, ms: number): number {
  const name = format.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? ''
  const [hours, minutes] = name.replace('GMT', '').split(':').map(Number)
  return hours * 60 + Math.sign(hours) * (minutes ?? 0)
}

function formatOffset(minutes: number): string {
  const hours = String(Math.trunc(Math.abs(minutes) / 60)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${hours}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`
}
