/** The day in the visitor's zone at a time: `YYYY-MM-DD`. */
export function dayOf(ms: number): string {
  const date = new Date(ms)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** When a day begins in the visitor's zone, in milliseconds since 1970. */
export function startOfDay(day: string): number {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year ?? 0, (month ?? 1) - 1, date).getTime()
}

/** The last second of a day in the visitor's zone: a day may have 23 hours, or 25. */
export function endOfDay(day: string): number {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + 1).getTime() - 1000
}

export const startOfDayText = (day: string): string => instantText(startOfDay(day))
export const endOfDayText = (day: string): string => instantText(endOfDay(day))

/** What a field of the kind `datetime-local` shows for an RFC 3339 instant; empty if it is none. */
export function localInput(instant: string | undefined): string {
  const ms = Date.parse(instant ?? '')
  if (Number.isNaN(ms)) return ''
  const date = new Date(ms)
  return `${dayOf(ms)}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The RFC 3339 instant that such a field means, in UTC so that no `+` has to be escaped; undefined while it is empty. */
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

function two(number: number): string {
  return String(number).padStart(2, '0')
}
