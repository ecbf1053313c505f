/** What somebody probably meant: the candidate that is fewest changes away, if that is at most a third of its length. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, changes: distance(text, candidate) }))
    .filter(({ candidate, changes }) => changes <= Math.max(1, candidate.length / 3))
    .sort((one, other) => one.changes - other.changes)
  return best?.candidate
}

/** Levenshtein's: insertions, deletions and replacements. Only the last row of the table is kept. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let line = 1; line <= one.length; line++) {
    const next = [line]
    for (let column = 1; column <= other.length; column++) {
      const replaced = row[column - 1] + (one[line - 1] === other[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[column] + 1, next[column - 1] + 1))
    }
    row = next
  }
  return row[other.length]
}
