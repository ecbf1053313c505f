import type { CompiledQuery, Dialect, Expression, Kysely, SelectQueryBuilder, SqlBool } from 'kysely'
import type { UsageBatch } from '../contracts/keys.ts'
import type { Schema, SlotRow } from './schema.ts'

/** What a kind of database has to bring, beside speaking SQL: a folder with the same file names for each. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres'
  /** How this kind of database speaks SQL, without a way to reach it. */
  readonly kyselyDialect: Omit<Dialect, 'createDriver'>
  readonly sqlDialect: SqlDialect
  /** Single statements, each of its own moment. */
  readonly read: Reader
  /**
   * Runs `work` in one write transaction and commits it; rolls back and throws what `work` throws.
   * Waits its turn for at most 30 s without blocking the thread. Must not be nested. `work` awaits nothing but its own queries.
   */
  transaction<T>(durability: Durability, work: (writer: Writer) => Promise<T>): Promise<T>
  /**
   * Tells the histories of one database apart: another number means that a standby took over, which may lack what was
   * committed last, and may number its own commits the same. Throws `StoreAway` where it cannot be told, as by a standby.
   */
  epoch(reader: Reader): Promise<number>
  /** Resolves when somebody may have committed something that nodes follow, at the latest after `ms` or when aborted. */
  waitForChange(ms: number, signal: AbortSignal): Promise<void>
  /** A read transaction on a connection of its own: everything it reads is of one moment. To be closed. */
  beginRead(): Promise<ReadTransaction>
  /** Waits for the running transaction. */
  close(): Promise<void>
}

/** `power-cut`: on the disk before the promise resolves. `kill`: survives the process, and a power cut a little later. */
export type Durability = 'power-cut' | 'kill'

/** Where the SQL of databases differs. */
export interface SqlDialect {
  /** A column type for integers up to 2^53. */
  readonly integer: 'integer' | 'bigint'
  /** A column type for truths, as the sign-in library writes them. */
  readonly boolean: 'integer' | 'boolean'
  /** A column type for dates, as the sign-in library writes them. */
  readonly date: 'text' | 'timestamptz'
  /** What an index on `slots` needs behind its own columns to give the rows in the order of their keys as well. */
  readonly indexKeyColumns: readonly 'key'[]
  /** That a row of `slots` is of a group and behind a key, in the words by which it is found by index if it is also ordered by both. */
  inGroup(group: SlotGroup, afterKey: number): Expression<SqlBool>
  /** What ends a `create table`. */
  readonly tableEnd: string
  /** Statements after which a table with an `id` refuses whatever would change or delete one of its rows. */
  appendOnly(table: string): readonly string[]
  /** Statements after which a commit that moves the counter of slots or keys calls those who wait for it; none where nobody can be called. */
  readonly notifyChanges: readonly string[]
  /** The right side of `in`, as one parameter, so that the statement's text does not depend on how many there are. */
  anyOf<T extends number | string>(values: readonly T[]): Expression<T>
}

/** Rows of one sync or source: there is an index for each kind of group. */
export type SlotGroup = readonly [column: 'inserted_sync' | 'deleted_sync' | 'source_id', value: number]

/** Reads, one statement at a time. */
export interface Reader {
  readonly queries: Kysely<Schema>
  /** The rows as arrays in the order of the columns: half the cost of objects, for what is read by the million. */
  arrays(query: CompiledQuery): Promise<ReadonlyArray<readonly unknown[]>>
}

/** A `Reader` whose statements are all of one moment. */
export interface ReadTransaction extends Reader {
  /** What may be millions of rows, as arrays, in pieces of at most `READ_ROWS_MAX` and in any order. */
  batches(query: SlotsQuery): AsyncIterable<ReadonlyArray<readonly unknown[]>>
  close(): Promise<void>
}

/** Rows of slots, in no order, without a limit; their key is the first column. */
export type SlotsQuery = SelectQueryBuilder<Schema, 'slots', { key: number }>

/** What a write transaction is done with. */
export interface Writer {
  readonly queries: Kysely<Schema>
  readonly bulk: BulkWriter
}

/** What is written by the thousand, where one compiled query for each row would cost ten times the row. */
export interface BulkWriter {
  insertSlots(rows: readonly NewSlotRow[]): Promise<void>
  /** Marks living rows of the source as died of the sync. Returns how many. */
  deleteSlots(keys: readonly number[], of: SyncOfSource): Promise<number>
  /** Deletes living rows that the sync itself has born. Returns how many. */
  dropDrafts(keys: readonly number[], of: SyncOfSource): Promise<number>
  moveSlots(moves: readonly SlotMove[], of: SyncOfSource): Promise<void>
  putLastUsed(uses: ReadonlyMap<string, number>): Promise<void>
  /** Adds counts and recent requests of keys that are there. The recent requests get the ids that end with `lastRecentId`. */
  addUsage(batch: UsageBatch, lastRecentId: number): Promise<void>
}

/** A row as it is born. */
export type NewSlotRow = Omit<SlotRow, 'deleted_sync' | 'next_part' | 'next_fingerprint' | 'moved_sync'>

/** A sync, and the source whose rows alone it may touch. */
export interface SyncOfSource {
  readonly sourceId: number
  readonly syncId: number
}

/** An unchanged slot that was read from another line. */
export interface SlotMove {
  readonly key: number
  readonly part: number
  readonly fingerprint: number
}
