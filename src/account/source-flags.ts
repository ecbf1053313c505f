import type { PastSync, SourceState, SyncOutcome } from '../store/source-store.ts'
import type { SourceView } from './shapes.ts'

type Flag = SourceView['flags'][number]

/**
 * What stands out about a source, gravest first. `history` is newest first.
 *
 * - `never-synced`: no sync is over yet.
 * - `failing`: the last sync failed.
 * - `empty`: it had slots and has none.
 * - `stale`: it has not changed for three times as long as it usually takes, and for an hour at least. What is usual is the
 *   median time between the changes that the history knows; with fewer than three of them, eight hours, so that a
 *   day without a change stands out. A paused source is not stale: it was told to be.
 * - `rejecting`: more than 1 % of the lines were rejected when it was last read.
 */
export function sourceFlags(source: SourceState, history: readonly PastSync[], nowMs: number): Flag[] {
  const { lastSync } = source
  if (lastSync === undefined) return ['never-synced']
  const flags: Flag[] = []
  if (lastSync.outcome === 'failed') flags.push('failing')
  if (source.slotCount === 0 && source.changedAtMs !== undefined) flags.push('empty')
  if (isStale(source, history, nowMs)) flags.push('stale')
  if (isRejecting([lastSync, ...history])) flags.push('rejecting')
  return flags
}

const STALE_AFTER_MS_MIN = 3_600_000

/** For a source whose changes are too few to tell. */
const USUAL_MS = 8 * 3_600_000

const REJECTED_SHARE_MAX = 0.01

function isStale({ paused, changedAtMs }: SourceState, history: readonly PastSync[], nowMs: number): boolean {
  if (paused || changedAtMs === undefined) return false
  return nowMs - changedAtMs > Math.max(STALE_AFTER_MS_MIN, 3 * usualMs(history))
}

function usualMs(history: readonly PastSync[]): number {
  const changes = history.filter(isChange).map(({ startedAtMs, durationMs }) => startedAtMs + durationMs)
  if (changes.length < 3) return USUAL_MS
  const intervals = changes.slice(1).map((earlier, at) => changes[at] - earlier)
  return intervals.toSorted((a, b) => a - b)[Math.floor(intervals.length / 2)]
}

function isChange({ outcome, added, changed, removed }: SyncOutcome): boolean {
  return outcome !== 'failed' && added + changed + removed > 0
}

/** A sync that found nothing new read nothing either: what was rejected before it still is. */
function isRejecting(syncs: readonly SyncOutcome[]): boolean {
  const last = syncs.find(({ outcome, unchanged }) => outcome !== 'failed' && !unchanged)
  return last !== undefined && last.rejected > REJECTED_SHARE_MAX * last.read
}
