/** Edits of a typo. */
const EDITS_MAX = 2

/** Longer words are not compared: a comparison costs their product. */
const LENGTH_MAX = 60

/**
 * The word that is probably meant: at most two edits away, and one for each three characters. Undefined if there is none. Ignores
 * case; the first of equally close words.
 */
export function closestWord(written: string, words: readonly string[]): string | undefined {
  const word = written.trim().toLowerCase()
  if (word.length > LENGTH_MAX) return undefined
  const most = Math.min(EDITS_MAX, Math.floor(word.length / 3))
  const near = words
    .filter((other) => Math.abs(other.length - word.length) <= most)
    .map((other) => ({ other, edits: editDistance(word, other.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
  return near.sort((a, b) => a.edits - b.edits)[0]?.other
}

/** Insertions, deletions, substitutions and swaps of neighbors (optimal string alignment). */
export function editDistance(from: string, to: string): number {
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      let edits = Math.min(above[column] + 1, current[column - 1] + 1, above[column - 1] + (isSame ? 0 : 1))
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
        edits = Math.min(edits, before[column - 2] + 1)
      current.push(edits)
    }
    before = above
    above = current
  }
  return above[to.length]
}
