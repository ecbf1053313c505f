import type { ExpressionBuilder, Kysely } from 'kysely'
import { defined } from '../../lib/optional.ts'
import { publicUrl } from '../../lib/public-url.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import type { ReviewPolicy } from '../../shared/source-vocabulary.ts'
import type { SourceFreshness } from '../../slot/source-freshness.ts'
import type { AuditActor } from '../contracts/audit.ts'
import type {
  DueSync,
  DueSyncQuery,
  FinishedSync,
  ListedSources,
  NewSource,
  ReviewedSnapshot,
  SourceEdit,
  SourceListQuery,
  SourceOverview,
  SourceState,
  SourceStore,
  SourceTotals,
  StoredRejection,
} from '../contracts/sources.ts'
import { NameTaken } from '../contracts/store.ts'
import { advance, advanceSlots } from './counters.ts'
import { KeptRead } from './kept-read.ts'
import { countTotals, listSources, matchingSlugs } from './listed-sources.ts'
import { endHorizons } from './planning-horizons.ts'
import { fromRow } from './row-mapping.ts'
import type { Schema, SourceRow } from './schema.ts'
import { writeAction } from './source-log.ts'
import {
  planApproval,
  planEdit,
  planPause,
  planReviewPolicy,
  planWithdrawal,
  type SourceUpdate,
} from './source-plans.ts'
import { newRow, OVERVIEW_COLUMNS, overviewOf, sourceOf } from './source-row.ts'
import { SqlStore } from './sql-store.ts'
import { readHistory, readRejections } from './sync-end.ts'

/** `SourceStore` over any database. */
export class SqlSourceStore extends SqlStore implements SourceStore {
  readonly #dueSyncs = { quick: new KeptRead<readonly DueSync[]>(), slow: new KeptRead<readonly DueSync[]>() }
  readonly #freshness = new KeptRead<readonly SourceFreshness[]>()

  async add(source: NewSource, by?: AuditActor): Promise<SourceState> {
    const row = await this.database.transaction('power-cut', async ({ queries }) => {
      const added = await queries
        .insertInto('sources')
        .values(newRow(await advance(queries, 'source_ids'), source, this.now()))
        .onConflict((conflict) => conflict.column('slug').doNothing())
        .returningAll()
        .executeTakeFirst()
      if (added !== undefined) await this.#logAction(queries, source.slug, { kind: 'added' }, by)
      return added
    })
    if (row === undefined) throw new NameTaken(`Cannot add source: its slug must be unused: got "${source.slug}"`)
    return sourceOf(row)
  }

  edit(
    slug: string,
    editOf: (before: SourceOverview) => SourceEdit,
    by?: AuditActor,
  ): Promise<SourceState | undefined> {
    return this.#update(slug, (before) => planEdit(before, editOf(before), this.now()), by)
  }

  async list(): Promise<SourceState[]> {
    const rows = await this.queries.selectFrom('sources').selectAll().orderBy('slug').execute()
    return rows.map(sourceOf)
  }

  async overview(): Promise<SourceOverview[]> {
    const rows = await this.queries.selectFrom('sources').select(OVERVIEW_COLUMNS).orderBy('slug').execute()
    return rows.map(overviewOf)
  }

  page(query: SourceListQuery): Promise<ListedSources> {
    return listSources(this.queries, query)
  }

  matching(query: Omit<SourceListQuery, 'offset'>): Promise<string[]> {
    return matchingSlugs(this.queries, query)
  }

  totals(slugs: readonly string[]): Promise<SourceTotals> {
    return countTotals(this.queries, slugs)
  }

  async existing(slugs: readonly string[]): Promise<string[]> {
    if (slugs.length === 0) return []
    const rows = await this.queries.selectFrom('sources').select('slug').where('slug', 'in', slugs).execute()
    return rows.map(({ slug }) => slug)
  }

  /** Reads only the index `sources_by_next_sync`, which covers the query. */
  dueSyncs(query: DueSyncQuery): Promise<readonly DueSync[]> {
    const kept = query.slow ? this.#dueSyncs.slow : this.#dueSyncs.quick
    return kept.get(this.database, () => this.#selectDueSyncs(query), JSON.stringify(query))
  }

  async #selectDueSyncs({ slow, except, limit }: DueSyncQuery): Promise<DueSync[]> {
    const rows = await this.queries
      .selectFrom('sources')
      .select(['slug', 'next_sync_at_ms'])
      .where('paused', '=', 0)
      .where('slow', '=', slow ? 1 : 0)
      .where('format', '<>', 'files')
      .$if(except.length > 0, (query) => query.where('slug', 'not in', except))
      .orderBy('next_sync_at_ms')
      .limit(limit)
      .execute()
    return rows.map(fromRow)
  }

  async find(slug: string): Promise<SourceState | undefined> {
    const row = await this.queries.selectFrom('sources').selectAll().where('slug', '=', slug).executeTakeFirst()
    return row && sourceOf(row)
  }

