import type { SourceOptions } from '../../feeds/source-options.ts'
import type {
  ReviewPolicy,
  SourceFilter,
  SourceFormat,
  SourceMessage,
  SourceOrder,
} from '../../shared/source-vocabulary.ts'
import type { SourceFreshness, SourceHealth } from '../../slot/source-freshness.ts'
import type { AuditActor } from './audit.ts'
import type { SourceWatch } from './source-watch.ts'

/** A configured feed and the outcome of its syncs, without the connector's state. */
export interface SourceOverview {
  readonly id: number
  readonly slug: string
  /** The publisher's display name; absent if only the slug is shown. */
  readonly name?: string
  readonly format: SourceFormat
  readonly url: string
  readonly options: SourceOptions
  readonly strict: boolean
  /** The operator's interval; absent if the publisher's `max-age` or the service's default decides. */
  readonly everyMs?: number
  /** The operator's limit of slots; absent if the source has a share of the service's limit. */
  readonly slotsMax?: number
  readonly createdAtMs: number
  /** The earliest time of the next sync. */
  readonly nextSyncAtMs: number
  /** Consecutive failed syncs. */
  readonly failures: number
  readonly lastSync?: SyncOutcome
  /** Slots in the current snapshot, of any status. */
  readonly slotCount: number
  /** When the source was last read successfully. */
  readonly lastCheckedAtMs?: number
  /** The publisher's own timestamp of the snapshot. */
  readonly publishedAtMs?: number
  /** When the snapshot last changed. */
  readonly changedAtMs?: number
  /** The operator paused its syncs. */
  readonly paused: boolean
  readonly watch: SourceWatch
}

/** A source with its messages and its connector's state. */
export interface SourceState extends SourceOverview {
  /** The publisher's reports in the last good sync. */
  readonly messages: readonly SourceMessage[]
  /** Opaque to all but the connector; megabytes for a large feed. */
  readonly connectorState: unknown
}

/** A source and when its next sync is due. */
export interface DueSync {
  readonly slug: string
  readonly nextSyncAtMs: number
}

export interface DueSyncQuery {
  /** Sources whose last sync took longer than `SLOW_MS`, or the others. */
  readonly slow: boolean
  /** Slugs to leave out. */
  readonly except: readonly string[]
  readonly limit: number
}

/** A sync that takes longer than this is slow. */
export const SLOW_MS = 10_000

/** An entry of a source's sync history. */
export interface FinishedSync extends SyncOutcome {
  /** Slots of the source after the sync, of any status. */
  readonly slotCount: number
}

/** How many of a source's newest syncs are stored. */
export const SYNC_HISTORY_MAX = 300

/** One sync: `ok`, `partial` (some lines were rejected), `held` (for review), or `failed`. The last two changed nothing. */
export interface SyncOutcome {
  readonly outcome: 'ok' | 'partial' | 'held' | 'failed'
  readonly startedAtMs: number
  readonly durationMs: number
  /**
   * Lines of Slot files, parsed or known from the last sync. Without changes: `read`, `rejected` and `withheld` are those
   * of the snapshot.
   */
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly rejected: number
  readonly withheld: number
  /** How many of the withheld lines are test data; absent if none is. */
  readonly testSlots?: number
  /** Nothing was published since the last sync. */
  readonly unchanged: boolean
  /** The reason; present if and only if it failed. */
  readonly error?: string
}

/** A `Rejected` of a sync, as it is stored. */
export interface StoredRejection {
  readonly file: string
  readonly line: number
  readonly reason: string
  readonly sample: string
}

/** Which sources to list, in which order. */
export interface SourceListQuery {
  /** Text in the name, the slug or the URL, in any case. */
  readonly search?: string
  readonly filter?: SourceFilter
  /** Only these sources. */
  readonly slugs?: readonly string[]
  readonly order: SourceOrder
  readonly limit: number
  readonly offset: number
}

/** A page of sources, how many match, and the counts of all sources. By their health when it was last assessed. */
export interface ListedSources {
  readonly sources: readonly SourceOverview[]
  readonly total: number
  readonly slotCount: number
  readonly attention: number
  readonly byHealth: Readonly<Partial<Record<SourceHealth, number>>>
}

/** What the removal of some sources removes. */
export interface SourceTotals {
  readonly sources: number
  readonly slots: number
  /** Entries of the sync history. */
  readonly syncs: number
}

