import { type Kysely, sql } from 'kysely'
import { StoreUnavailable } from '../contracts/store.ts'
import type { Database, SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { BASELINE, baseline } from './0001-baseline.ts'
import { addAccountActivity } from './0002-account-activity.ts'
import { addSuspensions } from './0003-suspensions.ts'
import { addKeyLabels } from './0004-key-labels.ts'
import { addSubscriptions } from './0005-subscriptions.ts'
import { indexAuditKinds } from './0006-audit-kinds.ts'
import { addUsageBatches } from './0007-usage-batches.ts'
import { addInviters } from './0008-inviters.ts'

/**
 * One step of the schema. The name of a step that only adds (tables, indexes, columns with a default or null) ends in `+`: versions
 * without it can use the store, so nodes of both run side by side during an upgrade, and an upgrade can be taken back. No step changes
 * `write_lock`, whose row transactions of running nodes wait for.
 */
interface Migration {
  readonly name: string
  up(queries: Kysely<Schema>, dialect: SqlDialect): Promise<void>
}

/** Every step from an empty database to `schema.ts`, in order. Append only: a released step is never edited. */
export const MIGRATIONS: readonly Migration[] = [
  { name: BASELINE, up: baseline },
  { name: '0002-account-activity', up: addAccountActivity },
  { name: '0003-suspensions', up: addSuspensions },
  { name: '0004-key-labels', up: addKeyLabels },
  { name: '0005-subscriptions', up: addSubscriptions },
  { name: '0006-audit-kinds+', up: indexAuditKinds },
  { name: '0007-usage-batches+', up: addUsageBatches },
  { name: '0008-inviters+', up: addInviters },
]

/**
 * Upgrades the schema of a store to this code; forward only. Takes the write lock only if a step is missing.
 *
 * All steps run in one write transaction: of several processes that start at once one migrates and the others wait, and a
 * killed one leaves the schema unchanged. Throws if a development version created the store, or a newer one changed more than it added.
 */
export async function migrate(database: Database, nowMs: number, migrations = MIGRATIONS): Promise<void> {
  const applied = await findApplied(database)
  refuseUnknown(applied, migrations)
  if (migrations.every(({ name }) => applied.has(name))) return
  await database.transaction('power-cut', async ({ queries }) => {
    const applied = await readApplied(queries, database.sqlDialect)
    refuseUnknown(applied, migrations)
    for (const { name, up } of migrations) {
      if (applied.has(name)) continue
      await up(queries, database.sqlDialect)
      await queries.insertInto('migrations').values({ name, applied_at_ms: nowMs }).execute()
    }
  })
}

/** Empty if the table does not exist, which each database reports with a different error. */
async function findApplied({ read }: Database): Promise<Set<string>> {
  try {
    return await listApplied(read.queries)
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    return new Set()
  }
}

async function readApplied(queries: Kysely<Schema>, dialect: SqlDialect): Promise<Set<string>> {
  await queries.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('applied_at_ms', dialect.integer, (column) => column.notNull())
    .modifyEnd(sql.raw(dialect.tableEnd))
    .execute()
  return listApplied(queries)
}

async function listApplied(queries: Kysely<Schema>): Promise<Set<string>> {
  const rows = await queries.selectFrom('migrations').select('name').execute()
  return new Set(rows.map((row) => row.name))
}

/** Prefix of a marker among the migrations: while it exists, every version refuses to open the store. See `move/`. */
export const UNFINISHED_MOVE = 'unfinished move of store '

function refuseUnknown(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map((migration) => migration.name))
  if ([...applied].some((name) => name.startsWith('0001-') && !known.has(name))) {
    throw new Error(
      'Cannot open store: a development version created it, and its layout cannot be upgraded. Create a new store: point DATABASE_URL to a new SQLite file or to an empty PostgreSQL database',
    )
  }
  for (const name of applied) {
    if (known.has(name) || name.endsWith('+')) continue
    if (name.startsWith(UNFINISHED_MOVE)) {
      throw new Error(
        'Cannot open store: the move into it must be finished first. Run the same "move" again to continue it',
      )
    }
    throw new Error(
      `Cannot open store: a newer version upgraded it to schema "${name}", and this version knows ${[...known].at(-1)}. Run the newer version, or restore a backup from before the upgrade`,
    )
  }
}
