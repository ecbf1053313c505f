import { formatCount } from './format.ts'
import { LOCALE } from './locale.ts'
/** A count for a narrow tile, at most four characters: `999`, `1.2K`, `12K`. */
export function shortCount(count: number): string {
  if (count < 1000) return formatCount(count)
  return count.toLocaleString(LOCALE, { notation: 'compact', maximumFractionDigits: count < 9950 ? 1 : 0 })
}

/** Color intensity of a count, in percent. Square root, so that the largest state does not make all others look empty. */
export function heatOf(count: number, max: number): number {
  if (count === 0 || max === 0) return 0
  return Math.round(8 + 52 * Math.sqrt(count / max))
}
