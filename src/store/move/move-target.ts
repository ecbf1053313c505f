import { type Kysely, sql } from 'kysely'
import { migrate, UNFINISHED_MOVE } from '../migrations/migrate.ts'
import type { Database } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { APPEND_ONLY, MOVED_NAMES, readTables } from './moved-tables.ts'

/** What a target must know of the store that it is to become. */
export interface MoveOrigin {
  /** Its number among all stores. */
  readonly store: number
  /** The migrations it has taken, in order. */
  readonly steps: readonly string[]
}

/** Where a store comes from. Brings its schema up to this code; throws if there is no store, or only half a one. */
export async function readOrigin(from: Database, nowMs: number): Promise<MoveOrigin> {
  if (!(await hasSteps(from))) throw new Error('Cannot move: --from must be a store: got an empty database')
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
 * Makes a target ready to be written. True if a move of the same store was begun there, and is to be gone on with.
 *
 * A mark in the table of migrations says that the move is not finished, so that no version of the service, older ones
 * included, serves half a store. Throws if the target holds anything else.
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

/** Takes out what an earlier move has copied of tables that have changed since. What is append-only is still true. */
export async function clearTarget(to: Database): Promise<void> {
  for (const name of [...MOVED_NAMES].reverse().filter((name) => name !== APPEND_ONLY)) {
    await to.transaction('kill', ({ queries }) => sql`delete from ${sql.table(name)}`.execute(queries))
  }
}

/** Sets the counters, all but the one that tells stores apart, and takes the mark away: from now on it is a store. */
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

/** The counters that a store takes with it. */
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
    `Cannot move: --to must have the schema of --from, ${steps.at(-1)}: got "${taken.at(-1)}". Take an empty database`,
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
  return new Error(
    `Cannot move: --to must be empty, or hold an unfinished move of the same store: got "${got}"`,
  )
}
