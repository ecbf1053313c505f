import { type Kysely, sql } from 'kysely'
import { StoreUnavailable } from '../contracts/store.ts'
import type { Database, SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { first } from './0001-first.ts'
import { accounts } from './0002-accounts.ts'
import { announcements } from './0003-announcements.ts'
import { sourceFormats } from './0004-source-formats.ts'
import { changeLog } from './0005-change-log.ts'
import { freshSources } from './0006-fresh-sources.ts'
import { sourceFreshness } from './0007-source-freshness.ts'
import { alerts } from './0008-alerts.ts'
import { sourceActions } from './0009-source-actions.ts'

/** Every step from an empty database to `schema.ts`, in order. Append only: a step that was released is never edited. */
const MIGRATIONS: ReadonlyArray<{
  name: string
  up(queries: Kysely<Schema>, terms: SqlDialect): Promise<void>
}> = [
  { name: '0001-first', up: first },
  { name: '0002-accounts', up: accounts },
  { name: '0003-announcements', up: announcements },
  { name: '0004-source-formats', up: sourceFormats },
  { name: '0005-change-log', up: changeLog },
  { name: '0006-fresh-sources', up: freshSources },
  { name: '0007-source-freshness', up: sourceFreshness },
  { name: '0008-alerts', up: alerts },
  { name: '0009-source-actions', up: sourceActions },
]

/**
 * Brings the store to the schema of this code; forward only. Takes no turn to write where nothing is to be done, so that
 * who only reads never waits for one who writes.
 *
 * All in one write transaction, so that of several processes that start at once the first migrates, the others wait
 * and find it done, and a killed one leaves nothing half made. Throws if the store was written by a newer version.
 */
export async function migrate(database: Database, nowMs: number): Promise<void> {
  const applied = await findApplied(database)
  refuseUnknown(applied)
  if (MIGRATIONS.every(({ name }) => applied.has(name))) return
  await database.transaction('power-cut', async ({ queries }) => {
    const applied = await readApplied(queries, database.sqlDialect)
    refuseUnknown(applied)
    for (const { name, up } of MIGRATIONS) {
      if (applied.has(name)) continue
      await up(queries, database.sqlDialect)
      await queries.insertInto('migrations').values({ name, applied_at_ms: nowMs }).execute()
    }
  })
}

/** None where there is no such table yet, which each database says in words of its own. */
async function findApplied({ read }: Database): Promise<Set<string>> {
  try {
    return await listApplied(read.queries)
  } catch (thrown) {
    if (thrown instanceof StoreUnavailable) throw thrown
    return new Set()
  }
}

/** Makes the table if there is none. */
async function readApplied(queries: Kysely<Schema>, terms: SqlDialect): Promise<Set<string>> {
  await queries.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('applied_at_ms', terms.integer, (column) => column.notNull())
    .modifyEnd(sql.raw(terms.tableEnd))
    .execute()
  return listApplied(queries)
}

async function listApplied(queries: Kysely<Schema>): Promise<Set<string>> {
  const rows = await queries.selectFrom('migrations').select('name').execute()
  return new Set(rows.map((row) => row.name))
}

/** How a mark among the migrations begins that keeps half a store from being opened, by older versions too: see `move/`. */
export const UNFINISHED_MOVE = 'unfinished move of store '

function refuseUnknown(applied: ReadonlySet<string>): void {
  const known = new Set(MIGRATIONS.map((migration) => migration.name))
  for (const name of applied) {
    if (known.has(name)) continue
    if (name.startsWith(UNFINISHED_MOVE)) {
      throw new Error(`Cannot open store: the move into it must be finished first: got an "${name}"`)
    }
    throw new Error(`Cannot open store: its schema must be no newer than ${[...known].at(-1)}: got "${name}"`)
  }
}
