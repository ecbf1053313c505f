import { errorMessage } from '../../lib/text.ts'
import { StoreUnavailable } from '../contracts/store.ts'
import { recordUnavailability } from '../sql/store-availability.ts'

export const SQLITE_BUSY = 5
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** The extended code for a shared memory that cannot grow, because the disk is full. Its message is `disk I/O error`. */
const SQLITE_IOERR_SHMSIZE = 4874

/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN. */
const DISK_ERRORS: readonly (number | undefined)[] = [8, 10, 13, 14]

/** The result code of an error of SQLite; undefined for others. Extended codes differ in the higher bits. */
export function resultCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
}

/** The message of an error of SQLite or of others. */
export function sqliteMessage(error: unknown): string {
  const isFull = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_IOERR_SHMSIZE
  return isFull ? 'database or disk is full' : errorMessage(error)
}

/** Whether the file of a database is damaged. */
export function isDamage(error: unknown): boolean {
  const code = resultCodeOf(error)
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}

/** Runs what uses a file. Throws like `sqliteStoreError()`. */
export function withSqlite<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw sqliteStoreError(error)
  }
}

/** Turns errors of a disk that cannot be used, and of a damaged file, into `StoreUnavailable`; returns others unchanged. */
export function sqliteStoreError(error: unknown): unknown {
  if (!isDamage(error) && !DISK_ERRORS.includes(resultCodeOf(error))) return error
  const advice = isDamage(error) ? ': restore a backup' : ''
  const unavailable = new StoreUnavailable(`Cannot use the store: ${sqliteMessage(error)}${advice}`, { cause: error })
  recordUnavailability(unavailable)
  return unavailable
}
