import type { PastSyncView } from '../../../../src/shared/contract/sources.ts'
import { formatCount, formatNumberOf } from '../../components/format.ts'

/** One sync as a point of the chart. */
export interface FreshnessPoint {
  readonly atMs: number
  /** Slots of the source after the sync. */
  readonly slots: number
  readonly added: number
  readonly changed: number
  /** Negative, because removals are drawn downward. */
  readonly removed: number
  readonly isFailed: boolean
  /** The first sync, which added all slots. It has no bar: beside it, no other would be visible. */
  readonly isFirst: boolean
}

/** The newest `count` syncs, oldest first. `history` is newest first. */
export function freshnessPoints(history: readonly PastSyncView[], count: number): FreshnessPoint[] {
  return history
    .slice(0, count)
    .toReversed()
    .map((sync) => {
      const { added, changed, removed } = changesOf(sync)
      const isFirst = added > 0 && added === sync.slotCount && changed === 0 && removed === 0
      return {
        atMs: sync.startedAtMs,
        slots: sync.slotCount,
        added: isFirst ? 0 : added,
        changed,
        removed: removed === 0 ? 0 : -removed,
        isFailed: sync.outcome === 'failed',
        isFirst,
      }
    })
}

/** A held sync counts changes that were not applied. */
function changesOf(sync: PastSyncView): Pick<PastSyncView, 'added' | 'changed' | 'removed'> {
  return sync.outcome === 'held' ? { added: 0, changed: 0, removed: 0 } : sync
}

/** The chart's text alternative. */
export function freshnessSummary(points: readonly FreshnessPoint[]): string {
  const counts = points.map(({ slots }) => slots)
  const changes = points.filter(
    ({ isFirst, added, changed, removed }) => isFirst || added + changed - removed > 0,
  ).length
  const failures = points.filter(({ isFailed }) => isFailed).length
  const between = `between ${formatCount(Math.min(...counts))} and ${formatCount(Math.max(...counts))} slots`
  return `${formatNumberOf(points.length, 'sync')}: ${between}, ${changes} with changes, ${failures} failed`
}
