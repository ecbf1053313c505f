import { type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { LoggedRequest } from '../../keys/usage-batch.ts'
import { ADDRESSES_PER_KEY } from '../../keys/usage-batch.ts'
import { nextTurn } from '../../lib/next-turn.ts'
import { defined } from '../../lib/optional.ts'
import type { KeyAddress, LogEntry, LogFilter, RequestLog } from '../contracts/request-log.ts'
import { deleteInBatches, WRITE_ROWS_MAX, writeBatches } from './batches.ts'
import type { SqlDialect, Writer } from './database.ts'
import { fromRow } from './row-mapping.ts'
import type { RequestLogRow, Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** Entries that one query reads: some milliseconds. */
const ENTRIES_PER_READ = 10_000

/** `RequestLog` over any database. */
export class SqlRequestLog extends SqlStore implements RequestLog {
  async list(filter: LogFilter, { beforeEntry, limit }: { beforeEntry?: number; limit: number }): Promise<LogEntry[]> {
    const oldest = await this.#oldestEntry(filter.organizationId)
    const end = (await this.#lastEntry(filter.organizationId)) + 1
    let before = Math.min(beforeEntry ?? end, end)
    const found: LogEntry[] = []
    while (found.length < limit && before > oldest) {
      await nextTurn()
      const from = before - (filter.requestId === undefined ? ENTRIES_PER_READ : before)
      const rows = await this.#matching(filter)
        .selectAll()
        .where('entry', '>=', from)
        .where('entry', '<', before)
        .orderBy('entry', 'desc')
        .limit(limit - found.length)
        .execute()
      found.push(...rows.map(entryOf))
      before = from
    }
    return found
  }

  async leftOut({ organizationId, keyId, fromMs, toMs }: Parameters<RequestLog['leftOut']>[0]): Promise<number> {
    const row = await this.#matching({ organizationId, ...defined({ keyId, fromMs, toMs }) })
      .select(({ fn }) => fn.sum<number | null>('left_out').as('sum'))
      .where(sql<SqlBool>`left_out > 0`)
      .executeTakeFirst()
    return Number(row?.sum ?? 0)
  }

  async addresses(
    { organizationId, keyId }: { organizationId: string; keyId: string },
    sinceMs: number,
  ): Promise<KeyAddress[]> {
    const rows = await this.queries
      .selectFrom('key_addresses')
      .innerJoin('api_keys', 'api_keys.id', 'key_addresses.key_id')
      .select(['address', 'first_seen_ms', 'last_seen_ms'])
      .where('organization_id', '=', organizationId)
      .where('key_id', '=', keyId)
      .where('last_seen_ms', '>=', sinceMs)
      .orderBy('last_seen_ms', 'desc')
      .orderBy('address')
      .limit(ADDRESSES_PER_KEY)
      .execute()
    return rows.map(fromRow)
  }

  async deleteBefore(beforeMs: number): Promise<void> {
    const logs = await this.queries
      .selectFrom('request_log_ends')
      .leftJoin('organizations', 'organizations.id', 'request_log_ends.organization_id')
      .select(['organization_id', 'deleted_at_ms'])
      .execute()
    for (const { organization_id, deleted_at_ms } of logs) {
      await writeBatches(this.database, ({ queries }) =>
        deleteOldest(queries, organization_id, (query) =>
          deleted_at_ms === null ? query.where('at_ms', '<', beforeMs) : query,
        ),
      )
    }
  }

  async deleteAddressesBefore(beforeMs: number): Promise<void> {
    await deleteInBatches(this.database, 'key_addresses', ['key_id', 'address'], (row) =>
      row('last_seen_ms', '<', beforeMs),
    )
  }

  #matching(filter: LogFilter) {
    const { status, target } = filter
    const equalities = [
      ['key_id', filter.keyId],
      ['request_id', filter.requestId],
      ['method', filter.method],
      ['address', filter.address],
    ] as const
    let query = this.queries.selectFrom('request_log').where('organization_id', '=', filter.organizationId)
    for (const [column, value] of equalities) if (value !== undefined) query = query.where(column, '=', value)
    if (status !== undefined) {
      const [from, to] = status < 10 ? [status * 100, status * 100 + 100] : [status, status + 1]
      query = query.where('status', '>=', from).where('status', '<', to)
    }
    // Contains, case-sensitive in both databases: `like` is not.
    if (target !== undefined) query = query.where(sql<SqlBool>`replace(target, ${target}, '') <> target`)
    if (filter.fromMs !== undefined) query = query.where('at_ms', '>=', filter.fromMs)
    if (filter.toMs !== undefined) query = query.where('at_ms', '<', filter.toMs)
    return query
  }

  async #lastEntry(organizationId: string): Promise<number> {
    const end = await this.queries
      .selectFrom('request_log_ends')
      .select('entry')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()
    return end?.entry ?? 0
  }

  async #oldestEntry(organizationId: string): Promise<number> {
    const row = await this.queries
      .selectFrom('request_log')
      .select('entry')
      .where('organization_id', '=', organizationId)
      .orderBy('entry')
      .limit(1)
      .executeTakeFirst()
    return row?.entry ?? Number.MAX_SAFE_INTEGER
  }
}

