import type { Slot } from '../slot/slot.ts'
import type { Origin, Rejected } from './connector.ts'

/** A resource as it was published. */
export interface FeedResource {
  readonly type: string
  readonly id: string
  /** The id of the Schedule that a Slot refers to. */
  readonly schedule?: string
  /** The URL of its file. */
  readonly file: string
  readonly line: number
  /** Its line. */
  readonly json: string
}

/** Where the resources of a file are stored: see `FeedResources.placeOf()`. */
export interface StoredFile {
  readonly file: string
  readonly firstKey: number
  readonly lastKey: number
}

/**
 * The resources that a snapshot is made of, for feeds that identify them by type and id.
 *
 *     stored ──startOver()──> new, empty      the next snapshot has the new ones, or the stored ones with the changes
 *
 * Reads see the new resources once there are some; without `startOver()` they see the stored ones as they were. `readFile()` always
 * sees the stored ones.
 */
export interface FeedResources {
  /** The resources of the last snapshot are stored. */
  readonly areStored: boolean
  startOver(): Promise<void>
  /** The next snapshot keeps its resources; otherwise they are deleted with its commit. */
  keep(): void
  /** Replaces a resource of the same type and id. */
  put(resource: FeedResource): void
  remove(type: string, id: string): void
  /** Writes new resources. Await it after each chunk of input (some thousand lines) for back-pressure. */
  flush(): Promise<void>
  find(type: string, ids: readonly string[]): Promise<readonly FeedResource[]>
  /** The resources of a type, by id. */
  readType(type: string): AsyncIterable<readonly FeedResource[]>
  /** The new resources of a type, in the order in which each was first put. */
  readNew(type: string): AsyncIterable<readonly FeedResource[]>
  /** Where the new resources of a file are, after `readType()`; for `readFile()` of the next read. Undefined if it has none. */
  placeOf(file: string): StoredFile | undefined
  /** The stored resources of a file, without those that others replaced. */
  readFile(place: StoredFile): AsyncIterable<readonly FeedResource[]>
  readSlotsOf(schedule: string): AsyncIterable<readonly FeedResource[]>
}

/** The result of reading a line of a Slot file. */
export type LineOutcome =
  | { readonly slot: Slot; readonly origin: Origin }
  | { readonly rejected: Rejected }
  | { readonly withheld: true }

/** An update of the last snapshot: what it does not name stays. */
export interface SnapshotUpdate {
  /**
   * Replaces the outcome of a resource in the last snapshot, if it had one, by its present outcome, if it has one. Each slot is named at
   * most once.
   */
  change(before: LineOutcome | undefined, after: LineOutcome | undefined): void
  /** Writes the buffered changes. Throws `ReadAgain` if the last snapshot lacks a slot that it should have. */
  flush(): Promise<void>
}
