/** In the visitor's language and zone: "May 3, 2026". */
export function formatDate(date: Date): string {
  return date.toLocaleDateString(undefined, { dateStyle: 'medium' })
}

/**
 * In the visitor's language and zone: "May 3, 2026, 10:00 AM EDT". With `inTable`, under a head that names the zone of now (see
 * `timeHeader()`), a time names its zone only if the clocks have changed in between.
 */
export function formatDateTime(date: Date, inTable = false): string {
  return withZone(date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }), date, inTable)
}

/** As `formatDateTime()`, to the second: "May 3, 2026, 10:00:05 AM EDT". */
export function formatDateTimeSeconds(date: Date, inTable = false): string {
  return withZone(date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }), date, inTable)
}

/** As `formatDateTime()`, without the date: "10:00:05 AM EDT". */
export function formatTime(date: Date, inTable = false): string {
  return withZone(date.toLocaleTimeString(undefined, { timeStyle: 'medium' }), date, inTable)
}

/** The label of times in the visitor's zone: "Time (EST)". Of several, as in a table column, with the zone at present. */
export function timeHeader(text: string, date?: Date): string {
  return `${text} (${zoneLabel(date)})`
}

/** The visitor's zone at an instant: "EST", "GMT+2". */
export function zoneLabel(date: Date = new Date()): string {
  const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts(date)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'local time'
}

/** The zone of a time below `timeHeader()`: " EDT", or empty where it is the zone of now. */
export function otherZone(date: Date): string {
  return date.getTimezoneOffset() === new Date().getTimezoneOffset() ? '' : ` ${zoneLabel(date)}`
}

function withZone(text: string, date: Date, inTable: boolean): string {
  return text + (inTable ? otherZone(date) : ` ${zoneLabel(date)}`)
}
