import { type Expression, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { SourceFilter, SourceOrder } from '../../shared/source-vocabulary.ts'
import type { ListedSources, SourceListQuery } from '../contracts/sources.ts'
import { likePattern } from './audit.ts'
import { foldedName } from './organization-row.ts'
import type { Schema } from './schema.ts'
import { OVERVIEW_COLUMNS, overviewOf } from './source-row.ts'

/** A page of the sources, and counts of all: three statements that read each row without its messages and connector state. */
export async function listSources(
  queries: Kysely<Schema>,
  { order, limit, offset, ...matching }: SourceListQuery,
): Promise<ListedSources> {
  const [rows, { total }, groups] = await Promise.all([
    inOrder(selectMatching(queries, matching).select(OVERVIEW_COLUMNS), order).limit(limit).offset(offset).execute(),
    selectMatching(queries, matching)
      .select((table) => table.fn.countAll().as('total'))
      .executeTakeFirstOrThrow(),
    countByHealth(queries),
  ])
  const sumOf = (column: 'sources' | 'slots' | 'attention') =>
    groups.reduce((sum, group) => sum + Number(group[column]), 0)
  return {
    sources: rows.map(overviewOf),
    total: Number(total),
    slotCount: sumOf('slots'),
    attention: sumOf('attention'),
    byHealth: Object.fromEntries(groups.map(({ health, sources }) => [health, Number(sources)])),
  }
}

/** Smaller is worse. As `sourceFlags()` of the dashboard API; a source that was resumed a moment ago has no health yet. */
const RANK = sql<number>`case
  when paused = 1 then 8
  when health = 'failing' then 0
  when health = 'suspicious' then 1
  when health = 'never-synced' then 6
  when slot_count = 0 and changed_at_ms is not null then 2
  when health = 'late' then 3
  when health = 'stale' then 4
  when rejecting = 1 then 5
  else 7 end`

const NEEDS_ATTENTION = sql<SqlBool>`${RANK} < 6`

/** An operator's pause counts at once. */
const HEALTH = sql<SourceFilter>`case when paused = 1 then 'paused' when health = 'paused' then 'healthy' else health end`

const ORDERS: Readonly<Record<SourceOrder, readonly [Expression<unknown>, 'asc' | 'desc'] | undefined>> = {
  worst: [RANK, 'asc'],
  name: undefined,
  slots: [sql.ref('slot_count'), 'desc'],
  unchecked: [sql`coalesce(last_checked_at_ms, 0)`, 'asc'],
  newest: [sql.ref('created_at_ms'), 'desc'],
}

function inOrder<Output>(query: SelectQueryBuilder<Schema, 'sources', Output>, order: SourceOrder) {
  const first = ORDERS[order]
  const ordered = first === undefined ? query : query.orderBy(...first)
  return ordered.orderBy('search_text').orderBy('slug')
}

function selectMatching(queries: Kysely<Schema>, { search, filter }: Pick<SourceListQuery, 'search' | 'filter'>) {
  let query = queries.selectFrom('sources')
  if (search !== undefined) query = query.where('search_text', 'like', likePattern(foldedName(search)))
  if (filter === undefined) return query
  return filter === 'attention' ? query.where(NEEDS_ATTENTION) : query.where(HEALTH, '=', filter)
}

function countByHealth(queries: Kysely<Schema>) {
  return queries
    .selectFrom('sources')
    .select((table) => [
      HEALTH.as('health'),
      table.fn.countAll().as('sources'),
      table.fn.sum('slot_count').as('slots'),
      sql<number>`sum(case when ${NEEDS_ATTENTION} then 1 else 0 end)`.as('attention'),
    ])
    .groupBy(HEALTH)
    .execute()
}
