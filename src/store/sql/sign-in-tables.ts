import { type CompiledQuery, Kysely, type QueryResult } from 'kysely'
import type { SignInTables } from '../contracts/operators.ts'
import type { Database } from './database.ts'
import { StatementDriver } from './statement-driver.ts'

/**
 * The sign-in library's way to the database: by our connections, in turn with everybody else, and each statement by itself.
 *
 * A transaction of the library's own would span awaits that we do not know, and a writing connection of its own could
 * wait for ours inside one thread, for ever.
 */
export function openSignInTables(database: Database): SignInTables {
  const driver = new StatementDriver((query) => executeQuery(database, query), REFUSAL)
  return {
    type: database.kind,
    queries: new Kysely({ dialect: { ...database.kyselyDialect, createDriver: () => driver } }),
  }
}

const REFUSAL =
  'Cannot run on the sign-in tables: each statement must be one of its own, with all its rows at once: got a transaction or a stream'

function executeQuery<Row>(database: Database, query: CompiledQuery): Promise<QueryResult<Row>> {
  if (onlyReads(query)) return database.read.queries.executeQuery<Row>(query as CompiledQuery<Row>)
  return database.transaction('power-cut', ({ queries }) =>
    queries.executeQuery<Row>(query as CompiledQuery<Row>),
  )
}

/** What a statement does that was written by hand is not looked into: it takes its turn. */
function onlyReads({ query }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode'
}
