const whole = new Intl.NumberFormat()
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 2 })

/** "12,480". */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** "12.5K", for the axis of a chart. */
export function formatCompact(count: number): string {
  return compact.format(count)
}

/** "1,204 requests". */
export function formatRequests(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'request' : 'requests'}`
}

/** "0.4 %"; a share too small to be written is "< 0.1 %", never "0 %". */
export function formatShare(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0 %'
  const percent = (part / whole) * 100
  if (percent < 0.1) return '< 0.1 %'
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`
}

/** "0.21 ms", "4.3 ms", "120 ms", "1.2 s": two digits that mean something. */
export function formatLatency(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  if (ms >= 10) return `${Math.round(ms)} ms`
  return `${ms.toFixed(ms < 1 ? 2 : 1)} ms`
}
