import { dayOf, twoDigits } from '../../components/visitor-time.ts'

/** The start of a day in the visitor's zone, in milliseconds since 1970. */
export function startOfDay(day: string): number {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year ?? 0, (month ?? 1) - 1, date).getTime()
}

/** The last second of a day in the visitor's zone; days have 23 to 25 hours. */
export function endOfDay(day: string): number {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + 1).getTime() - 1000
}

export const startOfDayText = (day: string): string => instantText(startOfDay(day))
export const endOfDayText = (day: string): string => instantText(endOfDay(day))

/** The value of a `datetime-local` field for an RFC 3339 instant; empty if it is invalid. */
export function localInput(instant: string | undefined): string {
  const ms = Date.parse(instant ?? '')
  if (Number.isNaN(ms)) return ''
  const date = new Date(ms)
  return `${dayOf(ms)}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** The RFC 3339 instant of such a field, in UTC so that no `+` needs escaping; undefined if empty. */
export function instantOfInput(input: string): string | undefined {
  const ms = new Date(input).getTime()
  return Number.isNaN(ms) ? undefined : instantText(ms)
}

/** `Europe/Berlin`. */
export function visitorZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

function instantText(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
