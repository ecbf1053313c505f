import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  type Expression,
  Kysely,
  type QueryResult,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely'
import type { UsageBatch } from '../contracts/keys.ts'
import type { ResourceIdentity, StoredResource } from '../contracts/resources.ts'
import type { KeyRange } from '../contracts/revision-feed.ts'
import type { SlotMove } from '../contracts/snapshots.ts'
import type { RequestLogRow, Schema, SlotRow } from './schema.ts'

/** The interface that each database implements: a folder with equal file names per database. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres'
  /** Kysely's compiler, without a driver. */
  readonly kyselyDialect: Omit<Dialect, 'createDriver'>
  readonly sqlDialect: SqlDialect
  /** Milliseconds since 1970 by a clock that all processes share which use the database. */
  readonly now: () => number
  /** A folder for copies of the rows of snapshots, see `SnapshotRows`; absent if it costs less to read them from the database. */
  readonly rowFolder?: string
  /** Single statements, each with its own snapshot. */
  readonly read: Reader
  /**
   * Runs `work` in one write transaction and commits it; rolls back and rethrows if `work` throws. Waits for the write lock for at most
   * 30 s without blocking the thread. Must not be nested. `work` awaits only its own queries.
   */
  transaction<T>(durability: Durability, work: (writer: Writer) => Promise<T>): Promise<T>
  /**
   * The epoch of the database: it changes when a standby takes over, which may lack the last commits and reuse their revisions.
   * Throws `StoreUnavailable` if the host cannot report it, such as a standby.
   */
  epoch(reader: Reader): Promise<number>
  /** A number that changes with each commit of any process; absent if the database cannot tell without a query. */
  dataVersion?(): number
  /** Resolves when a change may have been committed, or when aborted. */
  waitForChange(pause: Pause, signal: AbortSignal): Promise<void>
  /** A read transaction on a separate connection, with one MVCC snapshot. Close it. */
  beginRead(): Promise<ReadTransaction>
  /** Waits for the running transaction. */
  close(): Promise<void>
}

/** How long a wait for a change lasts at most. */
export interface Pause {
  readonly ms: number
  /** As long as the data version is `since`, if the database has one. */
  readonly unchangedMs: number
  readonly since: number | undefined
}

/** `power-cut`: durable when the promise resolves. `kill`: survives a killed process at once, and a power failure a little later. */
export type Durability = 'power-cut' | 'kill'

/** Differences between the SQL of the databases. */
export interface SqlDialect {
  /** A column type for integers up to 2^53. */
  readonly integer: 'integer' | 'bigint'
  /** Column type of booleans, as better-auth writes them. */
  readonly boolean: 'integer' | 'boolean'
  /** Column type of dates, as better-auth writes them. */
  readonly date: 'text' | 'timestamptz'
  /** Columns to append to an index on `slots` so that it is also ordered by key. */
  readonly indexKeyColumns: readonly 'key'[]
  /** Predicate "the row belongs to `group` and sorts after `key`" (keyset pagination), written so that the index on both is used. */
  inGroup(group: SlotGroup, afterKey: number): Expression<SqlBool>
  /** The end of a `create table`. */
  readonly tableEnd: string
  /** Statements that make a table with an `id` append-only, except that rows may be deleted for which `deletable` holds. */
  appendOnly(table: string, deletable: string): readonly string[]
  /** Statements that make commits of slots or keys send a notification; none if the database has no notifications. */
  readonly notifyChanges: readonly string[]
  /** The right side of `in` as one parameter, so that the statement does not depend on the number of values. */
  anyOf<T extends number | string>(values: readonly T[]): Expression<T>
  /** A table `input` for `from`, with one row per object, as JSON in the column `value`. */
  jsonRows(rows: readonly object[]): Expression<unknown>
  /** Predicate "the column has one of the values", written so that an index on the column is used without statistics too. */
  isAnyOf(column: string, values: readonly string[]): Expression<SqlBool>
  /** Predicate "the key is what `lookUp` selects for one of the values": a lookup for each value, whatever the planner estimates. */
  isKeyOfAny(values: readonly string[], lookUp: (value: Expression<string>) => Expression<number>): Expression<SqlBool>
}

