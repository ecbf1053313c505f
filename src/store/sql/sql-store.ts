import type { Kysely } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/** The base of each part of the store: its database and clock. */
export abstract class SqlStore {
  protected readonly database: Database
  protected readonly now: () => number

  constructor(database: Database, now: () => number) {
    this.database = database
    this.now = now
  }

  /** Single statements outside a transaction, each with its own snapshot. */
  protected get queries(): Kysely<Schema> {
    return this.database.read.queries
  }
}
