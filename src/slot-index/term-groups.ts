// Hot path

/** Some slots that have a value, and how they write it. */
export interface Term {
  readonly key: string
  /** Absent if they only say the key. */
  readonly text?: string | undefined
  readonly count: number
}

/** The counts of terms of one key together, written as most of them write it: of two equally frequent texts, as the first. */
export function groupTerms(terms: Iterable<Term>): Term[] {
  const groups = new Map<string, { key: string; text: string | undefined; texts: number; count: number }>()
  for (const { key, text, count } of terms) {
    const group = groups.get(key) ?? { key, text: undefined, texts: 0, count: 0 }
    groups.set(key, group)
    group.count += count
    if (text === undefined || count < group.texts) continue
    if (count === group.texts && group.text !== undefined && group.text < text) continue
    group.text = text
    group.texts = count
  }
  return [...groups.values()].map(({ key, text, count }) => ({ key, text, count }))
}

/** Those with the most, by descending count, then by key; and the sum of the counts of all others. */
export function mostOf(terms: readonly Term[], max: number): { most: Term[]; others: number } {
  const sorted = terms.toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
  const others = sorted.slice(max).reduce((sum, { count }) => sum + count, 0)
  return { most: sorted.slice(0, max), others }
}
