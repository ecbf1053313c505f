import type { SourceFreshness } from '../slot/source-freshness.ts'
import type { SourceFormat, SourceOptions } from '../sources/connector.ts'

/** One configured feed, and the outcome of its syncs. */
export interface SourceState {
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
  /** Opaque to all but the connector. */
  readonly memory: unknown
  /** Not to be asked before this time. */
  readonly nextSyncAtMs: number
  /** Failed syncs in a row. */
  readonly failures: number
  readonly lastSync?: SyncOutcome
  /** How many slots the current snapshot holds, of any status. */
  readonly slotCount: number
  /** When we last looked, and could read it. */
  readonly lookedAtMs?: number
  /** When the publisher says that what we hold is from. */
  readonly publishedAtMs?: number
  /** When the snapshot last changed. */
  readonly changedAtMs?: number
  /** The operator wants it not to be synced for now. */
  readonly paused: boolean
}

/** A sync that is over, as the history of a source keeps it. */
export interface PastSync extends SyncOutcome {
  /** How many slots the source had after it, of any status. */
  readonly slotCount: number
}

/** How many of a source's newest syncs are kept. */
export const HISTORY_MAX = 300

/** One run: `ok`, `partial` (some lines were rejected), or `failed` (nothing changed). */
export interface SyncOutcome {
  readonly outcome: 'ok' | 'partial' | 'failed'
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

/** The configured feeds. */
export interface SourceStore {
  /** Throws `NameTaken` if the slug is in use. */
  add(source: NewSource): Promise<SourceState>
  list(): Promise<SourceState[]>
  find(slug: string): Promise<SourceState | undefined>
  /** What callers may know of each, by slug: cheap enough to be asked every second, however much the connectors remember. */
  freshness(): Promise<SourceFreshness[]>
  /** Removes the source and, in the same commit, all its slots. False if there is none. Waits for no sync: a running one fails at its next write. */
  remove(slug: string): Promise<boolean>
  /** A paused source keeps its slots and is not synced. Undefined if there is none. */
  setPaused(slug: string, paused: boolean): Promise<SourceState | undefined>
  /** Makes it due now; one that is paused stays so. Undefined if there is none. */
  syncSoon(slug: string): Promise<SourceState | undefined>
  /** Newest first, at most `HISTORY_MAX`. */
  history(sourceId: number): Promise<PastSync[]>
  /** The last sync's rejections, in order of file and line: at most the number that a sync keeps. */
  rejections(sourceId: number): Promise<StoredRejection[]>
}
