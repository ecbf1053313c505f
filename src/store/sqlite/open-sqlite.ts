import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from '../database.ts'
import { SqliteConnection } from './connection.ts'
import { SqliteDatabase, whenFree } from './sqlite-database.ts'

/** Opens a SQLite file, and makes it and its folders if there are none: readable by nobody but their owner. */
export async function openSqlite(path: string): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // SQLite gives its log and its shared memory the permissions of the file it finds.
  closeSync(openSync(path, 'a', 0o600))
  await whenFree(() => useWriteAheadLog(path))
  return new SqliteDatabase(path)
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