/**
 * Appends requests to the logs of their organizations, in order of time, and deletes what exceeds `entriesMax` of each. Ignores unknown
 * keys.
 */
export async function appendToLogs(
  { queries, bulk }: Writer,
  logged: readonly LoggedRequest[],
  { entriesMax, sqlDialect }: { readonly entriesMax: number; readonly sqlDialect: SqlDialect },
): Promise<void> {
  const organizations = await organizationsOf(queries, logged, sqlDialect)
  const byOrganization = Map.groupBy(logged, ({ keyId }) => organizations.get(keyId))
  byOrganization.delete(undefined)
  for (const [organizationId = '', requests] of byOrganization) {
    const last = await advanceEnd(queries, organizationId, requests.length)
    const first = last - requests.length + 1
    const ordered = requests.toSorted((a, b) => a.atMs - b.atMs)
    await bulk.insertLogged(ordered.map((request, at) => rowOf(request, organizationId, first + at)))
    await deleteUpTo(queries, organizationId, last - entriesMax)
  }
}

async function organizationsOf(
  queries: Kysely<Schema>,
  logged: readonly LoggedRequest[],
  sqlDialect: SqlDialect,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(logged.map(({ keyId }) => keyId))]
  if (ids.length === 0) return new Map()
  const keys = await queries
    .selectFrom('api_keys')
    .select(['id', 'organization_id'])
    .where('id', 'in', sqlDialect.anyOf(ids))
    .execute()
  return new Map(keys.map(({ id, organization_id }) => [id, organization_id]))
}

async function advanceEnd(queries: Kysely<Schema>, organizationId: string, by: number): Promise<number> {
  const { entry } = await queries
    .insertInto('request_log_ends')
    .values({ organization_id: organizationId, entry: by })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet((set) => ({
        entry: set('request_log_ends.entry', '+', set.ref('excluded.entry')),
      })),
    )
    .returning('entry')
    .executeTakeFirstOrThrow()
  return entry
}

/** Deletes entries up to one, at most one batch, which is more than one adds. */
function deleteUpTo(queries: Kysely<Schema>, organizationId: string, last: number): Promise<number> {
  return deleteOldest(queries, organizationId, (query) => query.where('entry', '<=', last))
}

/** Deletes the oldest of some entries, at most one batch. Returns the number. */
async function deleteOldest(
  queries: Kysely<Schema>,
  organizationId: string,
  some: (query: LogQuery) => LogQuery,
): Promise<number> {
  const ofOrganization = queries.selectFrom('request_log').where('organization_id', '=', organizationId)
  const oldest = some(ofOrganization).orderBy('entry').limit(WRITE_ROWS_MAX).select('entry')
  const { numDeletedRows } = await queries
    .deleteFrom('request_log')
    .where('organization_id', '=', organizationId)
    .where('entry', 'in', oldest)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

type LogQuery = SelectQueryBuilder<Schema, 'request_log', object>

function rowOf(request: LoggedRequest, organizationId: string, entry: number): RequestLogRow {
  return {
    organization_id: organizationId,
    entry,
    key_id: request.keyId,
    at_ms: request.atMs,
    method: request.method,
    target: request.target,
    status: request.status,
    duration_us: request.durationUs,
    request_id: request.requestId,
    user_agent: request.userAgent ?? null,
    address: request.address ?? null,
    error: request.error ?? null,
    message: request.message ?? null,
    parameter: request.parameter ?? null,
    left_out: request.leftOut,
  }
}

function entryOf({ organization_id: _, ...row }: RequestLogRow): LogEntry {
  return fromRow(row)
}
