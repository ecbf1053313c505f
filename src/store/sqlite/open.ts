import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from '../sql/database.ts'
import { SqliteConnection } from './connection.ts'
import { SqliteDatabase, whenFree } from './database.ts'

/** Opens a SQLite file. Creates it and its folders if they do not exist, readable only by their owner. */
export async function openSqlite(path: string): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  createFile(path)
  await whenFree(() => useWriteAheadLog(path))
  return new SqliteDatabase(path)
}

/**
 * SQLite gives its log and its shared memory the permissions of the file it finds.
 *
 * Only SQLite opens an existing file: closing any descriptor drops all POSIX locks of the process on the file, including those of other
 * threads' connections. Another process could then remove the log. SQLite protects itself against this only since 3.51.
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
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
