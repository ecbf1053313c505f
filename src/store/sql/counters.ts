import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * Numbers that only grow, each advanced in the transaction that uses it, hence in commit order.
 *
 * `slots` and `keys` are the revisions that nodes tail; `purged` is the last slots revision whose deleted versions may be purged; `store`
 * identifies the store; the rest are the last used ids. Unlike the database's generators, they never reuse an id, even after the
 * newest rows were deleted.
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
  'resource_keys',
  'audit_ids',
  'audit_streamed',
  'event_ids',
  'alert_ids',
  'action_ids',
] as const
export type Counter = (typeof COUNTERS)[number]

/** Advances a counter and returns its new value: of `by` new ids, the last. Call it inside a write transaction. */
export async function advance(queries: Kysely<Schema>, name: Counter, by = 1): Promise<number> {
  const row = await queries
    .updateTable('counters')
    .set((expression) => ({ value: expression('value', '+', by) }))
    .where('name', '=', name)
    .returning('value')
    .executeTakeFirstOrThrow()
  return row.value
}

/** The values of some counters in one statement. */
export async function readCounters<Name extends Counter>(
  queries: Kysely<Schema>,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const rows = await queries.selectFrom('counters').selectAll().where('name', 'in', names).execute()
  return Object.fromEntries(rows.map((row) => [row.name, row.value])) as Record<Name, number>
}