  freshness(): Promise<readonly SourceFreshness[]> {
    return this.#freshness.get(this.database, async () => {
      const rows = await this.queries.selectFrom('sources').select(FRESHNESS_COLUMNS).orderBy('slug').execute()
      return rows.map(freshnessOf)
    })
  }

  /** Leaves the slots to the purge: one row in `syncs` marks all of them as deleted, so the cost does not depend on their number. */
  async remove(slug: string, by?: AuditActor): Promise<boolean> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const removed = await queries
        .deleteFrom('sources')
        .where('slug', '=', slug)
        .returning(['id', 'slot_count'])
        .executeTakeFirst()
      if (removed === undefined) return false
      const commit = await advanceSlots(queries, this.now())
      await endHorizons(queries, { publisher: slug, sourceId: removed.id }, commit.revision)
      await queries
        .insertInto('syncs')
        .values({
          id: await advance(queries, 'sync_ids'),
          source_id: removed.id,
          ...commit,
          removal: 1,
          deleted_rows: removed.slot_count,
        })
        .execute()
      await this.#logAction(queries, slug, { kind: 'removed' }, by)
      return true
    })
  }

  setPaused(slug: string, paused: boolean, by?: AuditActor): Promise<SourceState | undefined> {
    return this.#update(slug, (before) => planPause(before, paused), by)
  }

  async syncSoon(slug: string): Promise<SourceState | undefined> {
    const row = await this.database.transaction('power-cut', ({ queries }) =>
      queries
        .updateTable('sources')
        .set({ next_sync_at_ms: this.now() })
        .where('slug', '=', slug)
        .returningAll()
        .executeTakeFirst(),
    )
    return row && sourceOf(row)
  }

  /** Writes nothing if none is, as usual: a transaction would wait for those of syncs. */
  async resetFuturePlans(): Promise<number> {
    const nowMs = this.now()
    const isReset = plannedAhead(nowMs)
    const ahead = this.queries.selectFrom('sources').select('id').where(isReset).limit(1)
    if ((await ahead.executeTakeFirst()) === undefined) return 0
    const { numUpdatedRows } = await this.database.transaction('kill', ({ queries }) =>
      queries.updateTable('sources').set({ next_sync_at_ms: nowMs }).where(isReset).executeTakeFirstOrThrow(),
    )
    return Number(numUpdatedRows)
  }

  setReviewPolicy(slug: string, policy: ReviewPolicy, by?: AuditActor): Promise<SourceState | undefined> {
    return this.#update(slug, (before) => planReviewPolicy(before, policy), by)
  }

  approve(
    slug: string,
    approved: boolean,
    reviewed?: ReviewedSnapshot,
    by?: AuditActor,
  ): Promise<SourceState | undefined> {
    const plan = (before: SourceState) =>
      approved ? planApproval(before, reviewed, this.now()) : planWithdrawal(before)
    return this.#update(slug, plan, by)
  }

  syncHistory(sourceId: number): Promise<FinishedSync[]> {
    return readHistory(this.queries, sourceId)
  }

  rejections(sourceId: number): Promise<StoredRejection[]> {
    return readRejections(this.queries, sourceId)
  }

  /** Writes nothing if nothing is planned. */
  #update(
    slug: string,
    planOf: (before: SourceState) => SourceUpdate | undefined,
    by: AuditActor | undefined,
  ): Promise<SourceState | undefined> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const row = await queries.selectFrom('sources').selectAll().where('slug', '=', slug).executeTakeFirst()
      if (row === undefined) return undefined
      const before = sourceOf(row)
      const plan = planOf(before)
      if (plan === undefined) return before
      const { changes, ...action } = plan
      const changed = await queries
        .updateTable('sources')
        .set(changes)
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      await this.#logAction(queries, slug, action, by)
      return sourceOf(changed)
    })
  }

  async #logAction(
    queries: Kysely<Schema>,
    slug: string,
    action: Omit<SourceUpdate, 'changes'>,
    by: AuditActor | undefined,
  ): Promise<void> {
    if (by !== undefined) await writeAction(queries, { ...action, atMs: this.now(), slug, actor: by })
  }
}

/** Whether a sync was planned by a clock that was ahead. A failed sync does not count as a check, but the next one is planned within a day. */
function plannedAhead(nowMs: number) {
  return (source: ExpressionBuilder<Schema, 'sources'>) =>
    source.and([
      source('next_sync_at_ms', '>', nowMs),
      source.or([
        source('last_checked_at_ms', '>', nowMs + MINUTE_MS),
        source.and([source('failures', '>', 0), source('next_sync_at_ms', '>', nowMs + DAY_MS + MINUTE_MS)]),
      ]),
    ])
}

/** The columns of `freshness()`. A covering index has exactly these, so that connector state (up to megabytes) is not read. */
export const FRESHNESS_COLUMNS = [
  'slug',
  'name',
  'paused',
  'health',
  'last_checked_at_ms',
  'published_at_ms',
  'changed_at_ms',
  'next_sync_at_ms',
  'url',
] as const satisfies (keyof SourceRow)[]

function freshnessOf({ paused, url, ...row }: Pick<SourceRow, (typeof FRESHNESS_COLUMNS)[number]>): SourceFreshness {
  return { ...fromRow(row), paused: paused === 1, ...defined({ feedUrl: publicUrl(url) }) }
}
