/** A calendar day where a clinic stands. */
export interface LocalDay {
  /** Days since 1970-01-01. */
  readonly number: number
  /** `2026-11-21T`. */
  readonly datePrefix: string
  /** `-05:00`, as it holds in the daytime of that day. */
  readonly offset: string
  /** 00:00 by that offset, in milliseconds since 1970. */
  readonly midnightMs: number
  readonly isWeekend: boolean
}

const DAY_MS = 86_400_000

/** The local days of a zone from the one that holds `fromMs`, as many as asked. */
export function localDays(zone: string, fromMs: number, count: number): LocalDay[] {
  const first = Math.floor((fromMs + offsetMinutes(zone, fromMs) * 60_000) / DAY_MS)
  return Array.from({ length: count }, (_, day) => localDay(zone, first + day))
}

/** A minute of the day as RFC 3339, with the offset that holds there. */
export function formatLocalTime(day: LocalDay, minute: number): string {
  const hours = Math.trunc(minute / 60)
  const minutes = minute % 60
  return `${day.datePrefix}${hours < 10 ? '0' : ''}${hours}:${minutes < 10 ? '0' : ''}${minutes}:00${day.offset}`
}

function localDay(zone: string, number: number): LocalDay {
  // 18:00 UTC is daytime in every zone of the United States, so a clock changed at 2 in the morning has changed.
  const minutes = offsetMinutes(zone, number * DAY_MS + 18 * 3_600_000)
  const weekday = new Date(number * DAY_MS).getUTCDay()
  return {
    number,
    datePrefix: new Date(number * DAY_MS).toISOString().slice(0, 11),
    offset: formatOffset(minutes),
    midnightMs: number * DAY_MS - minutes * 60_000,
    isWeekend: weekday === 0 || weekday === 6,
  }
}

function offsetMinutes(zone: string, ms: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'longOffset',
  }).formatToParts(ms)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
  const [hours, minutes] = name.replace('GMT', '').split(':').map(Number)
  return hours * 60 + Math.sign(hours) * (minutes ?? 0)
}

function formatOffset(minutes: number): string {
  const hours = String(Math.trunc(Math.abs(minutes) / 60)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${hours}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`
}
