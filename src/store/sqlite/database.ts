import { hash } from 'node:crypto'
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, Kysely } from 'kysely'
import { readPieces } from '../sql/batches.ts'
import type { Database, Durability, Reader, ReadTransaction, SlotsQuery, Writer } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { SqliteBulkWriter } from './bulk-writer.ts'
import { SqliteConnection } from './connection.ts'
import { parametersOf, SQLITE_KYSELY_DIALECT, SQLITE_SQL_DIALECT, sqliteQueries } from './sql-dialect.ts'

/** Longer than any transaction of ours takes on a slow disk; a writer that waits this long has met a stuck process. */
const WRITE_WAIT_MS_MAX = 30_000

/** A reader waits only while a log is recovered after a crash, or removed by the last process to close. */
const READ_WAIT_MS_MAX = 10_000

/**
 * One SQLite file by two connections: one that reads at any time, and one that writes in turn.
 *
 * There is a single writing connection, and how hard it syncs is set before each transaction. Two of them (one for
 * each durability) could wait for each other inside one thread, which no timeout resolves well.
 */
export class SqliteDatabase implements Database {
  readonly kind = 'sqlite'
  readonly kyselyDialect = SQLITE_KYSELY_DIALECT
  readonly sqlDialect = SQLITE_SQL_DIALECT
  readonly read: Reader
  readonly #path: string
  readonly #history: number
  readonly #reading: SqliteReading
  readonly #connection: SqliteConnection
  readonly #writer: Writer
  #turn: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
    this.#connection = new SqliteConnection(path, {
      busyTimeoutMs: 0,
      cacheBytesMax: 16_777_216,
      readOnly: false,
    })
    this.#writer = { queries: sqliteQueries(this.#connection), bulk: new SqliteBulkWriter(this.#connection) }
    this.#reading = new SqliteReading(path, 4_194_304)
    this.read = this.#reading
    this.#history = fileHistory(path)
  }

  transaction<T>(durability: Durability, work: (writer: Writer) => Promise<T>): Promise<T> {
    const outcome = this.#turn.then(() => this.#run(durability, work))
    this.#turn = outcome.catch(() => undefined)
    return outcome
  }

  /** A file has one history: no power cut takes a revision that was handed out. A copy that is brought back has another. */
  async epoch(): Promise<number> {
    return this.#history
  }

  /** Another process's commit makes no sound, and asking is cheap. */
  async waitForChange(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(ms, undefined, { signal }).catch(() => undefined)
  }

  async beginRead(): Promise<ReadTransaction> {
    // What is read once and in order gains nothing from a cache.
    const reading = new SqliteReading(this.#path, 2_097_152)
    reading.begin()
    return reading
  }

  async close(): Promise<void> {
    await this.#turn
    await this.#reading.close()
    this.#connection.close()
  }

  async #run<T>(durability: Durability, work: (writer: Writer) => Promise<T>): Promise<T> {
    await whenFree(() => this.#begin(durability))
    try {
      const result = await work(this.#writer)
      this.#connection.execute('commit')
      return result
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.execute('rollback')
      throw error
    }
  }

  #begin(durability: Durability): void {
    this.#connection.execute(`pragma synchronous = ${durability === 'power-cut' ? 'full' : 'normal'}`)
    this.#connection.execute('begin immediate')
  }
}

class SqliteReading implements ReadTransaction {
  readonly queries: Kysely<Schema>
  readonly #connection: SqliteConnection

  constructor(path: string, cacheBytesMax: number) {
    this.#connection = new SqliteConnection(path, {
      busyTimeoutMs: READ_WAIT_MS_MAX,
      cacheBytesMax,
      readOnly: true,
    })
    this.queries = sqliteQueries(this.#connection)
  }

  begin(): void {
    this.#connection.execute('begin')
  }

  async arrays(query: CompiledQuery): Promise<ReadonlyArray<readonly unknown[]>> {
    const rows: unknown = this.#connection.prepareArrays(query.sql).statement.all(...parametersOf(query))
    return rows as unknown[][]
  }

  batches(query: SlotsQuery): ReturnType<ReadTransaction['batches']> {
    return readPieces(this, query)
  }

  async close(): Promise<void> {
    this.#connection.close()
  }
}

/**
 * Does what needs the write lock, again and again until nobody else holds it.
 * SQLite's own busy timeout would sleep in the middle of the thread, and on the main thread requests would wait with it.
 */
export async function whenFree(act: () => void): Promise<void> {
  const deadlineMs = performance.now() + WRITE_WAIT_MS_MAX
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 4)) {
    try {
      return act()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > deadlineMs) {
        throw new Error(
          `Cannot write to the store: its lock must be free within ${WRITE_WAIT_MS_MAX / 1000} s`,
          {
            cause: error,
          },
        )
      }
    }
    await sleep(waitMs)
  }
}

/** SQLITE_BUSY is 5; the kinds of it differ in the higher bits. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}

/**
 * Tells a file from all its copies, in 48 bits: by its number in its file system and the time of its birth. So a back-up that is brought
 * back is not taken for the file that it was made of, though it says the same of itself.
 *
 * Nothing need be written for it, and nothing can be forgotten. Where neither number lasts (some network file systems), the file is
 * another one each time it is mounted. Unseen is what was overwritten in its place: see `renewStore()`.
 */
export function fileHistory(path: string): number {
  const { ino, birthtimeNs } = statSync(path, { bigint: true })
  return Number.parseInt(hash('sha256', `${ino}.${birthtimeNs}`).slice(0, 12), 16)
}
