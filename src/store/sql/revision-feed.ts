import { hash } from 'node:crypto'
import type { NotNull } from 'kysely'
import type { PublishedHorizons } from '../../slot/planning-horizon.ts'
import { SLOT_STATUSES } from '../../slot/slot.ts'
import type {
  DeletedSlot,
  InsertedSlot,
  KeyRange,
  RevisionDelta,
  RevisionFeed,
  Revisions,
  UnnamedSlot,
} from '../contracts/revision-feed.ts'
import { openSyncs } from './abandoned-syncs.ts'
import { readCounters } from './counters.ts'
import type { Database, ReadTransaction, SlotsQuery, SqlDialect } from './database.ts'
import { lastDrop } from './dropped-offerings.ts'
import { KeptRead } from './kept-read.ts'
import { newestHorizons } from './planning-horizons.ts'
import { DELETED_ROWS_MIN, purge } from './purge.ts'
import type { SyncRow } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** `RevisionFeed` over any database. */
export class SqlRevisionFeed extends SqlStore implements RevisionFeed {
  readonly #revisions = new KeptRead<Revisions>()

  revisions(): Promise<Revisions> {
    return this.#revisions.get(this.database, () => this.#readRevisions())
  }

  async #readRevisions(): Promise<Revisions> {
    const { read } = this.database
    // The epoch first: revisions of a new epoch under the old number are read again when the change is noticed.
    const epoch = await this.database.epoch(read)
    return { epoch, ...(await readCounters(read.queries, ['slots', 'keys', 'subscriptions'])) }
  }

  wait(ms: number, signal: AbortSignal, unchangedMs = ms): Promise<void> {
    return this.database.waitForChange({ ms, unchangedMs, since: this.#revisions.version }, signal)
  }

  async open(since: number | undefined): Promise<RevisionDelta> {
    const reading = await this.database.beginRead()
    try {
      return await openRevisionDelta(reading, this.database, since)
    } catch (error) {
      await reading.close()
      throw error
    }
  }

  purge(retentionMs: number, nowMs: number, deletedMin = DELETED_ROWS_MIN): Promise<number> {
    return purge(this.database, { untilMs: nowMs - retentionMs, nowMs, deletedMin })
  }
}

/** The changes after a revision, or all visible slots, as of the first query. */
async function openRevisionDelta(
  reading: ReadTransaction,
  database: Database,
  since: number | undefined,
): Promise<RevisionDelta> {
  const counters = await readCounters(reading.queries, ['slots', 'slots_at_ms', 'purged', 'store', 'slot_keys'])
  const { slots: revision, slots_at_ms: committedAtMs, purged, store, slot_keys: lastKey } = counters
  // A revision beyond the newest is from a store that lost its last syncs to a power failure.
  const whole = since === undefined || since < purged || since > revision
  const epoch = await database.epoch(reading)
  return new SqlRevisionDelta(reading, database.sqlDialect, {
    whole,
    revision,
    committedAtMs,
    store: storeNumber(store, epoch),
    epoch,
    keysEnd: lastKey + 1,
    open: await openSyncs(reading.queries),
    removed: await removedSources(reading),
    recent: whole ? [] : await commitsAfter(reading, since),
    since: whole ? 0 : since,
    lastDrop: await lastDrop(reading.queries),
  })
}

/** Identifies a store and its epoch, in 48 bits. */
export function storeNumber(store: number, epoch: number): number {
  return Number.parseInt(hash('sha256', `${store}.${epoch}`).slice(0, 12), 16)
}

/** Removed sources whose rows are not purged yet. */
export async function removedSources(reading: ReadTransaction): Promise<number[]> {
  const rows = await reading.queries.selectFrom('syncs').select('source_id').where('removal', '=', 1).execute()
  return rows.map((row) => row.source_id)
}

/** The JSON of offerings by id. */
export async function readOfferings(
  reading: ReadTransaction,
  sqlDialect: SqlDialect,
  ids: readonly number[],
): Promise<{ id: number; json: string }[]> {
  const rows = await reading.queries
    .selectFrom('offerings')
    .select(['id', 'json'])
    .where('id', 'in', sqlDialect.anyOf(ids))
    .execute()
  return rows.map(({ id, json }) => ({ id, json }))
}

/** The MVCC snapshot: determines which versions are visible. */
interface DeltaSnapshot {
  readonly whole: boolean
  readonly revision: number
  readonly committedAtMs: number
  readonly store: number
  readonly epoch: number
  readonly keysEnd: number
  readonly open: readonly number[]
  /** Removed sources whose rows are not purged yet. */
  readonly removed: readonly number[]
  /** Committed after the revision asked from, in order. */
  readonly recent: readonly Commit[]
  readonly since: number
  readonly lastDrop: number
}

class SqlRevisionDelta implements RevisionDelta {
  readonly whole: boolean
  readonly revision: number
  readonly committedAtMs: number
  readonly store: number
  readonly epoch: number
  readonly lastDrop: number
  readonly keysEnd: number
  readonly #reading: ReadTransaction
  readonly #sqlDialect: SqlDialect
  readonly #snapshot: DeltaSnapshot

  constructor(reading: ReadTransaction, sqlDialect: SqlDialect, snapshot: DeltaSnapshot) {
    this.whole = snapshot.whole
    this.revision = snapshot.revision
    this.committedAtMs = snapshot.committedAtMs
    this.store = snapshot.store
    this.epoch = snapshot.epoch
    this.lastDrop = snapshot.lastDrop
    this.keysEnd = snapshot.keysEnd
    this.#reading = reading
    this.#sqlDialect = sqlDialect
    this.#snapshot = snapshot
  }

  async *inserted(): AsyncGenerator<readonly InsertedSlot[]> {
    const visible = this.#visible().select(SLOT_COLUMNS)
    const recent = this.#snapshot.recent.filter(({ removal }) => removal === 0)
    const queries = this.whole ? [visible] : recent.map(({ id }) => visible.where('inserted_sync', '=', id))
    for (const query of queries) for await (const rows of this.#reading.batches(query)) yield rows.map(insertedSlot)
  }

  async *insertedIn(keys: KeyRange): AsyncGenerator<readonly UnnamedSlot[]> {
    const query = this.#visible().select(UNNAMED_COLUMNS)
    for await (const rows of this.#reading.batches(query, keys)) yield rows.map(unnamedSlot)
  }

  async *deleted(): AsyncGenerator<readonly DeletedSlot[]> {
    const { recent, open } = this.#snapshot
    const invisibleBefore = new Set([...recent.map((sync) => sync.id), ...open])
    for (const sync of recent) {
      for (const query of sync.removal === 0 ? [this.#deletedBy(sync.id)] : this.#removedWith(sync.source_id)) {
        for await (const rows of this.#reading.batches(query)) {
          const deleted = rows.filter((row) => !invisibleBefore.has(Number(row[3])))
          if (deleted.length > 0) yield deleted.map((row) => ({ id: String(row[1]), startMs: Number(row[2]) }))
        }
      }
    }
  }

  offerings(ids: readonly number[]): Promise<{ id: number; json: string }[]> {
    return readOfferings(this.#reading, this.#sqlDialect, ids)
  }

  horizons(): Promise<PublishedHorizons[]> {
    return newestHorizons(this.#reading.queries, this.#snapshot.since)
  }

  close(): Promise<void> {
    return this.#reading.close()
  }

  #visible(): SlotsQuery {
    const { open, removed } = this.#snapshot
    let query = this.#slots()
    query =
      open.length === 0
        ? query.where('deleted_sync', 'is', null)
        : query
            .where('inserted_sync', 'not in', open)
            .where((slot) => slot.or([slot('deleted_sync', 'is', null), slot('deleted_sync', 'in', open)]))
    return removed.length === 0 ? query : query.where('source_id', 'not in', removed)
  }

  #deletedBy(syncId: number): SlotsQuery {
    return this.#slots().select(['id', 'start_ms', 'inserted_sync']).where('deleted_sync', '=', syncId)
  }

  /** Versions that an open sync was deleting when its source was removed were visible until then. */
  #removedWith(sourceId: number): SlotsQuery[] {
    const rows = this.#slots().select(['id', 'start_ms', 'inserted_sync']).where('source_id', '=', sourceId)
    const markedByOpenSyncs = this.#snapshot.open.map((syncId) => rows.where('deleted_sync', '=', syncId))
    return [rows.where('deleted_sync', 'is', null), ...markedByOpenSyncs]
  }

  #slots(): SlotsQuery {
    return this.#reading.queries.selectFrom('slots').select('key')
  }
}

const UNNAMED_COLUMNS = ['offering_id', 'status', 'start_ms', 'end_ms', 'json'] as const

/** The slot of a row that begins with the key and `UNNAMED_COLUMNS`. */
function unnamedSlot(row: readonly unknown[]): UnnamedSlot {
  const [, offeringId, status, startMs, endMs, json] = row as [number, number, number, number, number, string]
  return { offeringId, status: SLOT_STATUSES[status], startMs, endMs, json }
}

/** The columns of an inserted slot, after the key. */
export const SLOT_COLUMNS = [...UNNAMED_COLUMNS, 'id'] as const

/** The slot of a row that begins with the key and `SLOT_COLUMNS`. */
export function insertedSlot(row: readonly unknown[]): InsertedSlot {
  return { id: String(row[SLOT_COLUMNS.length]), ...unnamedSlot(row) }
}

/** A committed sync, as followers read it. */
export type Commit = Pick<SyncRow, 'id' | 'source_id' | 'removal'> & { readonly revision: number }

/** The commits after a revision, in order; all of them without a limit. */
export function commitsAfter(reading: ReadTransaction, revision: number, limit?: number): Promise<Commit[]> {
  const query = reading.queries
    .selectFrom('syncs')
    .select(['id', 'source_id', 'removal', 'revision'])
    .where('revision', '>', revision)
    .orderBy('revision')
    .$narrowType<{ revision: NotNull }>()
  return (limit === undefined ? query : query.limit(limit)).execute()
}
