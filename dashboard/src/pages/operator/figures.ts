import { MINUTE_MS } from '../../../../src/lib/time.ts'

/** "284 MB", in powers of ten. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1000 ** power
  return value.toLocaleString(undefined, {
    style: 'unit',
    unit: units[power],
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  })
}

/** "3 d 4 h", "12 min", "8 s": the two largest units that count. */
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

/** How long something took: "812 ms", "4.2 s", "1 min 12 s". */
export function formatTook(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < MINUTE_MS ? `${(ms / 1000).toFixed(1)} s` : formatSpan(ms)
}
