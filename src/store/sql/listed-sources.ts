import { type Expression, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { SourceFilter, SourceOrder, SourceSortKey } from '../../shared/source-vocabulary.ts'
import type { ListedSources, SourceListQuery, SourceTotals } from '../contracts/sources.ts'
import { countRows } from './count-rows.ts'
import { foldedName } from './organization-row.ts'
import type { Schema } from './schema.ts'
import { OVERVIEW_COLUMNS, overviewOf } from './source-row.ts'
import { likePattern } from './text-search.ts'

/** A page of the sources, and counts of all: three statements that read each row without its messages and connector state. */
export async function listSources(
  queries: Kysely<Schema>,
  { order, limit, offset, ...matching }: SourceListQuery,
): Promise<ListedSources> {
  const [rows, total, groups] = await Promise.all([
    inOrder(selectMatching(queries, matching).select(OVERVIEW_COLUMNS), order).limit(limit).offset(offset).execute(),
    countRows(selectMatching(queries, matching)),
    countByHealth(queries),
  ])
  const sumOf = (column: 'sources' | 'slots' | 'attention') =>
    groups.reduce((sum, group) => sum + Number(group[column]), 0)
  return {
    sources: rows.map(overviewOf),
    total,
    slotCount: sumOf('slots'),
    attention: sumOf('attention'),
    byHealth: Object.fromEntries(groups.map(({ health, sources }) => [health, Number(sources)])),
  }
}

/** The slugs of the sources that match. */
export async function matchingSlugs(
  queries: Kysely<Schema>,
  { order, limit, ...matching }: Omit<SourceListQuery, 'offset'>,
): Promise<string[]> {
  const rows = await inOrder(selectMatching(queries, matching).select('slug'), order).limit(limit).execute()
  return rows.map(({ slug }) => slug)
}

/** Counts of the sources, their slots and their syncs. */
export async function countTotals(queries: Kysely<Schema>, slugs: readonly string[]): Promise<SourceTotals> {
  const chosen = selectMatching(queries, { slugs })
  const [counts, syncs] = await Promise.all([
    chosen
      .select((table) => [table.fn.countAll().as('sources'), table.fn.sum('slot_count').as('slots')])
      .executeTakeFirstOrThrow(),
    countRows(queries.selectFrom('sync_history').where('source_id', 'in', chosen.select('id'))),
  ])
  return { sources: Number(counts.sources), slots: Number(counts.slots ?? 0), syncs }
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

/** A time that is absent is earlier than any other; a sync that is not planned is later. */
const SORTED_BY: Readonly<Record<SourceSortKey, Expression<unknown>>> = {
  health: RANK,
  name: sql.ref('search_text'),
  slots: sql.ref('slot_count'),
  checked: sql`coalesce(last_checked_at_ms, 0)`,
  published: sql`coalesce(published_at_ms, 0)`,
  changed: sql`coalesce(changed_at_ms, 0)`,
  next: sql`case when paused = 1 or format = 'files' then ${sql.lit(Number.MAX_SAFE_INTEGER)} else next_sync_at_ms end`,
  added: sql.ref('created_at_ms'),
}

/** Equal sources are sorted by name. */
function inOrder<Output>(query: SelectQueryBuilder<Schema, 'sources', Output>, order: SourceOrder) {
  const isDescending = order.startsWith('-')
  const key = (isDescending ? order.slice(1) : order) as SourceSortKey
  return query
    .orderBy(SORTED_BY[key], isDescending ? 'desc' : 'asc')
    .orderBy('search_text')
    .orderBy('slug')
}

function selectMatching(queries: Kysely<Schema>, matching: Pick<SourceListQuery, 'search' | 'filter' | 'slugs'>) {
  const { search, filter, slugs } = matching
  let query = queries.selectFrom('sources')
  if (slugs !== undefined) query = query.where('slug', 'in', slugs.length === 0 ? [''] : slugs)
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
