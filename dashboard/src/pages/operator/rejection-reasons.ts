import type { RejectionView } from '../../../../src/shared/contract/sources.ts'

/** The reason without the offending value. */
export function kindOfReason(reason: string): string {
  const [before] = reason.split(/: got /)
  return (before ?? reason).trim()
}

/** Groups of reasons, the most frequent first. */
export function reasonKinds(rejections: readonly RejectionView[]): { kind: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { reason } of rejections) {
    const kind = kindOfReason(reason)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, count]) => ({ kind, count })).toSorted((a, b) => b.count - a.count)
}
