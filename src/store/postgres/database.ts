import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { READ_ROWS_MAX } from '../sql/batches.ts'
import type { Database, Durability, Reader, ReadTransaction, SlotsQuery, Writer } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { PostgresBulkWriter } from './bulk-writer.ts'
import { asStoreError, type Primary, type Statement } from './connections.ts'
import type { NotificationListener } from './notification-listener.ts'
import { POSTGRES_KYSELY_DIALECT, POSTGRES_SQL_DIALECT, postgresQueries } from './sql-dialect.ts'

/**
 * A PostgreSQL database by a few connections to its primary.
 *
 * Writers take turns, over all nodes, as on SQLite: each transaction first locks the one row of `write_lock`. So whoever
 * has the turn sees all that was committed and nobody else's half, revisions come in the order of commits, no two
 * transactions can deadlock, and every rule of the store needs to be thought through once, not once for each kind of
 * database. Transactions are short, so a turn comes round in milliseconds; reading, fetching and parsing take no turn.
 * A row, and not an advisory lock: it works through a pooler of transactions, and in clusters that know no other locks.
 */
export class PostgresDatabase implements Database {
  readonly kind = 'postgres'
  readonly kyselyDialect = POSTGRES_KYSELY_DIALECT
  readonly sqlDialect = POSTGRES_SQL_DIALECT
  readonly read: Reader
  readonly #primary: Primary
  readonly #calls: NotificationListener
  readonly #features: Features

  constructor(primary: Primary, calls: NotificationListener, features: Features) {
    this.#primary = primary
    this.#calls = calls
    this.#features = features
    this.read = readerOn(primary)
  }

  async transaction<T>(durability: Durability, work: (writer: Writer) => Promise<T>): Promise<T> {
    const client = await this.#primary.connect()
    let broken = true
    try {
      await client.query(beginSql(durability))
      const result = await work({ ...readerOn(client), bulk: new PostgresBulkWriter(client) })
      await client.query('commit')
      broken = false
      return result
    } catch (thrown) {
      broken = await client.query('rollback').then(
        () => false,
        () => true,
      )
      throw asStoreError(thrown)
    } finally {
      client.release(broken)
    }
  }

  async epoch(reader: Reader): Promise<number> {
    if (!this.#features.timelines) return 0
    const { rows } = await sql<{ timeline: string }>`
      select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline`.execute(reader.queries)
    return Number.parseInt(rows[0].timeline, 16)
  }

  waitForChange(ms: number, signal: AbortSignal): Promise<void> {
    return this.#calls.wait(ms, signal)
  }

  async beginRead(): Promise<ReadTransaction> {
    const client = await this.#primary.connect()
    try {
      await client.query('begin isolation level repeatable read read only')
    } catch (thrown) {
      client.release(true)
      throw asStoreError(thrown)
    }
    return new PostgresReading(client)
  }

  /** A second time does nothing. */
  async close(): Promise<void> {
    await this.#calls.close()
    await this.#primary.end()
  }
}

/** What a server can, found out when the store is opened. */
export interface Features {
  /** It counts the times that a standby took over. Clusters that agree on each commit have no need to. */
  readonly timelines: boolean
}

/** Longer than any transaction of ours takes; whoever waits this long has met a stuck node. */
const TURN_MS_MAX = 30_000

/** A node that fell silent inside a transaction loses its turn after this long. */
const SILENCE_MS_MAX = 10_000

/** All that a transaction needs before its first statement, in one round trip. Settings are the transaction's own, so that they pass through a pooler. */
function beginSql(durability: Durability): string {
  return `begin isolation level read committed;
    set local synchronous_commit = ${durability === 'power-cut' ? 'on' : 'off'};
    set local lock_timeout = ${TURN_MS_MAX};
    set local idle_in_transaction_session_timeout = ${SILENCE_MS_MAX};
    select 1 from write_lock where id = 1 for update`
}

class PostgresReading implements ReadTransaction {
  readonly queries: Kysely<Schema>
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

  batches(query: SlotsQuery): ReturnType<ReadTransaction['batches']> {
    return readByCursor(this, query.compile(), { name: `pieces_${++this.#cursors}`, rowsMax: READ_ROWS_MAX })
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

/** What answers statements: one connection, or whichever is free. */
interface Answering {
  query(statement: Statement): Promise<{ rows: unknown[]; rowCount: number | null }>
}

function readerOn(answering: Answering): Reader {
  const run = async (statement: Statement) => {
    try {
      return await answering.query(statement)
    } catch (thrown) {
      throw asStoreError(thrown)
    }
  }
  return {
    queries: postgresQueries((query) => run({ text: query.sql, values: [...query.parameters] })),
    arrays: async (query: CompiledQuery) => {
      const { rows } = await run({ text: query.sql, values: [...query.parameters], rowMode: 'array' })
      return rows as unknown[][]
    },
  }
}

/**
 * Reads what may be millions of rows in pieces of at most `rowsMax`, by a cursor of the transaction that `reader` is in.
 *
 * The query runs once, however it is planned. Asked anew for each piece from the last key on, it is at the mercy of the
 * planner, who sorts all rows for every piece as long as nobody has counted them: 70 s for a first sync of a million.
 * While a piece is being used, the next is already on its way.
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
      // It is awaited in the next round; until then nobody else hears of its failure.
      next.catch(() => undefined)
      yield rows
    }
  } finally {
    await next.then(() => run(`close ${name}`)).catch(() => undefined)
  }
}
