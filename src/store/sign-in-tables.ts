import { type CompiledQuery, type DatabaseConnection, type Driver, Kysely, type QueryResult } from 'kysely'
import type { SignInTables } from './account-store.ts'
import type { Database } from './database.ts'

/** The sign-in library's way to the database: by our connections, in turn with everybody else. */
export function openSignInTables(database: Database): SignInTables {
  const dialect = { ...database.dialect, createDriver: () => new StatementDriver(database) }
  return { type: database.kind, queries: new Kysely({ dialect }) }
}

/**
 * Runs each statement by itself. A transaction of the library's own would span awaits that we do not know, and a
 * writing connection of its own could wait for ours inside one thread, for ever.
 */
class StatementDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(database: Database) {
    this.#connection = { executeQuery: (query) => executeQuery(database, query), streamQuery: refuseStream }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    refuseTransaction()
  }

  async commitTransaction(): Promise<void> {
    refuseTransaction()
  }

  async rollbackTransaction(): Promise<void> {
    refuseTransaction()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

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

function refuseTransaction(): never {
  throw new Error(
    'Cannot begin a transaction on the sign-in tables: each statement must be one of its own: got a transaction of several',
  )
}

function refuseStream(): never {
  throw new Error('Cannot stream from the sign-in tables: a statement must return all its rows at once')
}
