import { hash } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, Kysely } from 'kysely'
import { ensurePrivateFile, ensurePrivateFolder } from '../../lib/private-file.ts'
import type { KeyRange } from '../contracts/revision-feed.ts'
import { StoreUnavailable } from '../contracts/store.ts'
import { readBatches } from '../sql/batches.ts'
import type { Database, Durability, Pause, Reader, ReadTransaction, SlotsQuery, Writer } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { SqliteBulkWriter } from './bulk-writer.ts'
import { SqliteConnection } from './connection.ts'
import { resultCodeOf, SQLITE_BUSY, sqliteMessage, sqliteStoreError, withSqlite } from './result-codes.ts'
import { parametersOf, SQLITE_KYSELY_DIALECT, SQLITE_SQL_DIALECT, sqliteQueries } from './sql-dialect.ts'

/** Longer than any transaction takes on a slow disk: a timeout means that another process is stuck. */
const WRITE_WAIT_MS_MAX = 30_000

/** A reader waits only while a log is recovered after a crash, or removed by the last process to close. */
const READ_WAIT_MS_MAX = 10_000

/**
 * Opens a SQLite file. Creates it and its folders if they do not exist, readable only by their owner. Throws with the path.
 *
 * Only SQLite opens an existing file: closing any descriptor drops all POSIX locks of the process on the file, including those of other
 * threads' connections. Another process could then remove the log. SQLite protects itself against this only since 3.51.
 */
export async function openSqlite(path: string): Promise<Database> {
  ensurePrivateFolder(dirname(path))
  // SQLite gives its log and its shared memory the owner and the permissions of the file it finds.
  ensurePrivateFile(path)
  try {
    await whenFree(() => useWriteAheadLog(path))
    return new SqliteDatabase(path)
  } catch (error) {
    if (resultCodeOf(error) === undefined) throw error
    throw new Error(`Cannot open store "${path}": ${sqliteMessage(error)}`, { cause: error })
  }
}

/**
 * One SQLite file over two connections: one for reads, and one for writes, one transaction at a time.
 *
 * The write connection sets its durability before each transaction. Two write connections, one per durability, could deadlock inside
 * one thread.
 */
class SqliteDatabase implements Database {
  readonly kind = 'sqlite'
  readonly kyselyDialect = SQLITE_KYSELY_DIALECT
  readonly sqlDialect = SQLITE_SQL_DIALECT
  readonly now = () => Date.now()
  readonly read: Reader
  readonly rowFolder: string
  readonly #path: string
  readonly #epoch: number
  readonly #fileId: string | undefined
  readonly #reading: SqliteReading
  readonly #connection: SqliteConnection
  readonly #writer: Writer
  #turn: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
    this.rowFolder = `${path}-rows`
    this.#connection = new SqliteConnection(path, {
      busyTimeoutMs: 0,
      cacheBytesMax: 16_777_216,
      readOnly: false,
    })
    this.#writer = { queries: sqliteQueries(this.#connection), bulk: new SqliteBulkWriter(this.#connection) }
    this.#reading = new SqliteReading(path, 4_194_304)
    this.read = this.#reading
    this.#epoch = fileEpoch(path)
    this.#fileId = fileId(path)
  }

  transaction<T>(durability: Durability, work: (writer: Writer) => Promise<T>): Promise<T> {
    const outcome = this.#turn.then(() => this.#run(durability, work))
    this.#turn = outcome.catch(() => undefined)
    return outcome.catch((error: unknown) => {
      throw sqliteStoreError(error)
    })
  }

  /** A file has one epoch, since published revisions are durable. A restored copy has another. */
  async epoch(): Promise<number> {
    return this.#epoch
  }

  /** Takes microseconds: SQLite compares a counter in shared memory. */
  dataVersion(): number {
    this.#requireFile()
    return this.#reading.dataVersion()
  }

  /** SQLite has no notifications between processes. Not a sleep per look: an idle node spends most of its time here. */
  waitForChange({ ms, unchangedMs, since }: Pause, signal: AbortSignal): Promise<void> {
    const endMs = performance.now() + unchangedMs
    return new Promise((resolve) => {
      const end = () => {
        clearInterval(looking)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const look = () => {
        if (performance.now() >= endMs || this.#hasChanged(since)) end()
      }
      const looking = setInterval(look, ms)
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
    })
  }

  /** Also if that cannot be read: the next read says why. */
  #hasChanged(since: number | undefined): boolean {
    try {
      return this.#reading.dataVersion() !== since
    } catch {
      return true
    }
  }

  async beginRead(): Promise<ReadTransaction> {
    // A single sequential read gains nothing from a larger cache.
    return withSqlite(() => {
      const reading = new SqliteReading(this.#path, 2_097_152)
      reading.begin()
      return reading
    })
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
    this.#requireFile()
    this.#connection.execute(`pragma synchronous = ${durability === 'power-cut' ? 'full' : 'normal'}`)
    this.#connection.execute('begin immediate')
  }

  /** Writes to a file that has lost its name would be confirmed, and lost with this process. */
  #requireFile(): void {
    if (fileId(this.#path) === this.#fileId) return
    throw new StoreUnavailable(
      `Cannot use the store "${this.#path}": its file was replaced or deleted while it was open: restart the service`,
    )
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

  dataVersion(): number {
    const row = withSqlite(() => this.#connection.prepareArrays('pragma data_version').statement.get())
    return Number(row?.[0])
  }

  async arrays(query: CompiledQuery): Promise<ReadonlyArray<readonly unknown[]>> {
    const rows: unknown = withSqlite(() =>
      this.#connection.prepareArrays(query.sql).statement.all(...parametersOf(query)),
    )
    return rows as unknown[][]
  }

  batches(query: SlotsQuery, keys?: KeyRange): ReturnType<ReadTransaction['batches']> {
    return readBatches(this, query, keys)
  }

  async close(): Promise<void> {
    this.#connection.close()
  }
}

/** With a write-ahead log, readers and the writer do not wait for each other. The setting persists in the file. */
function useWriteAheadLog(path: string): void {
  const connection = new SqliteConnection(path, { busyTimeoutMs: 0, cacheBytesMax: 65_536, readOnly: false })
  try {
    connection.execute('pragma journal_mode = wal')
  } finally {
    connection.close()
  }
}

/**
 * Retries an action until the write lock is free. SQLite's own busy timeout would block the thread, and with it every request.
 */
async function whenFree(act: () => void): Promise<void> {
  const deadlineMs = performance.now() + WRITE_WAIT_MS_MAX
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 4)) {
    try {
      return act()
    } catch (error) {
      if (resultCodeOf(error) !== SQLITE_BUSY) throw error
      if (performance.now() > deadlineMs) {
        throw new Error(`Cannot write to the store: its lock must be free within ${WRITE_WAIT_MS_MAX / 1000} s`, {
          cause: error,
        })
      }
    }
    await sleep(waitMs)
  }
}

/** Identifies the file that has a name now; undefined if there is none. An open file keeps its inode number. */
function fileId(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}.${found.ino}`
}

/**
 * The epoch of a file, in 48 bits: a hash of its inode number and creation time. A restored backup therefore has another epoch than the
 * file it was made of.
 *
 * Where neither value is stable (some network file systems), each mount is a new epoch. A backup that was copied over the file is not
 * detected: see `renewStore()`.
 */
function fileEpoch(path: string): number {
  const { ino, birthtimeNs } = statSync(path, { bigint: true })
  return Number.parseInt(hash('sha256', `${ino}.${birthtimeNs}`).slice(0, 12), 16)
}
