import { errorCode, errorMessage } from '../../lib/text.ts'
import { StoreUnavailable } from '../contracts/store.ts'
import type { Database } from '../sql/database.ts'
import { asStoreError, Primary } from './connections.ts'
import { PostgresDatabase } from './database.ts'
import { NotificationListener } from './notification-listener.ts'

/**
 * Opens an existing PostgreSQL database on the host of the URL that accepts writes. The tables are created in the first schema of the
 * search path.
 *
 * `directUrl` bypasses a transaction pooler, for `NotificationListener`, which needs a session. Throws `StoreUnavailable` if no host
 * responds or accepts writes.
 */
export async function openPostgres(databaseUrl: string, directUrl = databaseUrl): Promise<Database> {
  const primary = new Primary(databaseUrl)
  try {
    await createWriteLock(primary)
    return new PostgresDatabase(primary, new NotificationListener(directUrl), await hasTimelines(primary))
  } catch (error) {
    await primary.end()
    throw openingError(error)
  }
}

/** An error of the server or the driver, such as for a missing password, as one of the store. */
function openingError(error: unknown): unknown {
  const storeError = asStoreError(error)
  const reason = errorMessage(error)
  if (storeError instanceof StoreUnavailable || reason.startsWith('Cannot ')) return storeError
  return new Error(`Cannot open store: ${reason}`, { cause: error })
}

/**
 * Undefined function, feature not supported, and object not in prerequisite state. Amazon Aurora, whose nodes share one log, reports
 * the last; so does a standby, which was excluded before.
 */
const UNKNOWN_HERE = new Set(['42883', '0A000', '55000'])

async function hasTimelines(primary: Primary): Promise<boolean> {
  try {
    await primary.query({ text: 'select pg_walfile_name(pg_current_wal_lsn())' })
    return true
  } catch (error) {
    const refusal = error instanceof StoreUnavailable ? error.cause : error
    if (!UNKNOWN_HERE.has(errorCode(refusal) ?? '')) throw error
    return false
  }
}

/** Two nodes create the table at once: one violates a unique index of the catalog, and finds the table on its next attempt. */
const CREATED_MEANWHILE = new Set(['23505', '42P07', 'XX000'])

const STATE = `select to_regclass('write_lock') is not null as exists, current_setting('server_encoding') as encoding`

/** The one table that the first transaction needs. Throws for a new store in a database that cannot store every text. */
async function createWriteLock(primary: Primary, triesLeft = 5): Promise<void> {
  try {
    const { rows } = await primary.query({ text: STATE })
    const [{ exists, encoding }] = rows
    if (!exists && encoding !== 'UTF8')
      throw new Error(`Cannot open store: the database must have the encoding UTF8: got "${encoding}"`)
    if (!exists) await primary.query({ text: 'create table if not exists write_lock (id integer primary key)' })
    await primary.query({ text: 'insert into write_lock (id) values (1) on conflict do nothing' })
  } catch (error) {
    if (triesLeft === 0 || !CREATED_MEANWHILE.has(errorCode(error) ?? '')) throw error
    await createWriteLock(primary, triesLeft - 1)
  }
}
