import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from '../sql/database.ts'
import { SqliteConnection } from './connection.ts'
import { SqliteDatabase, whenFree } from './database.ts'

/** Opens a SQLite file, and makes it and its folders if there are none: readable by nobody but their owner. */
export async function openSqlite(path: string): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  createFile(path)
  await whenFree(() => useWriteAheadLog(path))
  return new SqliteDatabase(path)
}

/**
 * SQLite gives its log and its shared memory the permissions of the file it finds.
 *
 * A file that is there is opened by SQLite alone: whoever closes a file takes away every lock that the process has on it
 * (fcntl, POSIX), those of its other threads' connections too. Another process could then have the file for itself, and
 * take the log away under them. SQLite guards itself against that when it closes, but since 3.51 only.
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** With its own log, readers and the one writer never wait for each other. Stays set in the file. */
function useWriteAheadLog(path: string): void {
  const connection = new SqliteConnection(path, { busyTimeoutMs: 0, cacheBytesMax: 65_536, readOnly: false })
  try {
    connection.execute('pragma journal_mode = wal')
  } finally {
    connection.close()
  }
}
