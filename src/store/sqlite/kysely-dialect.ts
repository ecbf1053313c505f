import type { SQLInputValue } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Schema } from '../schema.ts'
import type { SqliteConnection } from './connection.ts'

/** Kysely's queries on one connection. Transactions are begun and ended outside of Kysely: see `SqliteDatabase`. */
export function queriesOn(connection: SqliteConnection): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: { ...SQLITE_DIALECT, createDriver: () => new SqliteDriver(connection) },
  })
}

/** SQLite's SQL, without a connection. */
export const SQLITE_DIALECT: Omit<Dialect, 'createDriver'> = {
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (queries) => new SqliteIntrospector(queries),
}

/** Kysely's types for parameters know no bounds; what the store passes is always of these. */
export function parametersOf(query: CompiledQuery): SQLInputValue[] {
  return query.parameters as SQLInputValue[]
}

class SqliteDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(connection: SqliteConnection) {
    this.#connection = { executeQuery: (query) => executeQuery(connection, query), streamQuery: refuse }
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

async function executeQuery<Row>(
  connection: SqliteConnection,
  query: CompiledQuery,
): Promise<QueryResult<Row>> {
  const { statement, reads } = connection.prepare(query.sql)
  if (reads) return { rows: statement.all(...parametersOf(query)) as Row[] }
  const { changes } = statement.run(...parametersOf(query))
  return { rows: [], numAffectedRows: BigInt(changes) }
}

function refuse(): never {
  throw new Error('Cannot begin a transaction in Kysely: it must be begun by Database.transaction()')
}
