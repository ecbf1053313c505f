import { type Kysely, sql } from 'kysely'
import {
  RECENT_MAX,
  type RecentRequest,
  type UsageBatch,
  type UsageFilter,
  type UsageStore,
} from '../contracts/keys.ts'
import { WRITE_ROWS_MAX, writeBatches } from './batches.ts'
import { advance } from './counters.ts'
import { fromRow } from './row-mapping.ts'
import type { Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** The tables of counts, and the column that they count by besides key and hour. */
const COUNTS = [
  { table: 'usage_hours', kind: 'status' },
  { table: 'usage_latencies', kind: 'bucket' },
] as const

/** `UsageStore` over any database. */
export class SqlUsageStore extends SqlStore implements UsageStore {
  async add(batch: UsageBatch): Promise<void> {
    await this.database.transaction('kill', async ({ queries, bulk }) => {
      const lastRecentId = batch.recent.length === 0 ? 0 : await advance(queries, 'recent_ids', batch.recent.length)
      await bulk.addUsage(batch, lastRecentId)
      for (const keyId of new Set(batch.recent.map((request) => request.keyId))) await trim(queries, keyId)
      await bulk.putLastUsed(batch.lastUsed)
    })
  }

  async hours(filter: UsageFilter): Promise<{ hourMs: number; keyId: string; status: number; requests: number }[]> {
    let query = this.queries
      .selectFrom('usage_hours')
      .innerJoin('api_keys', 'api_keys.id', 'usage_hours.key_id')
      .select(['hour_ms', 'key_id', 'status', 'requests'])
      .where('organization_id', '=', filter.organizationId)
      .where('hour_ms', '>=', filter.fromMs)
      .where('hour_ms', '<', filter.toMs)
    if (filter.keyId !== undefined) query = query.where('key_id', '=', filter.keyId)
    const rows = await query.orderBy('hour_ms').orderBy('key_id').orderBy('status').execute()
    return rows.map(fromRow)
  }

  async latencies(filter: UsageFilter): Promise<{ bucket: number; requests: number }[]> {
    let query = this.queries
      .selectFrom('usage_latencies')
      .innerJoin('api_keys', 'api_keys.id', 'usage_latencies.key_id')
      .select((table) => ['bucket', table.fn.sum<number>('requests').as('requests')])
      .where('organization_id', '=', filter.organizationId)
      .where('hour_ms', '>=', filter.fromMs)
      .where('hour_ms', '<', filter.toMs)
    if (filter.keyId !== undefined) query = query.where('key_id', '=', filter.keyId)
    const rows = await query.groupBy('bucket').orderBy('bucket').execute()
    return rows.map(({ bucket, requests }) => ({ bucket, requests: Number(requests) }))
  }

  async recent(organizationId: string, keyId: string): Promise<RecentRequest[]> {
    const rows = await this.queries
      .selectFrom('recent_requests')
      .innerJoin('api_keys', 'api_keys.id', 'recent_requests.key_id')
      .select(['at_ms', 'method', 'target', 'status', 'duration_us', 'request_id'])
      .where('organization_id', '=', organizationId)
      .where('key_id', '=', keyId)
      .orderBy('at_ms', 'desc')
      .orderBy('recent_requests.id', 'desc')
      .limit(RECENT_MAX)
      .execute()
    return rows.map(fromRow)
  }

  async deleteBefore(beforeMs: number): Promise<void> {
    for (const counts of COUNTS) {
      await writeBatches(this.database, ({ queries }) => forgetCounts(queries, counts, beforeMs))
    }
  }
}

/** Orders by time, not by id: several nodes record the requests of one key. */
async function trim(queries: Kysely<Schema>, keyId: string): Promise<void> {
  const old = queries
    .selectFrom('recent_requests')
    .select('id')
    .where('key_id', '=', keyId)
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(WRITE_ROWS_MAX)
    .offset(RECENT_MAX)
  await queries.deleteFrom('recent_requests').where('id', 'in', old).execute()
}

/** Deletes at most one batch. Raw SQL, since Kysely's types do not allow a table name as a parameter. */
async function forgetCounts(
  queries: Kysely<Schema>,
  { table, kind }: (typeof COUNTS)[number],
  beforeMs: number,
): Promise<number> {
  const key = sql`key_id, hour_ms, ${sql.ref(kind)}`
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where (${key}) in
      (select ${key} from ${sql.table(table)} where hour_ms < ${beforeMs} limit ${sql.lit(WRITE_ROWS_MAX)})`.execute(
    queries,
  )
  return Number(numAffectedRows ?? 0)
}
