import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** By this name a move's own connections are told from those of a service. */
export const MOVE_APPLICATION = 'scheduling-slots-move'

/**
 * Throws if anybody has the SQLite file open, whether they write or not: the last to close a file removes its shared memory, so
 * where it is left after our own closing, we were not the last. To be asked before one opens it oneself.
 */
export function refuseOpenFile(path: string, which: string): void {
  const connection = new DatabaseSync(path, { timeout: OPEN_WAIT_MS_MAX })
  try {
    connection.prepare('select count(*) from sqlite_master').get()
  } finally {
    connection.close()
  }
  if (existsSync(`${path}-shm`)) throw inUse(which, 'another process that has the file open')
}

/** Whoever opens a file waits while another recovers its log after a crash. */
const OPEN_WAIT_MS_MAX = 10_000

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

function inUse(which: string, got: string): Error {
  return new Error(`Cannot move: ${which} must not be in use, stop the service first: got ${got}`)
}
