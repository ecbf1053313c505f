import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase, sqlitePath } from '../open-store.ts'
import type { Database } from '../sql/database.ts'
import { OPEN_WAIT_MS_MAX } from '../sqlite/connection.ts'
import { isDamage } from '../sqlite/result-codes.ts'

/** The task that needs exclusive access to a store, and the store's name for messages. */
interface SoleUse {
  readonly task: 'move' | 'renew' | 'restore'
  readonly which: string
}

/** As `openDatabase()`. Throws if a service has the store open. */
export async function openUnused(url: string, use: SoleUse): Promise<Database> {
  const path = sqlitePath(url)
  if (path !== undefined && existsSync(path)) refuseOpenFile(path, use)
  const database = await openDatabase(path === undefined ? named(url) : url)
  try {
    if (path === undefined) await refuseConnections(database, use)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Distinguishes our own connections from those of a service. */
const APPLICATION = 'scheduling-slots-move'

/** The last of several names applies: ours. */
function named(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}application_name=${APPLICATION}`
}

/**
 * Throws if another process has the SQLite file open, even for reading: the last process to close a file removes its shared
 * memory, so a file left after our own close belongs to another. That holds for a damaged file too. Call it before opening the file.
 */
export function refuseOpenFile(path: string, use: SoleUse): void {
  const connection = new DatabaseSync(path, { timeout: OPEN_WAIT_MS_MAX })
  try {
    connection.prepare('select count(*) from sqlite_master').get()
  } catch (error) {
    if (!isDamage(error)) throw error
  } finally {
    connection.close()
  }
  if (existsSync(`${path}-shm`)) throw inUse(use, 'another process has the file open')
}

/** Throws if a service stays connected to the PostgreSQL database, as far as the server shows it. */
async function refuseConnections(database: Database, use: SoleUse): Promise<void> {
  const endMs = performance.now() + ENDING_MS_MAX
  let count = await connectionsOf(database)
  while (count > 0 && performance.now() < endMs) {
    await sleep(CHECK_EVERY_MS)
    count = await connectionsOf(database)
  }
  if (count > 0) throw inUse(use, `a service or its pooler has ${count} connections`)
}

/** PostgreSQL shows a connection for a moment after it was closed. */
const ENDING_MS_MAX = 1000
const CHECK_EVERY_MS = 50

async function connectionsOf({ read }: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database()
      and application_name like 'scheduling-slots%' and application_name <> ${APPLICATION}`.execute(read.queries)
  return rows[0].count
}

function inUse({ task, which }: SoleUse, got: string): Error {
  return new Error(`Cannot ${task}: ${which} must not be in use, but ${got}. Stop the service first`)
}
