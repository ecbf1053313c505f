import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** By this name a move's own connections are told from those of a service. */
export const MOVE_APPLICATION = 'scheduling-slots-move'

/**
 * Throws if another process has the SQLite file open, whether it writes or not: a connection holds a lock on its file for
 * as long as it lasts, so that the whole file can be locked only when there is none. To be asked before one opens it oneself.
 */
export function refuseOpenFile(path: string, which: string): void {
  const connection = new DatabaseSync(path, { timeout: 0 })
  try {
    connection.exec('pragma locking_mode = exclusive; begin exclusive; rollback')
  } catch (error) {
    if (!isLocked(error)) throw error
    throw inUse(which, 'another process that has the file open')
  } finally {
    connection.close()
  }
}

/** Throws if a service is connected to the PostgreSQL database, as far as the server shows it. */
export async function refuseConnections({ read }: Database, which: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database()
      and application_name like 'scheduling-slots%' and application_name <> ${MOVE_APPLICATION}`.execute(
    read.queries,
  )
  if (rows[0].count > 0) throw inUse(which, `${rows[0].count} connections of a service`)
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}

function inUse(which: string, got: string): Error {
  return new Error(`Cannot move: ${which} must not be in use, stop the service first: got ${got}`)
}
