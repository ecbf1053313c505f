import type { SQLInputValue } from 'node:sqlite'
import {
  type CompiledQuery,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Schema } from '../sql/schema.ts'
import { StatementDriver, TRANSACTION_ELSEWHERE } from '../sql/statement-driver.ts'
import type { SqliteConnection } from './connection.ts'

/** Kysely's queries on one connection. Transactions are begun and ended outside of Kysely: see `SqliteDatabase`. */
export function sqliteQueries(connection: SqliteConnection): Kysely<Schema> {
  const driver = new StatementDriver((query) => executeQuery(connection, query), TRANSACTION_ELSEWHERE)
  return new Kysely<Schema>({ dialect: { ...SQLITE_KYSELY_DIALECT, createDriver: () => driver } })
}

/** SQLite's SQL, without a connection. */
export const SQLITE_KYSELY_DIALECT: Omit<Dialect, 'createDriver'> = {
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (queries) => new SqliteIntrospector(queries),
}

/** Kysely's types for parameters know no bounds; what the store passes is always of these. */
export function parametersOf(query: CompiledQuery): SQLInputValue[] {
  return query.parameters as SQLInputValue[]
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
