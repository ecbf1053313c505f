import { maskedOptions } from '../feeds/edit-options.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { SourceOverview, SyncOutcome } from '../store/contracts/source-store.ts'
import { formatInstant, formatSeconds } from './table.ts'

/** A source as commands show it. */
export interface SourceView {
  readonly slug: string
  /** What people call the publisher. */
  readonly name?: string
  readonly format: SourceOverview['format']
  readonly url: string
  /** How its publisher wants to be asked, as `maskedOptions` shows it: names and references. Absent if in no way of its own. */
  readonly options?: SourceOverview['options']
  readonly strict: boolean
  readonly everyMinutes?: number
  readonly createdAt: string
  /** How many slots its snapshot holds, of any status. */
  readonly slots: number
  readonly changedAt?: string
  /** Failed syncs in a row. */
  readonly failures: number
  /** Absent where it was never read, and where it is brought. */
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
    ...(Object.keys(source.options).length > 0 && { options: maskedOptions(source.options) }),
    strict: source.strict,
    ...(source.everyMs !== undefined && { everyMinutes: source.everyMs / MINUTE_MS }),
    createdAt: formatInstant(source.createdAtMs),
    slots: source.slotCount,
    ...(source.changedAtMs !== undefined && { changedAt: formatInstant(source.changedAtMs) }),
    failures: source.failures,
    // Before the first sync it is due at once, whatever the clock says; a file is never due.
    ...(source.lastSync !== undefined &&
      source.format !== 'files' && { nextSyncAt: formatInstant(source.nextSyncAtMs) }),
    ...(source.lastSync !== undefined && { lastSync: viewSync(source.lastSync) }),
  }
}

/** When a source is read next, for people. */
export function nextSyncOf({ format, nextSyncAt }: SourceView): string {
  if (format === 'files') return 'when brought'
  return nextSyncAt === undefined ? 'now' : formatSeconds(Date.parse(nextSyncAt))
}

/** Shows how a sync went. */
export function viewSync({ startedAtMs, ...outcome }: SyncOutcome): SyncView {
  return { startedAt: formatInstant(startedAtMs), ...outcome }
}
