import type { Kysely } from 'kysely'
import type { UsageBatchId } from '../../keys/usage-batch.ts'
import type { ReferralCount, UsageBatch, UsageFilter, UsageStore } from '../contracts/keys.ts'
import { LOG_ENTRIES_MAX } from '../contracts/request-log.ts'
import { deleteInBatches } from './batches.ts'
import { appendToLogs } from './request-log.ts'
import { fromRow } from './row-mapping.ts'
import type { Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** `UsageStore` over any database. */
export class SqlUsageStore extends SqlStore implements UsageStore {
  async add(batch: UsageBatch, logEntriesMax: number = LOG_ENTRIES_MAX): Promise<void> {
    await this.database.transaction('kill', async (writer) => {
      if (batch.id !== undefined && !(await isNew(writer.queries, batch.id, this.now()))) return
      await writer.bulk.addUsage(batch)
      await appendToLogs(writer, batch.logged, { entriesMax: logEntriesMax, sqlDialect: this.database.sqlDialect })
      await writer.bulk.putLastUsed(batch.lastUsed)
      await addReferrals(writer.queries, batch.referrals)
    })
  }

  async hours(
    filter: UsageFilter & { readonly rowsMax?: number },
  ): Promise<{ hourMs: number; keyId: string; status: number; requests: number }[]> {
    let query = this.queries
      .selectFrom('usage_hours')
      .innerJoin('api_keys', 'api_keys.id', 'usage_hours.key_id')
      .select(['hour_ms', 'key_id', 'status', 'requests'])
      .where('organization_id', '=', filter.organizationId)
      .where('hour_ms', '>=', filter.fromMs)
      .where('hour_ms', '<', filter.toMs)
    if (filter.keyId !== undefined) query = query.where('key_id', '=', filter.keyId)
    if (filter.rowsMax !== undefined) query = query.limit(filter.rowsMax)
    const rows = await query.orderBy('hour_ms').orderBy('key_id').orderBy('status').execute()
    return rows.map(fromRow)
  }

  async latencies(filter: UsageFilter): Promise<{ hourMs: number; counts: number[] }[]> {
    let query = this.queries
      .selectFrom('usage_latencies')
      .innerJoin('api_keys', 'api_keys.id', 'usage_latencies.key_id')
      .select((table) => ['hour_ms', 'bucket', table.fn.sum<number>('requests').as('requests')])
      .where('organization_id', '=', filter.organizationId)
      .where('hour_ms', '>=', filter.fromMs)
      .where('hour_ms', '<', filter.toMs)
    if (filter.keyId !== undefined) query = query.where('key_id', '=', filter.keyId)
    const rows = await query.groupBy(['hour_ms', 'bucket']).orderBy('hour_ms').orderBy('bucket').execute()
    return [...Map.groupBy(rows, ({ hour_ms }) => hour_ms)].map(([hourMs, ofHour]) => ({
      hourMs,
      counts: countsOf(ofHour),
    }))
  }

  async referrals(slug: string, fromMs: number): Promise<number> {
    const row = await this.queries
      .selectFrom('referrals')
      .innerJoin('sources', 'sources.id', 'referrals.source_id')
      .select(({ fn }) => fn.sum<number | null>('referrals').as('sum'))
      .where('slug', '=', slug)
      .where('day_ms', '>=', fromMs)
      .executeTakeFirst()
    return Number(row?.sum ?? 0)
  }

  async deleteBefore(beforeMs: number): Promise<void> {
    await this.database.transaction('kill', async ({ queries }) => {
      await queries.deleteFrom('referrals').where('day_ms', '<', beforeMs).execute()
      await queries.deleteFrom('usage_batches').where('stored_at_ms', '<', beforeMs).execute()
    })
    const hours = ['key_id', 'hour_ms', 'status'] as const
    await deleteInBatches(this.database, 'usage_hours', hours, (row) => row('hour_ms', '<', beforeMs))
    const latencies = ['key_id', 'hour_ms', 'bucket'] as const
    await deleteInBatches(this.database, 'usage_latencies', latencies, (row) => row('hour_ms', '<', beforeMs))
  }
}

/** Whether the batch was not stored before: its sender may not have learned whether it was committed. */
async function isNew(queries: Kysely<Schema>, { meter, number }: UsageBatchId, nowMs: number): Promise<boolean> {
  const stored = { number, stored_at_ms: nowMs }
  const row = await queries
    .insertInto('usage_batches')
    .values({ meter, ...stored })
    .onConflict((conflict) => conflict.column('meter').doUpdateSet(stored).where('usage_batches.number', '<', number))
    .returning('meter')
    .executeTakeFirst()
  return row !== undefined
}

/** The number of requests in each bucket, up to the last one that is not empty. */
function countsOf(rows: readonly { bucket: number; requests: number }[]): number[] {
  const counts: number[] = []
  for (const { bucket, requests } of rows) {
    while (counts.length < bucket) counts.push(0)
    counts.push(Number(requests))
  }
  return counts
}

/** In order of the rows, so that two nodes never wait for each other. */
async function addReferrals(queries: Kysely<Schema>, referrals: readonly ReferralCount[]): Promise<void> {
  if (referrals.length === 0) return
  const slugs = [...new Set(referrals.map(({ publisher }) => publisher))]
  const sources = await queries.selectFrom('sources').select(['id', 'slug']).where('slug', 'in', slugs).execute()
  const ids = new Map(sources.map(({ id, slug }) => [slug, id]))
  const rows = referrals.flatMap(({ publisher, dayMs, count }) => {
    const id = ids.get(publisher)
    return id === undefined ? [] : [{ source_id: id, day_ms: dayMs, referrals: count }]
  })
  for (const row of rows.toSorted((a, b) => a.source_id - b.source_id || a.day_ms - b.day_ms))
    await queries
      .insertInto('referrals')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['source_id', 'day_ms']).doUpdateSet((set) => ({
          referrals: set('referrals.referrals', '+', set.ref('excluded.referrals')),
        })),
      )
      .execute()
}
