import { sql } from 'kysely'
import { decodeHorizons, type ScheduleHorizons } from '../../slot/planning-horizon.ts'
import type { CommitPosition, Revision } from '../../slot/revision.ts'
import type {
  ChangeLog,
  ChangeLogEntry,
  ChangeLogPage,
  ChangeLogReader,
  DroppedOfferings,
  HorizonChange,
  LoggedCommit,
} from '../contracts/change-log.ts'
import type { InsertedSlot } from '../contracts/revision-feed.ts'
import { openSyncs } from './abandoned-syncs.ts'
import { readCounters } from './counters.ts'
import type { Database, ReadTransaction, SlotGroup } from './database.ts'
import { countDropped, readDropped, readDroppedLater, readOfferingsOf } from './dropped-offerings.ts'
import { lastRevisionAt, readCommits } from './logged-commits.ts'
import { readHorizonChanges, readHorizons } from './planning-horizons.ts'
import {
  type Commit,
  commitsAfter,
  insertedSlot,
  readOfferings,
  removedSources,
  SLOT_COLUMNS,
  storeNumber,
} from './revision-feed.ts'
import { SqlStore } from './sql-store.ts'
import { readUsedOfferings } from './used-offerings.ts'

/** Commits read per page: each costs two statements, even if it has few rows. */
const COMMITS_MAX = 40

/** `ChangeLog` over any database. */
export class SqlChangeLog extends SqlStore implements ChangeLog {
  async open(asOf = Number.MAX_SAFE_INTEGER): Promise<ChangeLogReader> {
    const reading = await this.database.beginRead()
    try {
      const counters = await readCounters(reading.queries, ['slots', 'slots_at_ms', 'purged', 'store'])
      const { slots, slots_at_ms, purged, store } = counters
      const epoch = await this.database.epoch(reading)
      const newest = Math.min(slots, asOf)
      const committedAtMs = asOf < slots ? await commitTime(reading, newest) : slots_at_ms
      const bounds = { store: storeNumber(store, epoch), newest, committedAtMs, oldest: purged }
      return new SqlChangeLogReader(reading, this.database, bounds)
    } catch (error) {
      await reading.close()
      throw error
    }
  }
}

/** When a revision was committed; 0 if it is purged. */
async function commitTime({ queries }: ReadTransaction, revision: number): Promise<number> {
  const commit = queries.selectFrom('syncs').select('committed_at_ms').where('revision', '=', revision)
  return (await commit.executeTakeFirst())?.committed_at_ms ?? 0
}

/** Determines which row versions are visible. */
interface Visibility {
  /** Ids of syncs that were not committed as of the reader's last revision. */
  readonly open: ReadonlySet<number>
  /** Removed sources whose rows are not purged yet. */
  readonly removed: ReadonlySet<number>
}

/** A batch of entries of one phase of a commit. */
interface EntryBatch {
  readonly rows: readonly ChangeLogEntry[]
  /** Number of rows read, including those left out. */
  readonly read: number
  /** Key of the last row read. */
  readonly lastKey: number
}

class SqlChangeLogReader implements ChangeLogReader {
  readonly store: number
  readonly newest: number
  readonly committedAtMs: number
  readonly oldest: number
  readonly #reading: ReadTransaction
  readonly #database: Database
  #visibility: Promise<Visibility> | undefined

  constructor(
    reading: ReadTransaction,
    database: Database,
    bounds: Pick<ChangeLogReader, 'store' | 'newest' | 'committedAtMs' | 'oldest'>,
  ) {
    this.#reading = reading
    this.#database = database
    this.store = bounds.store
    this.newest = bounds.newest
    this.committedAtMs = bounds.committedAtMs
    this.oldest = bounds.oldest
  }

