import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** Prepared statements per connection. The store has about a hundred, better-auth about fifty. */
const STATEMENTS_MAX = 200

/** Opening waits while another process recovers the log after a crash, or removes it on the last close. */
export const OPEN_WAIT_MS_MAX = 10_000

/** The options in which the connections of a store differ. */
interface ConnectionOptions {
  /** 0: fail at once when another connection writes. */
  readonly busyTimeoutMs: number
  readonly cacheBytesMax: number
  readonly readOnly: boolean
}

/** A statement, compiled once. */
interface Prepared {
  readonly statement: StatementSync
  /** Yields rows. */
  readonly reads: boolean
}

/** One connection to a SQLite file, with its settings and a cache of prepared statements. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #objects = new Map<string, Prepared>()
  readonly #arrays = new Map<string, Prepared>()

  constructor(path: string, options: ConnectionOptions) {
    this.#database = new DatabaseSync(path, { timeout: OPEN_WAIT_MS_MAX })
    try {
      this.#database.exec(settings(options))
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  execute(sql: string): void {
    this.#database.exec(sql)
  }

  /** The statement that yields rows as objects, or none. */
  prepare(sql: string): Prepared {
    return recall(this.#objects, sql, () => this.#prepare(sql))
  }

  /** The statement that yields rows as arrays. */
  prepareArrays(sql: string): Prepared {
    return recall(this.#arrays, sql, () => {
      const prepared = this.#prepare(sql)
      prepared.statement.setReturnArrays(true)
      return prepared
    })
  }

  /** A second time does nothing. */
  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  #prepare(sql: string): Prepared {
    const statement = this.#database.prepare(sql)
    return { statement, reads: statement.columns().length > 0 }
  }
}

/**
 * A checkpoint after 16 MB of log: a sync of a million slots writes each index page some tens of times, and this
 * carries them to the file far less often than SQLite's 4 MB would. No memory map: its pages would count as the service's.
 */
function settings(options: ConnectionOptions): string {
  return `
    pragma foreign_keys = on;
    pragma trusted_schema = off;
    pragma cache_size = -${Math.ceil(options.cacheBytesMax / 1024)};
    pragma mmap_size = 0;
    pragma wal_autocheckpoint = 4000;
    pragma journal_size_limit = 67108864;
    pragma query_only = ${options.readOnly ? 'on' : 'off'};
    pragma busy_timeout = ${options.busyTimeoutMs};`
}

function recall(statements: Map<string, Prepared>, sql: string, prepare: () => Prepared): Prepared {
  const known = statements.get(sql)
  const prepared = known ?? prepare()
  if (known !== undefined) statements.delete(sql)
  else if (statements.size >= STATEMENTS_MAX) statements.delete(statements.keys().next().value ?? '')
  // A Map keeps the order of insertion, so the first is the one not used for longest.
  statements.set(sql, prepared)
  return prepared
}
