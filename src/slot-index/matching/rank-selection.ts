// Hot path
import type { MatchSequence } from './match-sequence.ts'

/** What is read of a sequence. */
type Ranked = Pick<MatchSequence, 'count' | 'keyOf' | 'rankOf'>

/** Matches that are skipped one by one rather than by a search. */
export const SKIP_MAX = 16

/**
 * The ranks of one key in all sequences. `from` matches come before it, or up to `SKIP_MAX` fewer; or up to one fewer per sequence.
 *
 * Multisequence selection (Varman et al., 1991) with interpolated pivots: most filters have similar shares of each run's rows, so three
 * or four pivots are enough. Every other pivot halves the widest sequence if the one before did not.
 */
export function ranksNear(sequences: readonly Ranked[], from: number): number[] {
  let low: number[] = sequences.map(() => 0)
  let high = sequences.map(({ count }) => count)
  let below = 0
  let above = high.reduce((sum, count) => sum + count, 0)
  for (let isGuess = true; from - below > SKIP_MAX; ) {
    const widest = widestOf(low, high)
    const width = high[widest] - low[widest]
    if (width < 2) break
    const guess = Math.floor((width * (from - below - SKIP_MAX / 2)) / (above - below))
    const pivot = low[widest] + Math.max(1, Math.min(width - 1, isGuess ? guess : width >>> 1))
    const key = sequences[widest].keyOf(pivot)
    const ranks = sequences.map((each, n) => (n === widest ? pivot : each.rankOf(key)))
    const before = ranks.reduce((sum, rank) => sum + rank, 0)
    if (before <= from) {
      low = ranks
      below = before
    } else {
      high = ranks
      above = before
    }
    isGuess = high[widest] - low[widest] <= width >>> 1
  }
  return low
}

function widestOf(low: readonly number[], high: readonly number[]): number {
  let widest = 0
  for (let n = 1; n < low.length; n++) if (high[n] - low[n] > high[widest] - low[widest]) widest = n
  return widest
}
