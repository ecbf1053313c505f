import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { ClientBase, Pool } from 'pg'
import type { Schema } from '../schema.ts'

/** What statements are sent to: one connection, or whichever of the pool is free. */
export type Queryable = Pick<ClientBase | Pool, 'query'>

/** PostgreSQL's way of speaking SQL. */
export const POSTGRES_DIALECT: Omit<Dialect, 'createDriver'> = {
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (queries) => new PostgresIntrospector(queries),
}

/** Kysely's queries by way of `run`. Transactions are begun and ended outside of Kysely: see `PostgresDatabase`. */
export function queriesOn(run: RunQuery): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: { ...POSTGRES_DIALECT, createDriver: () => new PostgresDriver(run) } })
}

/** Sends a statement and answers with its rows. */
export type RunQuery = (query: CompiledQuery) => Promise<{ rows: unknown[]; rowCount: number | null }>

class PostgresDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(run: RunQuery) {
    this.#connection = { executeQuery: (query) => executeQuery(run, query), streamQuery: refuse }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    refuse()
  }

  async commitTransaction(): Promise<void> {
    refuse()
  }

  async rollbackTransaction(): Promise<void> {
    refuse()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

async function executeQuery<Row>(run: RunQuery, query: CompiledQuery): Promise<QueryResult<Row>> {
  const { rows, rowCount } = await run(query)
  return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
}

function refuse(): never {
  throw new Error('Cannot begin a transaction in Kysely: it must be begun by Database.transaction()')
}
