import type { Kysely } from 'kysely'
import { HOUR_MS } from '../../lib/time.ts'
import type { Schema } from './schema.ts'

/**
 * Numbers that only grow, each advanced in the transaction that uses it, hence in commit order.
 *
 * `slots`, `keys` and `subscriptions` are the revisions that nodes tail; `slots_at_ms` is when `slots` last advanced; `purged` is the last slots revision whose deleted versions may be purged; `store`
 * identifies the store; the rest are the last used ids. Unlike the database's generators, they never reuse an id, even after the
 * newest rows were deleted.
 */
export const COUNTERS = [
  'slots',
  'slots_at_ms',
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
  'subscriptions',
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

/** Clocks of nodes differ by less. */
const CLOCKS_DIFFER_MS_MAX = HOUR_MS

/**
 * Advances the revision of the slots. Its time is now, or that of the revision before if that is later, because the clocks of nodes
 * differ; a time that is more than an hour ahead was wrong and is not kept. Call it inside a write transaction.
 */
export async function advanceSlots(
  queries: Kysely<Schema>,
  nowMs: number,
): Promise<{ revision: number; committed_at_ms: number }> {
  const revision = await advance(queries, 'slots')
  const { slots_at_ms: beforeMs } = await readCounters(queries, ['slots_at_ms'])
  const atMs = beforeMs > nowMs && beforeMs <= nowMs + CLOCKS_DIFFER_MS_MAX ? beforeMs : nowMs
  await queries.updateTable('counters').set({ value: atMs }).where('name', '=', 'slots_at_ms').execute()
  return { revision, committed_at_ms: atMs }
}

/** The values of some counters in one statement. */
export async function readCounters<Name extends Counter>(
  queries: Kysely<Schema>,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const rows = await queries.selectFrom('counters').selectAll().where('name', 'in', names).execute()
  return Object.fromEntries(rows.map((row) => [row.name, row.value])) as Record<Name, number>
}
