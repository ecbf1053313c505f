import type { Selectable, Updateable } from 'kysely'
import type { SourceFreshness } from '../slot/source-freshness.ts'
import { advance } from './counters.ts'
import type { Database } from './database.ts'
import type { SourcesTable } from './schema.ts'
import type { NewSource, PastSync, SourceState, SourceStore, StoredRejection } from './source-store.ts'
import { NameTaken } from './store.ts'
import { readHistory } from './sync-history.ts'

/** `SourceStore` over any database: see `store.ts`. */
export class SqlSourceStore implements SourceStore {
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
  }

  async add(source: NewSource): Promise<SourceState> {
    const row = await this.#database.transaction('power-cut', async ({ queries }) =>
      queries
        .insertInto('sources')
        .values(newRow(await advance(queries, 'source_ids'), source, this.#now()))
        .onConflict((conflict) => conflict.column('slug').doNothing())
        .returningAll()
        .executeTakeFirst(),
    )
    if (row === undefined)
      throw new NameTaken(`Cannot add source: its slug must be unused: got "${source.slug}"`)
    return sourceOf(row)
  }

  async list(): Promise<SourceState[]> {
    const rows = await this.#database.read.queries.selectFrom('sources').selectAll().orderBy('slug').execute()
    return rows.map(sourceOf)
  }

  async find(slug: string): Promise<SourceState | undefined> {
    const row = await this.#database.read.queries
      .selectFrom('sources')
      .selectAll()
      .where('slug', '=', slug)
      .executeTakeFirst()
    return row === undefined ? undefined : sourceOf(row)
  }

  async freshness(): Promise<SourceFreshness[]> {
    const rows = await this.#database.read.queries
      .selectFrom('sources')
      .select(FRESHNESS_COLUMNS)
      .orderBy('slug')
      .execute()
    return rows.map(freshnessOf)
  }

  /** Touches none of the slots: one row in `syncs` says that all of them are dead, so that a million go as fast as one. */
  async remove(slug: string): Promise<boolean> {
    return this.#database.transaction('power-cut', async ({ queries }) => {
      const gone = await queries
        .deleteFrom('sources')
        .where('slug', '=', slug)
        .returning('id')
        .executeTakeFirst()
      if (gone === undefined) return false
      await queries
        .insertInto('syncs')
        .values({
          id: await advance(queries, 'sync_ids'),
          source_id: gone.id,
          revision: await advance(queries, 'slots'),
          committed_at_ms: this.#now(),
          removal: 1,
        })
        .execute()
      return true
    })
  }

  setPaused(slug: string, paused: boolean): Promise<SourceState | undefined> {
    return this.#update(slug, { paused: paused ? 1 : 0 })
  }

  syncSoon(slug: string): Promise<SourceState | undefined> {
    return this.#update(slug, { next_sync_at_ms: this.#now() })
  }

  history(sourceId: number): Promise<PastSync[]> {
    return readHistory(this.#database.read.queries, sourceId)
  }

  async rejections(sourceId: number): Promise<StoredRejection[]> {
    const rows = await this.#database.read.queries
      .selectFrom('rejections')
      .select(['file', 'line', 'reason', 'sample'])
      .where('source_id', '=', sourceId)
      .orderBy('file')
      .orderBy('line')
      .orderBy('position')
      .execute()
    return rows.map(({ file, line, reason, sample }) => ({ file, line, reason, sample }))
  }

  async #update(slug: string, changes: Updateable<SourcesTable>): Promise<SourceState | undefined> {
    const row = await this.#database.transaction('power-cut', ({ queries }) =>
      queries.updateTable('sources').set(changes).where('slug', '=', slug).returningAll().executeTakeFirst(),
    )
    return row && sourceOf(row)
  }
}

/** What `freshness()` reads: an index holds just these, so that what connectors remember, up to megabytes a source, is not walked over. */
export const FRESHNESS_COLUMNS = [
  'slug',
  'name',
  'paused',
  'failures',
  'looked_at_ms',
  'published_at_ms',
  'changed_at_ms',
  'next_sync_at_ms',
] as const satisfies (keyof SourcesTable)[]

function freshnessOf(
  row: Pick<Selectable<SourcesTable>, (typeof FRESHNESS_COLUMNS)[number]>,
): SourceFreshness {
  return {
    slug: row.slug,
    ...(row.name !== null && { name: row.name }),
    paused: row.paused === 1,
    failures: row.failures,
    ...(row.looked_at_ms !== null && { lookedAtMs: row.looked_at_ms }),
    ...(row.published_at_ms !== null && { publishedAtMs: row.published_at_ms }),
    ...(row.changed_at_ms !== null && { changedAtMs: row.changed_at_ms }),
    nextSyncAtMs: row.next_sync_at_ms,
  }
}

/** The row as the rooms outside of the store see it. */
export function sourceOf(row: Selectable<SourcesTable>): SourceState {
  return {
    id: row.id,
    slug: row.slug,
    ...(row.name !== null && { name: row.name }),
    format: row.format,
    url: row.url,
    options: JSON.parse(row.options),
    strict: row.strict === 1,
    ...(row.every_ms !== null && { everyMs: row.every_ms }),
    createdAtMs: row.created_at_ms,
    memory: row.memory === null ? undefined : JSON.parse(row.memory),
    nextSyncAtMs: row.next_sync_at_ms,
    failures: row.failures,
    ...(row.last_sync !== null && { lastSync: JSON.parse(row.last_sync) }),
    slotCount: row.slot_count,
    ...(row.looked_at_ms !== null && { lookedAtMs: row.looked_at_ms }),
    ...(row.published_at_ms !== null && { publishedAtMs: row.published_at_ms }),
    ...(row.changed_at_ms !== null && { changedAtMs: row.changed_at_ms }),
    paused: row.paused === 1,
  }
}

function newRow(id: number, source: NewSource, nowMs: number): SourcesTable {
  return {
    id,
    slug: source.slug,
    url: source.url,
    strict: source.strict ? 1 : 0,
    every_ms: source.everyMs ?? null,
    created_at_ms: nowMs,
    memory: null,
    next_sync_at_ms: 0,
    failures: 0,
    last_sync: null,
    slot_count: 0,
    changed_at_ms: null,
    lease_owner: null,
    lease_until_ms: 0,
    sync_id: 0,
    paused: 0,
    name: source.name ?? null,
    format: source.format ?? 'smart-links',
    options: JSON.stringify(source.options ?? {}),
    looked_at_ms: null,
    published_at_ms: null,
  }
}
