import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * Numbers that only grow, each moved in the transaction that uses it, hence in the order of commits.
 *
 * `slots` and `keys` are the revisions that nodes follow; `purged` is the last slots revision whose dead may be
 * deleted; `store` never moves: it tells this store from all others; the rest are the ids given last. Ids come from here and not from the database's own generators because
 * they must never be used twice, also after the newest rows were deleted.
 */
export const COUNTERS = [
  'slots',
  'keys',
  'purged',
  'store',
  'source_ids',
  'sync_ids',
  'offering_ids',
  'slot_keys',
  'audit_ids',
  'recent_ids',
  'event_ids',
  'alert_ids',
  'action_ids',
] as const
export type Counter = (typeof COUNTERS)[number]

/** Moves a counter by `by` and returns its new value: of `n` ids taken, the last. For use inside a write transaction. */
export async function advance(queries: Kysely<Schema>, name: Counter, by = 1): Promise<number> {
  const row = await queries
    .updateTable('counters')
    .set((expression) => ({ value: expression('value', '+', by) }))
    .where('name', '=', name)
    .returning('value')
    .executeTakeFirstOrThrow()
  return row.value
}

/** The values of some counters, all of one moment. */
export async function readCounters<Name extends Counter>(
  queries: Kysely<Schema>,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const rows = await queries.selectFrom('counters').selectAll().where('name', 'in', names).execute()
  return Object.fromEntries(rows.map((row) => [row.name, row.value])) as Record<Name, number>
}