  async read(after: Revision, rowsMax: number): Promise<ChangeLogPage> {
    const rows: ChangeLogEntry[] = []
    let { revision, within } = after
    let left = rowsMax
    for (const commit of await commitsAfter(this.#reading, revision, COMMITS_MAX)) {
      if (commit.revision > this.newest) break
      for (const phase of phasesOf(commit, within)) {
        const batch = await this.#readBatch(commit, { phase, key: keyIn(phase, within) }, left)
        rows.push(...batch.rows)
        left -= batch.read
        if (left === 0) {
          return { rows, end: { store: this.store, revision, within: { phase, key: batch.lastKey } } }
        }
      }
      revision = commit.revision
      within = undefined
    }
    return { rows, end: { store: this.store, revision } }
  }

  async versions(keys: readonly number[]): Promise<Map<number, InsertedSlot>> {
    if (keys.length === 0) return new Map()
    const { queries } = this.#reading
    const rows = queries.selectFrom('slots').select('key').select(SLOT_COLUMNS)
    const found = await this.#reading.arrays(rows.where('key', 'in', this.#database.sqlDialect.anyOf(keys)).compile())
    return new Map(found.map((row) => [Number(row[0]), insertedSlot(row)]))
  }

  commits(between: { readonly after: number; readonly until: number }): Promise<LoggedCommit[]> {
    return readCommits(this.#reading.queries, between)
  }

  async revisionAt(atMs: number): Promise<number> {
    return Math.max(this.oldest, await lastRevisionAt(this.#reading.queries, atMs))
  }

  async offerings(ids: readonly number[]): Promise<{ id: number; json: string }[]> {
    const { sqlDialect } = this.#database
    const present = await readOfferings(this.#reading, sqlDialect, ids)
    if (present.length === ids.length) return present
    return [...present, ...(await readDroppedLater(this.#reading, sqlDialect.anyOf(ids), this.newest))]
  }

  async horizons(publisher: string): Promise<ScheduleHorizons> {
    return decodeHorizons(await readHorizons(this.#reading.queries, publisher, this.newest))
  }

  horizonChanges(between: { readonly after: number; readonly until: number }): Promise<HorizonChange[]> {
    return readHorizonChanges(this.#reading.queries, between)
  }

  droppedCount(between: { readonly after: number; readonly until: number }): Promise<number> {
    return countDropped(this.#reading.queries, between)
  }

  droppedOfferings(between: { readonly after: number; readonly until: number }): Promise<DroppedOfferings[]> {
    return readDropped(this.#reading.queries, between)
  }

  offeringsOf(source: Parameters<ChangeLogReader['offeringsOf']>[0]): AsyncIterable<{ id: number; json: string }[]> {
    return readOfferingsOf(this.#reading, source, this.newest)
  }

  async *usedOfferings(sourceId: number): AsyncGenerator<number[]> {
    const { open, removed } = await this.#currentVisibility()
    if (!removed.has(sourceId)) yield* readUsedOfferings(this.#reading, this.#database.sqlDialect, { sourceId, open })
  }

  close(): Promise<void> {
    return this.#reading.close()
  }

  #readBatch(commit: Commit, after: CommitPosition, rowsMax: number): Promise<EntryBatch> {
    if (commit.removal === 1) return this.#readRemoved(commit, after.key, rowsMax)
    return after.phase === 'deleted'
      ? this.#readDeleted(commit, after.key, rowsMax)
      : this.#readInserted(commit, after.key, rowsMax)
  }

  /** Counts successors (none or one) in a subquery: a join could be planned as a full scan. */
  async #readDeleted(commit: Commit, afterKey: number, rowsMax: number): Promise<EntryBatch> {
    const successors = sql<number>`(select count(*) from slots as successor where successor.replaces = slots.key)`
    const query = this.#rows(['deleted_sync', commit.id], afterKey, rowsMax).select([
      'id',
      'start_ms',
      successors.as('successors'),
    ])
    const found = await this.#reading.arrays(query.compile())
    const rows = found.map((row) => ({ ...deletedEntry(commit, row), changed: Number(row[3]) > 0 }))
    return batchOf(rows, found, afterKey)
  }

  async #readInserted(commit: Commit, afterKey: number, rowsMax: number): Promise<EntryBatch> {
    const query = this.#rows(['inserted_sync', commit.id], afterKey, rowsMax)
      .select(SLOT_COLUMNS)
      .select(['replaces', 'deleted_sync'])
    const found = await this.#reading.arrays(query.compile())
    const visibility = await this.#currentVisibility()
    return batchOf(
      found.map((row) => insertedEntry(commit, row, visibility)),
      found,
      afterKey,
    )
  }

  /** Includes rows that an open sync had marked as deleted: they were visible until the source was removed. */
  async #readRemoved(commit: Commit, afterKey: number, rowsMax: number): Promise<EntryBatch> {
    const { open } = await this.#currentVisibility()
    const sourceSyncs = await openSyncs(this.#reading.queries, commit.source_id)
    const queries = [
      this.#rows(['source_id', commit.source_id], afterKey, rowsMax).where('deleted_sync', 'is', null),
      ...sourceSyncs.map((syncId) => this.#rows(['deleted_sync', syncId], afterKey, rowsMax)),
    ]
    const results: (readonly (readonly unknown[])[])[] = []
    for (const query of queries) {
      results.push(await this.#reading.arrays(query.select(['id', 'start_ms', 'inserted_sync']).compile()))
    }
    const found = results
      .flat()
      .sort((one, other) => Number(one[0]) - Number(other[0]))
      .slice(0, rowsMax)
    const committed = found.filter((row) => !open.has(Number(row[3])))
    return batchOf(
      committed.map((row) => deletedEntry(commit, row)),
      found,
      afterKey,
    )
  }

  #rows(group: SlotGroup, afterKey: number, rowsMax: number) {
    const [column] = group
    return this.#reading.queries
      .selectFrom('slots')
      .select('key')
      .where(this.#database.sqlDialect.inGroup(group, afterKey))
      .orderBy(column)
      .orderBy('key')
      .limit(rowsMax)
  }

  #currentVisibility(): Promise<Visibility> {
    this.#visibility ??= readVisibility(this.#reading, this.newest)
    return this.#visibility
  }
}

/** Syncs that were committed after a revision were open then. */
async function readVisibility(reading: ReadTransaction, asOf: number): Promise<Visibility> {
  const open = await openSyncs(reading.queries)
  const removed = await removedSources(reading)
  const later = await commitsAfter(reading, asOf)
  const removedLater = new Set(later.filter(({ removal }) => removal === 1).map((commit) => commit.source_id))
  return {
    open: new Set([...open, ...later.map(({ id }) => id)]),
    removed: new Set(removed.filter((id) => !removedLater.has(id))),
  }
}

/** The phases of a commit that are not fully read yet. */
function phasesOf({ removal }: Commit, within: CommitPosition | undefined): CommitPosition['phase'][] {
  if (removal === 1) return ['deleted']
  return within?.phase === 'inserted' ? ['inserted'] : ['deleted', 'inserted']
}

function keyIn(phase: CommitPosition['phase'], within: CommitPosition | undefined): number {
  return within?.phase === phase ? within.key : 0
}

function batchOf(
  rows: readonly ChangeLogEntry[],
  found: readonly (readonly unknown[])[],
  afterKey: number,
): EntryBatch {
  return { rows, read: found.length, lastKey: Number(found.at(-1)?.[0] ?? afterKey) }
}

function deletedEntry({ revision }: Commit, [key, id, startMs]: readonly unknown[]): ChangeLogEntry {
  return {
    revision,
    phase: 'deleted',
    key: Number(key),
    id: String(id),
    startMs: Number(startMs),
    changed: false,
  }
}

function insertedEntry(commit: Commit, row: readonly unknown[], { open, removed }: Visibility): ChangeLogEntry {
  const slot = insertedSlot(row)
  const [replaces, deletedSync] = row.slice(-2)
  const visible = (deletedSync === null || open.has(Number(deletedSync))) && !removed.has(commit.source_id)
  return {
    revision: commit.revision,
    phase: 'inserted',
    key: Number(row[0]),
    id: slot.id,
    startMs: slot.startMs,
    changed: replaces !== null,
    ...(replaces !== null && { replaces: Number(replaces) }),
    ...(visible && { slot }),
  }
}
