import type { CompiledQuery, QueryResult } from 'kysely'
import type { SignInTables } from '../contracts/operators.ts'
import { type Database, queriesBy, type RunStatement } from './database.ts'

/**
 * better-auth's access to the database: over our connections, with the write lock, one statement per transaction.
 *
 * A transaction of better-auth would span unknown awaits, and a separate write connection could deadlock with ours inside one thread.
 */
export function openSignInTables(database: Database): SignInTables {
  const run: RunStatement = (query) => executeQuery(database, query)
  return { type: database.kind, queries: queriesBy(database.kyselyDialect, run, REFUSAL) }
}

const REFUSAL = 'Cannot run on the sign-in tables: transactions and streams are not supported'

function executeQuery<Row>(database: Database, query: CompiledQuery): Promise<QueryResult<Row>> {
  if (onlyReads(query)) return database.read.queries.executeQuery<Row>(query as CompiledQuery<Row>)
  return database.transaction('power-cut', ({ queries }) => queries.executeQuery<Row>(query as CompiledQuery<Row>))
}

/** Raw statements are not parsed: they take the write lock. */
function onlyReads({ query }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode'
}
