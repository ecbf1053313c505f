const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[^Z+-]*(Z|[+-]\d\d:\d\d)$/

/** `Mon 2026-06-01 09:00-09:15 (UTC-04:00)`, of two RFC 3339 instants, in the offset of the first. As they are if they are none. */
export function formatWhen(start: string, end: string): string {
  const [, date, time, offset] = INSTANT.exec(start) ?? []
  if (date === undefined) return `${start} to ${end}`
  const [, endDate, endTime, endOffset] = INSTANT.exec(end) ?? []
  const day = DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]
  const till = endDate === date && endOffset === offset ? `-${endTime}` : ` to ${end}`
  return `${day} ${date} ${time}${till} (${offset === 'Z' ? 'UTC' : `UTC${offset}`})`
}
