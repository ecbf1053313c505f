import { type Kysely, sql } from 'kysely'
import { migrate, UNFINISHED_MOVE } from '../migrations/migrate.ts'
import type { Database } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { APPEND_ONLY, MOVED_NAMES, readTables } from './moved-tables.ts'

/** Identifies the store that is copied. */
interface MoveOrigin {
  /** The store's number. */
  readonly store: number
  /** Its applied migrations, in order. */
  readonly steps: readonly string[]
}

/** Identifies the source and upgrades its schema. Throws if there is no store, or an unfinished move. */
export async function readOrigin(from: Database, nowMs: number): Promise<MoveOrigin> {
  if (!(await hasSteps(from))) throw new Error('Cannot move: --from must be a store, but the database is empty')
  await migrate(from, nowMs)
  const { queries } = from.read
  const { value } = await queries
    .selectFrom('counters')
    .select('value')
    .where('name', '=', 'store')
    .executeTakeFirstOrThrow()
  return { store: value, steps: await readSteps(queries) }
}

/**
 * Prepares the target. True if an unfinished move of the same store is to continue there.
 *
 * A marker in the table of migrations records that the move is unfinished, so that no version of the service serves half a
 * store. Throws if the target contains anything else.
 */
export async function prepareTarget(to: Database, origin: MoveOrigin, nowMs: number): Promise<boolean> {
  const mark = markOf(origin)
  const known = (await hasSteps(to)) ? await readSteps(to.read.queries) : []
  const others = known.filter((name) => name.startsWith(UNFINISHED_MOVE) && name !== mark)
  if (others.length > 0) throw notEmpty(`an ${others[0]}`)
  if (known.includes(mark)) {
    requireSameSteps(origin, known)
    return true
  }
  await migrate(to, nowMs)
  requireSameSteps(origin, await readSteps(to.read.queries))
  await to.transaction('power-cut', async ({ queries }) => {
    await requireEmpty(queries)
    await queries.insertInto('migrations').values({ name: mark, applied_at_ms: nowMs }).execute()
  })
  return false
}

/** Deletes what an earlier move copied, except for append-only tables, whose rows are still valid. */
export async function clearTarget(to: Database): Promise<void> {
  for (const name of [...MOVED_NAMES].reverse().filter((name) => name !== APPEND_ONLY)) {
    await to.transaction('kill', ({ queries }) => sql`delete from ${sql.table(name)}`.execute(queries))
  }
}

/** Copies the counters, except for the store's number, and removes the marker: the target becomes a store. */
export async function finishTarget(
  to: Database,
  origin: MoveOrigin,
  counters: ReadonlyMap<string, number>,
): Promise<void> {
  await to.transaction('power-cut', async ({ queries }) => {
    for (const [name, value] of counters) {
      await queries.updateTable('counters').set({ value }).where('name', '=', name).execute()
    }
    const now = await readMovedCounters(queries)
    for (const [name, value] of counters) {
      if (now.get(name) === value) continue
      throw new Error(`Cannot move: counter ${name} must be ${value}: got "${now.get(name)}"`)
    }
    await queries.deleteFrom('migrations').where('name', '=', markOf(origin)).execute()
  })
}

/** The counters that a move copies. */
export async function readMovedCounters(queries: Kysely<Schema>): Promise<Map<string, number>> {
  const rows = await queries.selectFrom('counters').selectAll().where('name', '<>', 'store').execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}

function markOf({ store }: MoveOrigin): string {
  return `${UNFINISHED_MOVE}${store}`
}

async function hasSteps(database: Database): Promise<boolean> {
  const tables = await readTables(database)
  return tables.some(({ name }) => name === 'migrations')
}

async function readSteps(queries: Kysely<Schema>): Promise<string[]> {
  const rows = await queries.selectFrom('migrations').select('name').execute()
  return rows.map(({ name }) => name).sort()
}

function requireSameSteps({ steps }: MoveOrigin, known: readonly string[]): void {
  const taken = known.filter((name) => !name.startsWith(UNFINISHED_MOVE))
  if (taken.join() === steps.join()) return
  throw new Error(
    `Cannot move: --to must have the schema of --from, ${steps.at(-1)}: got "${taken.at(-1)}". Use an empty database`,
  )
}

async function requireEmpty(queries: Kysely<Schema>): Promise<void> {
  for (const name of MOVED_NAMES) {
    const { rows } = await sql`select 1 as one from ${sql.table(name)} limit 1`.execute(queries)
    if (rows.length > 0) throw notEmpty(`rows in ${name}`)
  }
  for (const [name, value] of await readMovedCounters(queries)) {
    if (value !== 0) throw notEmpty(`a counter ${name} of ${value}`)
  }
}

function notEmpty(got: string): Error {
  return new Error(`Cannot move: --to must be empty, or hold an unfinished move of the same store: got "${got}"`)
}
