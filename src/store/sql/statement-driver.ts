import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'

/** Runs one statement and returns its rows. */
export type RunStatement = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>

/**
 * A Kysely driver for single statements. `Database.transaction()` begins and ends transactions: Kysely's own transactions and streams
 * throw `refusal`.
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

export const TRANSACTION_ELSEWHERE = 'Cannot begin a transaction in Kysely: use Database.transaction()'