/** Rows of one sync or source; each group has an index. */
export type SlotGroup = readonly [column: 'inserted_sync' | 'deleted_sync' | 'source_id', value: number]

/** Reads, one statement at a time. */
export interface Reader {
  readonly queries: Kysely<Schema>
  /** Rows as arrays in column order: half the cost of objects, for millions of rows. */
  arrays(query: CompiledQuery): Promise<ReadonlyArray<readonly unknown[]>>
}

/** A `Reader` whose statements share one MVCC snapshot. */
export interface ReadTransaction extends Reader {
  /** Up to millions of rows as arrays, in batches of at most `READ_ROWS_MAX`, unordered. `keys`: only those with these keys. */
  batches(query: SlotsQuery, keys?: KeyRange): AsyncIterable<ReadonlyArray<readonly unknown[]>>
  close(): Promise<void>
}

/** An unordered query of slots without a limit; the key is the first column. */
export type SlotsQuery = SelectQueryBuilder<Schema, 'slots', { key: number }>

/** The access of a write transaction. */
export interface Writer {
  readonly queries: Kysely<Schema>
  readonly bulk: BulkWriter
}

/** Writes thousands of rows; a compiled query per row would cost ten times as much. */
export interface BulkWriter {
  insertSlots(rows: readonly NewSlotRow[]): Promise<void>
  /** Marks versions of the source as deleted by the sync. Returns the number. */
  deleteSlots(keys: readonly number[], of: SyncOfSource): Promise<number>
  /** Removes versions that this sync inserted. Returns the number. */
  dropDrafts(keys: readonly number[], of: SyncOfSource): Promise<number>
  moveSlots(moves: readonly SlotMove[], of: SyncOfSource): Promise<void>
  /** Replaces those of the same type and id, which keep their keys. No two have the same. The others get the keys from `firstKey` on. */
  putResources(set: number, resources: readonly StoredResource[], firstKey: number): Promise<void>
  removeResources(set: number, keys: readonly ResourceIdentity[]): Promise<void>
  putLastUsed(uses: ReadonlyMap<string, number>): Promise<void>
  /** Adds counts and addresses, ignoring unknown keys, and drops all but the `ADDRESSES_PER_KEY` last seen addresses of each key. */
  addUsage(batch: Pick<UsageBatch, 'requests' | 'latencies' | 'addresses'>): Promise<void>
  insertLogged(rows: readonly RequestLogRow[]): Promise<void>
}

/** A row to insert. */
export type NewSlotRow = Omit<SlotRow, 'deleted_sync' | 'next_part' | 'next_fingerprint' | 'moved_sync'>

/** A sync, and the source whose rows alone it may touch. */
export interface SyncOfSource {
  readonly sourceId: number
  readonly syncId: number
}

/** Runs one statement and returns its rows. */
export type RunStatement = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>

/**
 * Kysely's queries by way of `run`. `Database.transaction()` begins and ends transactions: Kysely's own transactions and streams
 * throw `refusal`.
 */
export function queriesBy(
  dialect: Database['kyselyDialect'],
  run: RunStatement,
  refusal = 'Cannot begin a transaction in Kysely: use Database.transaction()',
): Kysely<Schema> {
  const driver = new StatementDriver(run, refusal)
  return new Kysely<Schema>({ dialect: { ...dialect, createDriver: () => driver } })
}

class StatementDriver extends DummyDriver {
  readonly #connection: DatabaseConnection
  readonly #refuse: () => never

  constructor(run: RunStatement, refusal: string) {
    super()
    this.#refuse = () => {
      throw new Error(refusal)
    }
    this.#connection = { executeQuery: run, streamQuery: this.#refuse }
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  override async beginTransaction(): Promise<void> {
    this.#refuse()
  }
}
