import type { FinishedSync } from '../../../../src/store/contracts/source-store.ts'

/** One sync as the picture of freshness shows it. */
export interface FreshnessPoint {
  readonly atMs: number
  /** How many slots the source had after it. */
  readonly slots: number
  readonly added: number
  readonly changed: number
  /** Below zero, because what is removed is drawn downwards. */
  readonly removed: number
  readonly isFailed: boolean
}

/** The newest `count` syncs, oldest first. `history` is newest first. */
export function freshnessPoints(history: readonly FinishedSync[], count: number): FreshnessPoint[] {
  return history
    .slice(0, count)
    .toReversed()
    .map((sync) => {
      const { added, changed, removed } = changesOf(sync)
      return {
        atMs: sync.startedAtMs,
        slots: sync.slotCount,
        added,
        changed,
        removed: removed === 0 ? 0 : -removed,
        isFailed: sync.outcome === 'failed',
      }
    })
}

/** What is held has counts of what it would have changed. */
function changesOf(sync: FinishedSync): Pick<FinishedSync, 'added' | 'changed' | 'removed'> {
  return sync.outcome === 'held' ? { added: 0, changed: 0, removed: 0 } : sync
}

/** What the picture shows, in a sentence for those who do not see it. */
export function freshnessSummary(points: readonly FreshnessPoint[]): string {
  const counts = points.map(({ slots }) => slots)
  const changes = points.filter(({ added, changed, removed }) => added + changed - removed > 0).length
  const failures = points.filter(({ isFailed }) => isFailed).length
  const between = `between ${Math.min(...counts).toLocaleString()} and ${Math.max(...counts).toLocaleString()} slots`
  return `${points.length} syncs: ${between}, ${changes} with changes, ${failures} failed`
}
