import type { SourceFormat } from '../../feeds/connector.ts'
import type { SourceOptions } from '../../feeds/source-options.ts'
import type { SourceFreshness } from '../../slot/source-freshness.ts'
import type { AuditActor } from './account-store.ts'
import type { ReviewPolicy, SourceWatch } from './source-watch.ts'

/** One configured feed, and the outcome of its syncs: without what only its connector understands. */
export interface SourceOverview {
  readonly id: number
  readonly slug: string
  /** What people call the publisher; without one they read the slug. */
  readonly name?: string
  readonly format: SourceFormat
  readonly url: string
  readonly options: SourceOptions
  readonly strict: boolean
  /** The operator's interval; without it the publisher's `max-age`, or the service's default, decides. */
  readonly everyMs?: number
  readonly createdAtMs: number
  /** Not to be asked before this time. */
  readonly nextSyncAtMs: number
  /** Failed syncs in a row. */
  readonly failures: number
  readonly lastSync?: SyncOutcome
  /** How many slots the current snapshot holds, of any status. */
  readonly slotCount: number
  /** When we last looked, and could read it. */
  readonly lastCheckedAtMs?: number
  /** When the publisher says that what we hold is from. */
  readonly publishedAtMs?: number
  /** When the snapshot last changed. */
  readonly changedAtMs?: number
  /** The operator wants it not to be synced for now. */
  readonly paused: boolean
  readonly watch: SourceWatch
}

/** The same with what its connector wants back. */
export interface SourceState extends SourceOverview {
  /** Opaque to all but the connector; megabytes of a large feed. */
  readonly connectorState: unknown
}

/** A source that waits for its turn, and since when or until when. */
export interface DueSync {
  readonly slug: string
  readonly nextSyncAtMs: number
}

/** Which turns are asked for. */
export interface DueSyncQuery {
  /** Sources whose last sync took longer than `SLOW_MS`, or the others. */
  readonly slow: boolean
  /** Slugs to leave out. */
  readonly except: readonly string[]
  readonly limit: number
}

/** A sync that takes longer than this is a slow one. */
export const SLOW_MS = 10_000

/** A sync that is over, as the history of a source keeps it. */
export interface FinishedSync extends SyncOutcome {
  /** How many slots the source had after it, of any status. */
  readonly slotCount: number
}

/** How many of a source's newest syncs are kept. */
export const SYNC_HISTORY_MAX = 300

/** One run: `ok`, `partial` (some lines were rejected), `held` (suspicious, and not taken in), or `failed`. The last two changed nothing. */
export interface SyncOutcome {
  readonly outcome: 'ok' | 'partial' | 'held' | 'failed'
  readonly startedAtMs: number
  readonly durationMs: number
  /** Lines of Slot files that were read or known. */
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly rejected: number
  readonly withheld: number
  /** Nothing was published since the last time. */
  readonly unchanged: boolean
  /** Why it failed; present if and only if it did. */
  readonly error?: string
}

/** A `Rejected` of a sync, as it is kept. */
export interface StoredRejection {
  readonly file: string
  readonly line: number
  readonly reason: string
  readonly sample: string
}

/** A source as it is added; without a format it is `smart-links`. */
export interface NewSource {
  readonly slug: string
  readonly name?: string
  readonly format?: SourceFormat
  readonly url: string
  readonly options?: SourceOptions
  readonly strict: boolean
  readonly everyMs?: number
}

/** What was held when somebody looked: the `sinceMs` of it, or nothing. */
export interface ReviewedSnapshot {
  readonly heldSinceMs: number | undefined
}

/**
 * What a source is to be from now on: only what is named changes, and null ends what need not be. Neither its slug can change, on
 * which the ids of its slots hang, nor its format.
 */
export interface SourceEdit {
  readonly name?: string | null
  readonly url?: string
  /** All of them. */
  readonly options?: SourceOptions
  readonly strict?: boolean
  readonly everyMs?: number | null
}

/** The configured feeds. What changes something for an operator is told by the `SourceLog`, if it is said by whom and it changes anything. */
export interface SourceStore {
  /** Throws `NameTaken` if the slug is in use. */
  add(source: NewSource, by?: AuditActor): Promise<SourceState>
  /**
   * Changes a source by what `editOf` makes of it, inside the transaction: of two edits at once, the later one sees the earlier. What
   * `editOf` throws is thrown, and nothing changed. The snapshot stays; all but a new name has the source read at once, without
   * what its connector remembered where it is to be read otherwise, and ends a running sync at its next write. Undefined if there is none.
   */
  edit(
    slug: string,
    editOf: (before: SourceOverview) => SourceEdit,
    by?: AuditActor,
  ): Promise<SourceState | undefined>
  list(): Promise<SourceState[]>
  /** All of them by slug, at a cost that does not depend on their feeds. */
  overview(): Promise<SourceOverview[]>
  /** The turns that come first, due or not, of sources that are neither paused nor `files`. Cheap enough to be asked twenty times a second. */
  dueSyncs(which: DueSyncQuery): Promise<DueSync[]>
  find(slug: string): Promise<SourceState | undefined>
  /** What callers may know of each, by slug: cheap enough to be asked every second, however much the connectors remember. */
  freshness(): Promise<SourceFreshness[]>
  /** Removes the source and, in the same commit, all its slots. False if there is none. Waits for no sync: a running one fails at its next write. */
  remove(slug: string, by?: AuditActor): Promise<boolean>
  /** A paused source keeps its slots and is not synced. Undefined if there is none. */
  setPaused(slug: string, paused: boolean, by?: AuditActor): Promise<SourceState | undefined>
  /** Makes it due now; one that is paused stays so. Undefined if there is none. */
  syncSoon(slug: string): Promise<SourceState | undefined>
  /** Which of its suspicious snapshots are held from now on. Undefined if there is none. */
  setReviewPolicy(slug: string, hold: ReviewPolicy, by?: AuditActor): Promise<SourceState | undefined>
  /**
   * The operator's yes: where a snapshot is held, the next one is taken in, and due now; what is suspicious of the one that is
   * served is so no more, until it has been right in between. `false` takes back a yes that was not used yet. Undefined if there is none.
   *
   * `seen`: what whoever says yes has looked at; if something else is held by now, throws `HeldIsAnother` and changes nothing.
   */
  approve(
    slug: string,
    yes: boolean,
    seen?: ReviewedSnapshot,
    by?: AuditActor,
  ): Promise<SourceState | undefined>
  /** Newest first, at most `SYNC_HISTORY_MAX`. */
  syncHistory(sourceId: number): Promise<FinishedSync[]>
  /** The last sync's rejections, in order of file and line: at most the number that a sync keeps. */
  rejections(sourceId: number): Promise<StoredRejection[]>
}
