import { MINUTE_MS } from '../../../src/lib/time.ts'
import { now } from '../api/now.ts'
import { LOCALE } from './locale.ts'

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
const words = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })

/** "3 minutes ago", "in 2 days"; "just now" within 45 seconds. */
export function formatAgo(date: Date, nowMs: number = now()): string {
  const seconds = (date.getTime() - nowMs) / 1000
  if (Math.abs(seconds) < 45) return 'just now'
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', 60]
  return words.format(Math.round(seconds / size) || Math.sign(seconds), unit)
}

/** "284 MB", in powers of ten. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1000 ** power
  return value.toLocaleString(LOCALE, {
    style: 'unit',
    unit: units[power],
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  })
}

/** "3 d 4 h", "12 min", "8 s": the two largest units. */
export function formatSpan(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

/** "812 ms", "4.2 s", "1 min 12 s". */
export function formatElapsed(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < MINUTE_MS ? `${(ms / 1000).toFixed(1)} s` : formatSpan(ms)
}

const whole = new Intl.NumberFormat(LOCALE)
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 2 })

/** "12,480". */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** "1 slot", "12,480 slots". */
export function formatNumberOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`
}

/** "12.5K", for the axis of a chart. */
export function formatCompact(count: number): string {
  return compact.format(count)
}

/** "0.4%"; a share too small to show is "< 0.1%", never "0%". */
export function formatShare(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0%'
  const percent = (part / whole) * 100
  if (percent < 0.1) return '< 0.1%'
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`
}

/** "0.21 ms", "4.3 ms", "120 ms", "1.2 s": two significant digits. */
export function formatLatency(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  if (ms >= 10) return `${Math.round(ms)} ms`
  return `${ms.toFixed(ms < 1 ? 2 : 1)} ms`
}
