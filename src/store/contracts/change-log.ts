import type { ScheduleHorizons } from '../../slot/planning-horizon.ts'
import type { CommitPosition, Revision } from '../../slot/revision.ts'
import type { InsertedSlot } from './revision-feed.ts'

/**
 * All changes, commit by commit, for callers that mirror the slots and may be offline in between.
 *
 * `RevisionFeed` returns the difference between two revisions at once; this log is read page by page from any position, and
 * nothing is kept open between two pages. The cost is that of the rows read, however large the commits are.
 */
export interface ChangeLog {
  /**
   * The log as of now, or as of a revision: then later commits do not show, so the rows are the same whenever they are read. Close the
   * reader: it keeps a read transaction open.
   */
  open(asOf?: number): Promise<ChangeLogReader>
}

/** The log in one MVCC snapshot. */
export interface ChangeLogReader {
  /** Identifies the store and its epoch: as in `RevisionDelta`. */
  readonly store: number
  /** The last revision; at most that of `asOf`. */
  readonly newest: number
  /** When `newest` was committed: as in `RevisionDelta`. */
  readonly committedAtMs: number
  /** The first revision to continue from: deleted versions up to it may be purged. */
  readonly oldest: number
  /**
   * The next rows after a position, which must be of this store and between `oldest` and `newest`, in commit order. At most
   * `rowsMax`; fewer or none does not mean the end. A mirror that applies all rows in order has the visible slots.
   */
  read(after: Revision, rowsMax: number): Promise<ChangeLogPage>
  /** Slots by the keys of their versions, deleted or not; those that are purged are absent. Rows before `oldest` may be. */
  versions(keys: readonly number[]): Promise<Map<number, InsertedSlot>>
  /** The commits after a revision, up to another, in order. */
  commits(between: { readonly after: number; readonly until: number }): Promise<LoggedCommit[]>
  /** The last revision committed at a time or before; at least `oldest`. */
  revisionAt(atMs: number): Promise<number>
  /** The JSON of `Offering` by id, also of those that were deleted after `newest`. */
  offerings(ids: readonly number[]): Promise<{ id: number; json: string }[]>
  /** The planning horizons of a publisher's Schedules as of `newest`. */
  horizons(publisher: string): Promise<ScheduleHorizons>
  /** Which planning horizons changed after a revision, up to another. */
  horizonChanges(between: { readonly after: number; readonly until: number }): Promise<HorizonChange[]>
  /** The number of `droppedOfferings()`. */
  droppedCount(between: { readonly after: number; readonly until: number }): Promise<number>
  /** The offerings that were deleted after a revision, up to another, because no slot referred to them. */
  droppedOfferings(between: { readonly after: number; readonly until: number }): Promise<DroppedOfferings[]>
  /** The offerings of a source as of `newest`, with ids below a bound, in batches. */
  offeringsOf(source: OfferingRange): AsyncIterable<{ id: number; json: string }[]>
  /** The ids of the offerings that slots of a source refer to as of `newest`, in batches, with repetitions. Reads all its slots. */
  usedOfferings(sourceId: number): AsyncIterable<number[]>
  close(): Promise<void>
}

/** A commit, and the snapshots of its source before it. */
export interface LoggedCommit {
  readonly revision: number
  readonly sourceId: number
  readonly committedAtMs: number
  /** Slots of the snapshot before; absent if the source had none. */
  readonly slotsBefore?: number
  /** Slots of the last snapshot that had any, if the one before is empty; 0 if none had. */
  readonly slotsOnce?: number
}

/** A change of planning horizons, and the offerings that there were. */
export interface HorizonChange extends OfferingRange {
  readonly publisher: string
  /** Ids of the Schedules. */
  readonly schedules: ReadonlySet<string>
}

/** Deleted offerings, and the offerings that there were. */
export interface DroppedOfferings extends OfferingRange {
  /** The JSON of each. */
  readonly offerings: readonly string[]
  /** Sources that had the slug of a removed source when its offerings were deleted. */
  readonly successorIds: readonly number[]
}

/** The offerings of a source up to a time. */
interface OfferingRange {
  readonly sourceId: number
  /** Exclusive upper bound of the ids of the offerings. */
  readonly offeringsEnd: number
}

/** A page of the log. */
export interface ChangeLogPage {
  readonly rows: readonly ChangeLogEntry[]
  /** The position after the page; at the end of the log, `newest`. */
  readonly end: Revision
}

/**
 * A deleted or inserted row version. A version deleted as `changed` is followed by its successor in the same commit. An inserted
 * version without a `slot` is followed by its deletion: ignore it.
 */
export interface ChangeLogEntry extends CommitPosition {
  /** Of the commit. */
  readonly revision: number
  readonly id: string
  readonly startMs: number
  /** The slot was visible before and after this commit. */
  readonly changed: boolean
  /** The key of the version that the inserted one replaces: of the same slot before this commit. */
  readonly replaces?: number
  /** The inserted slot, if it is visible. */
  readonly slot?: InsertedSlot
}

/** The position after a row. */
export function positionAfter(store: number, { revision, phase, key }: ChangeLogEntry): Revision {
  return { store, revision: revision - 1, within: { phase, key } }
}
