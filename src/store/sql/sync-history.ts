import type { Kysely } from 'kysely'
import { type FinishedSync, SYNC_HISTORY_MAX } from '../contracts/sources.ts'
import type { Lease } from './lease.ts'
import type { Schema } from './schema.ts'

/** Keeps a sync that is over, and forgets what is older than the `SYNC_HISTORY_MAX` newest of its source; in the transaction that ends it. */
export async function writeHistory(queries: Kysely<Schema>, of: Lease, past: FinishedSync): Promise<void> {
  const { slotCount, ...outcome } = past
  await queries
    .insertInto('sync_history')
    .values({
      sync_id: of.syncId,
      source_id: of.sourceId,
      outcome: JSON.stringify(outcome),
      slot_count: slotCount,
    })
    .execute()
  const oldest = queries
    .selectFrom('sync_history')
    .select('sync_id')
    .where('source_id', '=', of.sourceId)
    .orderBy('sync_id', 'desc')
    .limit(1)
    .offset(SYNC_HISTORY_MAX)
  await queries
    .deleteFrom('sync_history')
    .where('source_id', '=', of.sourceId)
    .where('sync_id', '<=', oldest)
    .execute()
}

/** Newest first. */
export async function readHistory(queries: Kysely<Schema>, sourceId: number): Promise<FinishedSync[]> {
  const rows = await queries
    .selectFrom('sync_history')
    .select(['outcome', 'slot_count'])
    .where('source_id', '=', sourceId)
    .orderBy('sync_id', 'desc')
    .limit(SYNC_HISTORY_MAX)
    .execute()
  return rows.map((row) => ({ ...JSON.parse(row.outcome), slotCount: row.slot_count }))
}
