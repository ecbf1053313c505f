/** What share of the strongest colour a count gets, in percent. By square root, or the largest state would leave the others blank. */
export function heat(count: number, max: number): number {
  if (count === 0 || max === 0) return 0
  return Math.round(8 + 52 * Math.sqrt(count / max))
}

/** A count that fits a narrow cell: `1,234`, `12K`. */
export function shortCount(count: number): string {
  if (count < 10_000) return count.toLocaleString()
  return count.toLocaleString(undefined, { notation: 'compact', maximumFractionDigits: 0 })
}
