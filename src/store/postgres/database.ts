import { type CompiledQuery, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { errorCode } from '../../lib/text.ts'
import { HOUR_MS } from '../../lib/time.ts'
import type { KeyRange } from '../contracts/revision-feed.ts'
import { StoreUnavailable } from '../contracts/store.ts'
import { READ_ROWS_MAX } from '../sql/batches.ts'
import {
  type Database,
  type Durability,
  type Pause,
  queriesBy,
  type Reader,
  type ReadTransaction,
  type SlotsQuery,
  type Writer,
} from '../sql/database.ts'
import { PostgresBulkWriter } from './bulk-writer.ts'
import { asStoreError, noteServerTime, type Primary, type Statement } from './connections.ts'
import type { NotificationListener } from './notification-listener.ts'
import { SERVER_TIME } from './server-clock.ts'
import { POSTGRES_KYSELY_DIALECT, POSTGRES_SQL_DIALECT } from './sql-dialect.ts'

/**
 * A PostgreSQL database over a few connections to its primary.
 *
 * One writer at a time over all nodes, as on SQLite: each transaction first takes a row lock on the one row of `write_lock`. A
 * writer therefore sees every commit, revisions are in commit order, transactions cannot deadlock, and both databases follow the
 * same rules. Transactions are short, so the lock is free within milliseconds; reading, fetching and parsing do not take it.
 * A row lock instead of an advisory lock works through a transaction pooler and in clusters without advisory locks.
 */
export class PostgresDatabase implements Database {
  readonly kind = 'postgres'
  readonly kyselyDialect = POSTGRES_KYSELY_DIALECT
  readonly sqlDialect = POSTGRES_SQL_DIALECT
  readonly now: () => number
  readonly read: Reader
  readonly #primary: Primary
  readonly #listener: NotificationListener
  /** The server counts failovers in its timeline. Consensus clusters need none. */
  readonly #hasTimelines: boolean

  constructor(primary: Primary, listener: NotificationListener, hasTimelines: boolean) {
    this.#primary = primary
    this.#listener = listener
    this.#hasTimelines = hasTimelines
    this.now = () => primary.clock.now()
    this.read = readerOn(primary)
  }

  async transaction<T>(durability: Durability, work: (writer: Writer) => Promise<T>): Promise<T> {
    const client = await this.#primary.connect()
    let broken = true
    try {
      const sentMs = performance.now()
      noteServerTime(this.#primary.clock, await client.query(beginSql(durability)), sentMs)
      const result = await work({ ...readerOn(client), bulk: new PostgresBulkWriter(client) })
      await client.query('commit')
      broken = false
      return result
    } catch (error) {
      const storeError = asStoreError(error)
      if (errorCode(error) === LOCK_TIMEOUT)
        await client.query(`rollback; ${END_FROZEN_WRITERS}`).catch(() => undefined)
      // A demoted primary answers, but `connect()` leaves it only when no connection is left.
      if (!(storeError instanceof StoreUnavailable))
        broken = await client.query('rollback').then(
          () => false,
          () => true,
        )
      throw storeError
    } finally {
      client.release(broken)
    }
  }

  /** Each poll asks for it, so it also finds a primary that became read-only: reading alone would not. */
  async epoch(reader: Reader): Promise<number> {
    if (!this.#hasTimelines) return 0
    const { host } = this.#primary
    const { rows } = await sql<{ timeline: string; read_only: string }>`
      select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline,
        current_setting('default_transaction_read_only') as read_only`.execute(reader.queries)
    if (rows[0].read_only === 'on') {
      this.#primary.leaveHost(host)
      throw new StoreUnavailable('Cannot use the database: the host became read-only')
    }
    return Number.parseInt(rows[0].timeline, 16)
  }

  waitForChange({ ms }: Pause, signal: AbortSignal): Promise<void> {
    return this.#listener.wait(ms, signal)
  }

  async beginRead(): Promise<ReadTransaction> {
    const client = await this.#primary.connect()
    try {
      await client.query(BEGIN_READ)
    } catch (error) {
      client.release(true)
      throw asStoreError(error)
    }
    return new PostgresReading(client)
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await this.#listener.close()
    await this.#primary.end()
  }
}

/** Longer than any transaction takes: a timeout means that another node is stuck. */
const LOCK_WAIT_MS_MAX = 30_000

/** A node that is idle inside a transaction loses the write lock after this time. */
const IDLE_MS_MAX = 10_000

const LOCK_TIMEOUT = '55P03'

/**
 * No timeout of the server ends a statement whose rows a node does not send: it was paused or cut off inside `copy`, and would
 * keep the write lock of all nodes. Needs no rights, as the role is the same.
 */
const END_FROZEN_WRITERS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and usename = current_user and application_name like 'scheduling-slots%'
    and state = 'active' and wait_event = 'ClientRead'
    and state_change < clock_timestamp() - interval '${IDLE_MS_MAX} milliseconds'`

/** While runs are built from what was read, a transaction is idle. Timeouts of the server would make a node load for ever. */
const BEGIN_READ = `begin isolation level repeatable read read only;
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = ${HOUR_MS}`

/**
 * One round trip before the first statement; the last result is the server's time. The settings are local to the transaction, so they
 * work through a pooler.
 */
function beginSql(durability: Durability): string {
  return `begin isolation level read committed;
    set local synchronous_commit = ${durability === 'power-cut' ? 'on' : 'off'};
    set local statement_timeout = 0;
    set local lock_timeout = ${LOCK_WAIT_MS_MAX};
    set local idle_in_transaction_session_timeout = ${IDLE_MS_MAX};
    select 1 from write_lock where id = 1 for update;
    ${SERVER_TIME}`
}

class PostgresReading implements ReadTransaction {
  readonly queries: Reader['queries']
  readonly arrays: Reader['arrays']
  readonly #client: PoolClient
  #isOpen = true
  #cursors = 0

  constructor(client: PoolClient) {
    const reader = readerOn(client)
    this.#client = client
    this.queries = reader.queries
    this.arrays = reader.arrays
  }

  batches(query: SlotsQuery, keys?: KeyRange): ReturnType<ReadTransaction['batches']> {
    const read = keys === undefined ? query : query.where('key', '>=', keys.from).where('key', '<', keys.to)
    return readByCursor(this, read.compile(), { name: `pieces_${++this.#cursors}`, rowsMax: READ_ROWS_MAX })
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    const broken = await this.#client.query('commit').then(
      () => false,
      () => true,
    )
    this.#client.release(broken)
  }
}

/** One connection, or a pool. */
interface StatementRunner {
  query(statement: Statement): Promise<{ rows: unknown[]; rowCount: number | null }>
}

function readerOn(runner: StatementRunner): Reader {
  const run = async (statement: Statement) => {
    try {
      return await runner.query(statement)
    } catch (error) {
      throw asStoreError(error)
    }
  }
  return {
    queries: queriesBy(POSTGRES_KYSELY_DIALECT, async <Row>(query: CompiledQuery) => {
      const { rows, rowCount } = await run({ text: query.sql, values: [...query.parameters] })
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
    }),
    arrays: async (query: CompiledQuery) => {
      const { rows } = await run({ text: query.sql, values: [...query.parameters], rowMode: 'array' })
      return rows as unknown[][]
    },
  }
}

/**
 * Reads millions of rows in batches of at most `rowsMax`, by a cursor in the transaction of `reader`.
 *
 * The query runs once. With keyset pagination, the planner sorts all rows for every batch until the table has statistics: 70 s for
 * a first sync of a million. The next batch is fetched while one is used.
 */
export async function* readByCursor(
  reader: Pick<Reader, 'arrays'>,
  query: CompiledQuery,
  { name, rowsMax }: { name: string; rowsMax: number },
): AsyncGenerator<ReadonlyArray<readonly unknown[]>> {
  const run = (sql: string) => reader.arrays({ ...query, sql, parameters: [] })
  await reader.arrays({ ...query, sql: `declare ${name} no scroll cursor for ${query.sql}` })
  let next = run(`fetch ${rowsMax} from ${name}`)
  try {
    for (;;) {
      const rows = await next
      if (rows.length < rowsMax) {
        if (rows.length > 0) yield rows
        return
      }
      next = run(`fetch ${rowsMax} from ${name}`)
      // Awaited in the next round; marks the rejection as handled until then.
      next.catch(() => undefined)
      yield rows
    }
  } finally {
    await next.then(() => run(`close ${name}`)).catch(() => undefined)
  }
}
