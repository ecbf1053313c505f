import type { PastSync, SourceState } from '../store/source-store.ts'
import type { SourceView } from './shapes.ts'
import { sourceFlags } from './source-flags.ts'

/** A source as the operator sees it: without what only its connector understands. `history` is newest first. */
export function viewSource(source: SourceState, history: readonly PastSync[], nowMs: number): SourceView {
  const { slug, url, strict, paused, createdAtMs, nextSyncAtMs, failures, slotCount } = source
  return {
    slug,
    url,
    strict,
    ...(source.everyMs !== undefined && { everyMinutes: source.everyMs / 60_000 }),
    paused,
    createdAtMs,
    nextSyncAtMs,
    failures,
    slotCount,
    ...(source.changedAtMs !== undefined && { changedAtMs: source.changedAtMs }),
    ...(source.lastSync !== undefined && { lastSync: source.lastSync }),
    flags: sourceFlags(source, history, nowMs),
  }
}
