import {
  type CompiledQuery,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { ClientBase, Pool } from 'pg'
import type { Schema } from '../sql/schema.ts'
import { StatementDriver, TRANSACTION_ELSEWHERE } from '../sql/statement-driver.ts'

/** What statements are sent to: one connection, or whichever of the pool is free. */
export type Queryable = Pick<ClientBase | Pool, 'query'>

/** PostgreSQL's way of speaking SQL. */
export const POSTGRES_KYSELY_DIALECT: Omit<Dialect, 'createDriver'> = {
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (queries) => new PostgresIntrospector(queries),
}

/** Kysely's queries by way of `run`. Transactions are begun and ended outside of Kysely: see `PostgresDatabase`. */
export function postgresQueries(run: RunQuery): Kysely<Schema> {
  const driver = new StatementDriver((query) => executeQuery(run, query), TRANSACTION_ELSEWHERE)
  return new Kysely<Schema>({ dialect: { ...POSTGRES_KYSELY_DIALECT, createDriver: () => driver } })
}

/** Sends a statement and answers with its rows. */
export type RunQuery = (query: CompiledQuery) => Promise<{ rows: unknown[]; rowCount: number | null }>

async function executeQuery<Row>(run: RunQuery, query: CompiledQuery): Promise<QueryResult<Row>> {
  const { rows, rowCount } = await run(query)
  return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
}
