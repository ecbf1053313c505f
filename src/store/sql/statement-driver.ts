import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'

/** Sends one statement and answers with its rows. */
export type RunStatement = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>

/**
 * Kysely's way to a database, statement by statement. Transactions are begun and ended by `Database.transaction()`: one of
 * Kysely's own, and a stream of rows, are refused with `refusal`.
 */
export class StatementDriver implements Driver {
  readonly #connection: DatabaseConnection
  readonly #refuse: () => never

  constructor(run: RunStatement, refusal: string) {
    this.#refuse = () => {
      throw new Error(refusal)
    }
    this.#connection = { executeQuery: run, streamQuery: this.#refuse }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    this.#refuse()
  }

  async commitTransaction(): Promise<void> {
    this.#refuse()
  }

  async rollbackTransaction(): Promise<void> {
    this.#refuse()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

/** What the store's own queries are told. */
export const TRANSACTION_ELSEWHERE =
  'Cannot begin a transaction in Kysely: it must be begun by Database.transaction()'
