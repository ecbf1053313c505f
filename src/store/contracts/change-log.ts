import type { CommitPosition, Revision } from '../../slot/revision.ts'
import type { InsertedSlot } from './store.ts'

/**
 * What was committed, commit by commit, for whoever keeps a copy of the slots and was away in between.
 *
 * Where `ChangeFeed` tells a node all at once what differs between two revisions, this is read in pieces, at any time and
 * from any place: nothing has to be held open between two of them. Costs what is read, however large the commits are.
 */
export interface ChangeLog {
  /** The log as it is now. To be closed; holds a read transaction. */
  open(): Promise<ChangeLogReader>
}

/** The log at one moment. */
export interface ChangeLogReader {
  /** Tells this store, and this history of it, from all others: as in `ChangeSet`. */
  readonly store: number
  /** The last revision there is. */
  readonly newest: number
  /** The first revision that one can go on from: of what was committed up to it, the dead may be deleted. */
  readonly oldest: number
  /**
   * The next rows after a place, which must be of this store and from `oldest` to `newest`: in the order of commits, at most
   * `rowsMax`, and fewer or none also where there are more. Who did to the slots held at that place, in order, what all rows
   * up to the end of the log say, holds what lives.
   */
  read(after: Revision, rowsMax: number): Promise<ChangeLogPage>
  /** The JSON of `Offering` by id. */
  offerings(ids: readonly number[]): Promise<{ id: number; json: string }[]>
  close(): Promise<void>
}

/** A piece of the log. */
export interface ChangeLogPage {
  readonly rows: readonly ChangeLogEntry[]
  /** Where one is after them; at the end of the log, that is `newest`. */
  readonly end: Revision
}

/**
 * A row that died or was born. Where it says nothing more than that, there is nothing to be done: a row that died `changed` is
 * followed by its successor in the same commit, and one that was born and has no `slot` any more is followed by its death.
 */
export interface ChangeLogEntry extends CommitPosition {
  /** Of the commit. */
  readonly revision: number
  readonly id: string
  readonly startMs: number
  /** The slot lived before this commit and lives after it. */
  readonly changed: boolean
  /** What was born, if it lives. */
  readonly slot?: InsertedSlot
}

/** Where one is after a row. */
export function positionAfter(store: number, { revision, phase, key }: ChangeLogEntry): Revision {
  return { store, revision: revision - 1, within: { phase, key } }
}
