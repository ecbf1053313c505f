/** In the visitor's language and zone: "May 3, 2026". */
export function formatDate(date: Date): string {
  return date.toLocaleDateString(undefined, { dateStyle: 'medium' })
}

/** In the visitor's language and zone: "May 3, 2026, 10:00 AM". */
export function formatDateTime(date: Date): string {
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** In the visitor's language and zone, to the second: "10:00:05 AM". */
export function formatTime(date: Date): string {
  return date.toLocaleTimeString(undefined, { timeStyle: 'medium' })
}

/** "2026-05-03 14:00:00 UTC". */
export function formatUtc(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** "3 minutes ago", "in 2 days"; "just now" within 45 seconds. */
export function formatAgo(date: Date, nowMs: number = Date.now()): string {
  const seconds = (date.getTime() - nowMs) / 1000
  if (Math.abs(seconds) < 45) return 'just now'
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', 60]
  return words.format(Math.round(seconds / size) || Math.sign(seconds), unit)
}
