import type { StoredRejection } from '../../../../src/store/contracts/source-store.ts'

/** What a reason has in common with others: all before the value that came. */
export function kindOfReason(reason: string): string {
  const [before] = reason.split(/: got /)
  return (before ?? reason).trim()
}

/** The kinds of reasons, the most frequent first. */
export function reasonKinds(rejections: readonly StoredRejection[]): { kind: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { reason } of rejections) {
    const kind = kindOfReason(reason)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, count]) => ({ kind, count })).toSorted((a, b) => b.count - a.count)
}
