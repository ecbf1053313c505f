import type { Selectable, Updateable } from 'kysely'
import type { SourceFreshness } from '../slot/source-freshness.ts'
import { advance } from './counters.ts'
import type { Database } from './database.ts'
import type { SourcesTable } from './schema.ts'
import { newRow, OVERVIEW_COLUMNS, overviewOf, sourceOf } from './source-row.ts'
import type {
  NewSource,
  PastSync,
  SeenHeld,
  SourceOverview,
  SourceState,
  SourceStore,
  StoredRejection,
  SyncTurn,
  SyncTurns,
} from './source-store.ts'
import type { Hold, Suspicion } from './source-watch.ts'
import { HeldIsAnother, NameTaken } from './store.ts'
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

  async overview(): Promise<SourceOverview[]> {
    const rows = await this.#database.read.queries
      .selectFrom('sources')
      .select(OVERVIEW_COLUMNS)
      .orderBy('slug')
      .execute()
    return rows.map(overviewOf)
  }

  /** All that is asked for stands in the index `sources_by_turn`: no row of a source is read. */
  async turns({ slow, but, limit }: SyncTurns): Promise<SyncTurn[]> {
    const rows = await this.#database.read.queries
      .selectFrom('sources')
      .select(['slug', 'next_sync_at_ms'])
      .where('paused', '=', 0)
      .where('slow', '=', slow ? 1 : 0)
      .where('format', '<>', 'files')
      .$if(but.length > 0, (query) => query.where('slug', 'not in', but))
      .orderBy('next_sync_at_ms')
      .limit(limit)
      .execute()
    return rows.map((row) => ({ slug: row.slug, nextSyncAtMs: row.next_sync_at_ms }))
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
        .returning(['id', 'slot_count'])
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
          died: gone.slot_count,
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

  setHold(slug: string, hold: Hold): Promise<SourceState | undefined> {
    return this.#update(slug, { hold })
  }

  async accept(slug: string, yes: boolean, seen?: SeenHeld): Promise<SourceState | undefined> {
    return this.#database.transaction('power-cut', async ({ queries }) => {
      const row = await queries.selectFrom('sources').selectAll().where('slug', '=', slug).executeTakeFirst()
      if (row === undefined) return undefined
      const changes = yes ? this.#accepted(sourceOf(row), seen) : { accept_next: 0 }
      const changed = await queries
        .updateTable('sources')
        .set(changes)
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return sourceOf(changed)
    })
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

  #accepted({ slug, watch }: SourceState, seen: SeenHeld | undefined): Updateable<SourcesTable> {
    const heldSinceMs = watch.held?.sinceMs
    if (seen !== undefined && seen.heldSinceMs !== heldSinceMs)
      throw new HeldIsAnother(
        `Cannot accept what is held of ${slug}: it must be what was looked at: got "another"`,
      )
    if (watch.held !== undefined) return { accept_next: 1, next_sync_at_ms: this.#now() }
    const accepted = [...new Set([...watch.accepted, ...watch.findings.map(({ what }) => what), ...OF_TIME])]
    return { accepted: JSON.stringify(accepted) }
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
  'health',
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
    health: row.health,
    ...(row.looked_at_ms !== null && { lookedAtMs: row.looked_at_ms }),
    ...(row.published_at_ms !== null && { publishedAtMs: row.published_at_ms }),
    ...(row.changed_at_ms !== null && { changedAtMs: row.changed_at_ms }),
    nextSyncAtMs: row.next_sync_at_ms,
  }
}

/** What a snapshot comes to without being read again: the next good sync drops those that were not meant. */
const OF_TIME: readonly Suspicion[] = ['ended', 'clock-old']
