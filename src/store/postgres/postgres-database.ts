import type { CompiledQuery, Kysely } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Database, Durability, Reader, Reading, Writer } from '../database.ts'
import type { Schema } from '../schema.ts'
import { PostgresBulkWriter } from './bulk-writer.ts'
import { asStoreError } from './connections.ts'
import { POSTGRES_DIALECT, type Queryable, queriesOn } from './kysely-dialect.ts'
import { POSTGRES_TERMS } from './terms.ts'

/**
 * A PostgreSQL database by a pool of connections.
 *
 * Writers take turns, over all nodes, as on SQLite: each transaction first locks the one row of `turns`. So whoever
 * has the turn sees all that was committed and nobody else's half, revisions come in the order of commits, no two
 * transactions can deadlock, and every rule of the store needs to be thought through once, not once for each kind of
 * database. Transactions are short, so a turn comes round in milliseconds; reading, fetching and parsing take no turn.
 * A row, and not an advisory lock: it works through a pooler of transactions, and in clusters that know no other locks.
 */
export class PostgresDatabase implements Database {
  readonly kind = 'postgres'
  readonly dialect = POSTGRES_DIALECT
  readonly terms = POSTGRES_TERMS
  readonly read: Reader
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
    this.read = readerOn(pool)
  }

  async transaction<T>(durability: Durability, work: (writer: Writer) => Promise<T>): Promise<T> {
    const client = await this.#connect()
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

  async openReading(): Promise<Reading> {
    const client = await this.#connect()
    try {
      await client.query('begin isolation level repeatable read read only')
    } catch (thrown) {
      client.release(true)
      throw asStoreError(thrown)
    }
    return new PostgresReading(client)
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (thrown) {
      throw asStoreError(thrown)
    }
  }
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
    select 1 from turns where id = 1 for update`
}

class PostgresReading implements Reading {
  readonly queries: Kysely<Schema>
  readonly arrays: Reader['arrays']
  readonly #client: PoolClient
  #isOpen = true

  constructor(client: PoolClient) {
    const reader = readerOn(client)
    this.#client = client
    this.queries = reader.queries
    this.arrays = reader.arrays
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

function readerOn(queryable: Queryable): Reader {
  return {
    queries: queriesOn((query) => run(queryable, { text: query.sql, values: [...query.parameters] })),
    arrays: async (query: CompiledQuery) => {
      const asked = { text: query.sql, values: [...query.parameters], rowMode: 'array' as const }
      return (await run(queryable, asked)).rows as unknown[][]
    },
  }
}

async function run(
  queryable: Queryable,
  query: { text: string; values: unknown[]; rowMode?: 'array' },
): Promise<{ rows: unknown[]; rowCount: number | null }> {
  try {
    return await queryable.query(query)
  } catch (thrown) {
    throw asStoreError(thrown)
  }
}