/** More than 1% of the lines were rejected. */
export function isRejecting({ read, rejected }: Pick<SyncOutcome, 'read' | 'rejected'>): boolean {
  return rejected > 0.01 * read
}

/** A source to add; the default format is `smart-links`. */
export type NewSource = Pick<SourceOverview, 'slug' | 'name' | 'url' | 'strict' | 'everyMs' | 'slotsMax'> &
  Partial<Pick<SourceOverview, 'format' | 'options'>>

/** The snapshot that an operator reviewed: `sinceMs` of the held snapshot, or undefined if none was held. */
export interface ReviewedSnapshot {
  readonly heldSinceMs: number | undefined
}

/** Changes to a source: absent fields stay, null removes an optional one. The slug, part of slot ids, and the format cannot change. */
export interface SourceEdit {
  readonly name?: string | null
  readonly url?: string
  /** Replaces all options. */
  readonly options?: SourceOptions
  readonly strict?: boolean
  readonly everyMs?: number | null
  readonly slotsMax?: number | null
}

/** The configured feeds. A change by a known actor is recorded in the `SourceLog`. */
export interface SourceStore {
  /** Throws `NameTaken` if the slug is in use. */
  add(source: NewSource, by?: AuditActor): Promise<SourceState>
  /**
   * Applies what `editOf` returns, inside the transaction: of two concurrent edits, the second sees the first. An error of `editOf`
   * is thrown and nothing changes. The snapshot stays. All changes but a new name make the source due now and end a running
   * sync at its next write; a change of how it is read drops the connector state too. Undefined if it does not exist.
   */
  edit(slug: string, editOf: (before: SourceOverview) => SourceEdit, by?: AuditActor): Promise<SourceState | undefined>
  list(): Promise<SourceState[]>
  /** All sources by slug; the cost does not depend on the size of their feeds. */
  overview(): Promise<SourceOverview[]>
  /** A page of the sources, and counts of all. The cost does not depend on the size of their feeds. */
  page(query: SourceListQuery): Promise<ListedSources>
  /** The slugs of the sources that match, in the same order: at most `limit`. */
  matching(query: Omit<SourceListQuery, 'offset'>): Promise<string[]>
  /** Counts of those of the sources that exist. */
  totals(slugs: readonly string[]): Promise<SourceTotals>
  /** Which of the slugs are in use. */
  existing(slugs: readonly string[]): Promise<string[]>
  /** The next syncs in order, due or not, of sources that are neither paused nor `files`. Cheap: may be called 20 times a second. */
  dueSyncs(query: DueSyncQuery): Promise<readonly DueSync[]>
  find(slug: string): Promise<SourceState | undefined>
  /** The public state of each source, by slug. Cheap: may be called every second. */
  freshness(): Promise<readonly SourceFreshness[]>
  /** Removes the source and, in the same commit, all of its slots. False if it does not exist. A running sync fails at its next write. */
  remove(slug: string, by?: AuditActor): Promise<boolean>
  /** A paused source keeps its slots and is not synced; pausing ends a running sync. Undefined if it does not exist. */
  setPaused(slug: string, paused: boolean, by?: AuditActor): Promise<SourceState | undefined>
  /** Makes it due now, or again at the end of a running sync; a paused source stays paused. Undefined if it does not exist. */
  syncSoon(slug: string): Promise<SourceState | undefined>
  /** Makes sources due whose next sync was planned by a clock that has been set back since. Returns their number. */
  resetFuturePlans(): Promise<number>
  /** Ends a running sync, which may have begun with the old policy. Undefined if it does not exist. */
  setReviewPolicy(slug: string, policy: ReviewPolicy, by?: AuditActor): Promise<SourceState | undefined>
  /**
   * Approves a held snapshot: the source is due now, and the next equivalent snapshot is published. Without a held snapshot,
   * approves the anomalies of the served one while they last. `false` withdraws an unused approval, and ends a
   * running sync, which may have begun with it. Undefined if the source does not exist. Throws `HeldSnapshotChanged`, and changes
   * nothing, unless the held snapshot is the `reviewed` one.
   */
  approve(
    slug: string,
    approved: boolean,
    reviewed?: ReviewedSnapshot,
    by?: AuditActor,
  ): Promise<SourceState | undefined>
  /** Newest first, at most `SYNC_HISTORY_MAX`. */
  syncHistory(sourceId: number): Promise<FinishedSync[]>
  /** The last good sync's stored rejections, ordered by file and line. */
  rejections(sourceId: number): Promise<StoredRejection[]>
}
