import type { PublishedHorizons } from '../../slot/planning-horizon.ts'
import type { SlotStatus } from '../../slot/slot.ts'

/** Counters that only grow, each moved by the transaction that changes something. */
export interface Revisions {
  /** The store epoch: revisions of different epochs cannot be compared. */
  readonly epoch: number
  readonly slots: number
  readonly keys: number
  /** 0: there has never been one. */
  readonly subscriptions: number
}

/** The changes that a node's follow thread tails to keep its memory equal to the store. */
export interface RevisionFeed {
  /** Cheap: may be called five times a second. */
  revisions(): Promise<Revisions>
  /**
   * Resolves after `ms`, when aborted, or with PostgreSQL when something is committed (LISTEN/NOTIFY). With SQLite it goes on for up to
   * `unchangedMs` while nothing has been committed since `revisions()` was read.
   */
  wait(ms: number, signal: AbortSignal, unchangedMs?: number): Promise<void>
  /**
   * All changes committed after a revision, from one MVCC snapshot. Without a revision, and for one beyond retention, all
   * visible slots: `whole` is then true. Close it: it keeps a read transaction open.
   */
  open(since: number | undefined): Promise<RevisionDelta>
  /**
   * Deletes row versions that were deleted more than `retentionMs` ago, unused offerings and abandoned syncs, in short
   * transactions. If deleted versions outnumber both visible ones and `deletedMin`, the oldest go early, but none deleted in the
   * last 30 seconds. Returns the number of rows.
   */
  purge(retentionMs: number, nowMs: number, deletedMin?: number): Promise<number>
}

/** The difference between two revisions. Apply the deletions before the insertions. */
export interface RevisionDelta {
  /** True: `inserted` yields all visible slots, and earlier state must be dropped. */
  readonly whole: boolean
  readonly revision: number
  /** When `revision` was committed, in milliseconds since 1970; not before an earlier revision, unless a clock was wrong by an hour. 0 before the first. */
  readonly committedAtMs: number
  /** Identifies the store and its epoch among all others; revisions of different stores cannot be compared. */
  readonly store: number
  /** As in `Revisions`. Discard the delta if it differs from the epoch of `since`. */
  readonly epoch: number
  /** The revision at which offerings without slots were last deleted; 0 if that is long ago. */
  readonly lastDrop: number
  /** Exclusive upper bound of the keys of slots. */
  readonly keysEnd: number
  /** Unordered, in batches of at most 4,000. */
  inserted(): AsyncIterable<readonly InsertedSlot[]>
  /** As `inserted()`, those of a whole delta with these keys. Without ids, which take a quarter of the time and are in the JSON. */
  insertedIn(keys: KeyRange): AsyncIterable<readonly UnnamedSlot[]>
  /** Slots that were visible at `since` and are gone or changed; changed ones are in `inserted` as well. */
  deleted(): AsyncIterable<readonly DeletedSlot[]>
  /** The JSON of `Offering` by id. */
  offerings(ids: readonly number[]): Promise<{ id: number; json: string }[]>
  /** The planning horizons that are new; empty ones of publishers that have none any more. */
  horizons(): Promise<PublishedHorizons[]>
  close(): Promise<void>
}

/** Keys of slots, which are dense, from `from` to before `to`. */
export interface KeyRange {
  readonly from: number
  readonly to: number
}

/** A deleted slot, with its sort key. */
export interface DeletedSlot {
  readonly id: string
  readonly startMs: number
}

/** A slot as stored. */
export interface InsertedSlot extends UnnamedSlot {
  readonly id: string
}

/** A slot as stored, without its id. */
export interface UnnamedSlot {
  readonly offeringId: number
  readonly status: SlotStatus
  readonly startMs: number
  readonly endMs: number
  /** The slot's own fields, as JSON without the closing brace: see `encodeSlot()`. */
  readonly json: string
}
