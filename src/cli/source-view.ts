import type { SourceOverview, SyncOutcome } from '../store/source-store.ts'
import { formatInstant } from './table.ts'

/** A source as commands show it. */
export interface SourceView {
  readonly slug: string
  /** What people call the publisher. */
  readonly name?: string
  readonly format: SourceOverview['format']
  readonly url: string
  /** How its publisher wants to be asked; absent if in no way of its own. Secrets are references in it. */
  readonly options?: SourceOverview['options']
  readonly strict: boolean
  readonly everyMinutes?: number
  readonly createdAt: string
  /** How many slots its snapshot holds, of any status. */
  readonly slots: number
  readonly changedAt?: string
  /** Failed syncs in a row. */
  readonly failures: number
  readonly nextSyncAt?: string
  readonly lastSync?: SyncView
}

/** A sync as commands show it. */
export interface SyncView extends Omit<SyncOutcome, 'startedAtMs'> {
  readonly startedAt: string
}

/** Shows a source without what only its connector understands. */
export function viewSource(source: SourceOverview): SourceView {
  return {
    slug: source.slug,
    ...(source.name !== undefined && { name: source.name }),
    format: source.format,
    url: source.url,
    ...(Object.keys(source.options).length > 0 && { options: source.options }),
    strict: source.strict,
    ...(source.everyMs !== undefined && { everyMinutes: source.everyMs / 60_000 }),
    createdAt: formatInstant(source.createdAtMs),
    slots: source.slotCount,
    ...(source.changedAtMs !== undefined && { changedAt: formatInstant(source.changedAtMs) }),
    failures: source.failures,
    // Before the first sync it is due at once, whatever the clock says.
    ...(source.lastSync !== undefined && { nextSyncAt: formatInstant(source.nextSyncAtMs) }),
    ...(source.lastSync !== undefined && { lastSync: viewSync(source.lastSync) }),
  }
}

/** Shows how a sync went. */
export function viewSync({ startedAtMs, ...outcome }: SyncOutcome): SyncView {
  return { startedAt: formatInstant(startedAtMs), ...outcome }
}
