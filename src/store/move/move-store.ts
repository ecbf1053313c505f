import { existsSync, realpathSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { HOUR_MS } from '../../lib/time.ts'
import { sqlitePath } from '../open-store.ts'
import type { Database } from '../sql/database.ts'
import { isLeaseHeld } from '../sql/lease.ts'
import type { Schema } from '../sql/schema.ts'
import { copyTable, type MovedRows, SourceChanged, type TableForm } from './copy-table.ts'
import { openUnused } from './exclusive-use.ts'
import { clearTarget, finishTarget, prepareTarget, readMovedCounters, readOrigin } from './move-target.ts'
import { commonColumns, MOVED_NAMES, readColumns } from './moved-tables.ts'

/** The options of a move. */
interface Move {
  /** URLs as `openStore()` takes them. */
  readonly from: string
  readonly to: string
  readonly now: () => number
  /** Receives the number of rows of a table that are copied so far. */
  onProgress(table: string, rows: number): void
}

/** The result of a move. */
export interface Moved {
  /** An earlier, interrupted move was continued. */
  readonly resumed: boolean
  readonly tables: readonly MovedRows[]
}

/**
 * Copies one store to another of either kind, and compares both at the end.
 *
 * The source is only read. Its write lock is held from the first row to the last, so the copy is one consistent state. A killed
 * move continues where it stopped; until it is finished, no version opens the target as a store. Sessions, secrets and
 * revisions are copied; the store's number is not, because the copy is another store.
 *
 * Throws if a service has either of them open, if a sync holds a lease, or if the target contains other data.
 */
export async function moveStore(move: Move): Promise<Moved> {
  if (fileOrUrl(move.from) === fileOrUrl(move.to))
    throw new Error('Cannot move: --to must be another store than --from')
  await using opened = new AsyncDisposableStack()
  const from = await open(opened, move.from, '--from')
  const to = await open(opened, move.to, '--to')
  const origin = await readOrigin(from, move.now())
  return await from.transaction('kill', async ({ queries }) => {
    await stayConnected(from, queries)
    await refuseLeases(queries, move.now())
    const resumed = await prepareTarget(to, origin, move.now())
    const tables = await formsOf(from, to)
    const moved = await copyAll({ queries, to, tables, resumed, onProgress: move.onProgress })
    await finishTarget(to, origin, await readMovedCounters(queries))
    if (to.kind === 'postgres') await sql`analyze`.execute(to.read.queries)
    return { resumed, tables: moved }
  })
}

/** Several paths may lead to one file. */
function fileOrUrl(url: string): string {
  const path = sqlitePath(url)
  return path !== undefined && existsSync(path) ? realpathSync(path) : url
}

async function open(opened: AsyncDisposableStack, url: string, which: string): Promise<Database> {
  const path = sqlitePath(url)
  if (path !== undefined && which === '--from' && !existsSync(path)) {
    throw new Error(`Cannot move: --from must be an existing file: got "${path}"`)
  }
  const database = await openUnused(url, { task: 'move', which })
  opened.defer(() => database.close())
  return database
}

/** While the target is read, the transaction with the write lock is idle for longer than others may be. */
const SILENCE_MS_MAX = HOUR_MS

async function stayConnected({ kind }: Database, queries: Kysely<Schema>): Promise<void> {
  if (kind !== 'postgres') return
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(SILENCE_MS_MAX)}`.execute(queries)
}

/** A sync may run on another machine or behind a pooler, where its connections are not visible. */
async function refuseLeases(queries: Kysely<Schema>, nowMs: number): Promise<void> {
  const leases = await queries
    .selectFrom('sources')
    .select(['slug', 'lease_until_ms'])
    .where('lease_owner', 'is not', null)
    .execute()
  const slugs = leases.filter((lease) => isLeaseHeld(lease.lease_until_ms, nowMs)).map(({ slug }) => slug)
  if (slugs.length === 0) return
  throw new Error(
    `Cannot move: sources are being synced: ${slugs.join(', ')}. Stop the service, and wait a minute if it was killed`,
  )
}

async function formsOf(from: Database, to: Database): Promise<TableForm[]> {
  const [left, right] = [await readColumns(from), await readColumns(to)]
  return MOVED_NAMES.map((name) => ({ name, columns: commonColumns(name, left, right) }))
}

interface Copy {
  readonly queries: Kysely<Schema>
  readonly to: Database
  readonly tables: readonly TableForm[]
  readonly resumed: boolean
  readonly onProgress: Move['onProgress']
}

/** If the source changed since an earlier move copied it, everything is copied again. */
async function copyAll(copy: Copy): Promise<MovedRows[]> {
  try {
    return await copyEach(copy)
  } catch (error) {
    if (!(error instanceof SourceChanged)) throw error
    await clearTarget(copy.to)
    return await copyEach(copy)
  }
}

async function copyEach({ queries, to, tables, resumed, onProgress }: Copy): Promise<MovedRows[]> {
  const moved: MovedRows[] = []
  for (const table of tables) {
    const onRows = (rows: number) => onProgress(table.name, rows)
    moved.push(await copyTable(queries, to, table, { resumed, onRows }))
  }
  return moved
}
