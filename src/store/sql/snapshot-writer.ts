import type { Kysely } from 'kysely'
import { type Offering, SLOT_STATUSES } from '../../slot/slot.ts'
import type { AuditActor } from '../contracts/audit.ts'
import type { SlotDraft, SnapshotWriter, StoredRows, StoredSlot, SyncEnd } from '../contracts/snapshots.ts'
import type { SnapshotComparison } from '../contracts/source-watch.ts'
import type { SourceState, StoredRejection } from '../contracts/sources.ts'
import { LimitReached } from '../contracts/store.ts'
import { undoSync } from './abandoned-syncs.ts'
import { advance, advanceSlots, readCounters } from './counters.ts'
import type { Database, Durability, NewSlotRow, Writer } from './database.ts'
import { checkLease, extendLease, type Lease, recallLease, settleLease } from './lease.ts'
import { putOfferings } from './offerings.ts'
import { readHorizons, writeHorizons } from './planning-horizons.ts'
import { SqlResourceWriter } from './resources.ts'
import type { Schema } from './schema.ts'
import { compareSnapshots } from './snapshot-comparison.ts'
import { SnapshotRows } from './snapshot-rows.ts'
import { writeAction } from './source-log.ts'
import { findIndexedRows, findRows } from './stored-slots.ts'
import {
  abandonedChanges,
  committedChanges,
  countOtherSlots,
  endSource,
  readRejections,
  replaceRejections,
  writeHistory,
} from './sync-end.ts'

/** A sync whose lease was acquired. */
export interface BegunSync extends Pick<SnapshotWriter, 'source' | 'followsCrash'> {
  readonly lease: Lease
  /** The set of resources of the last snapshot. */
  readonly resourceSet: number | undefined
}

/**
 * Writes one sync, from its lease to its commit. Every row carries the sync's id and stays invisible until the commit (MVCC).
 *
 * Deleting a committed row only sets `deleted_sync`; deleting a draft of this sync removes the row.
 */
export class SqlSnapshotWriter implements SnapshotWriter {
  readonly source: SourceState
  readonly followsCrash: boolean
  readonly resources: SqlResourceWriter
  readonly #database: Database
  readonly #now: () => number
  readonly #lease: Lease
  readonly #rows: SnapshotRows
  /** Keys only grow: a visible row of the source with this key or a higher one is a draft of this sync. */
  #firstDraft = Number.POSITIVE_INFINITY
  #wrote = false
  #written: Promise<unknown> = Promise.resolve()
  #inserted = 0
  #deleted = 0

  constructor(database: Database, now: () => number, begun: BegunSync) {
    this.#database = database
    this.#now = now
    this.#lease = begun.lease
    this.source = begun.source
    this.followsCrash = begun.followsCrash
    const { sourceId, syncId } = begun.lease
    const { slotCount, watch } = begun.source
    this.#rows = new SnapshotRows(database, { sourceId, syncId, slotCount, lastRead: watch.lastRead })
    this.resources = new SqlResourceWriter(database, {
      sourceId,
      syncId,
      storedSet: begun.resourceSet,
      transaction: (work) => this.#transaction('kill', work),
      check: () => this.check(),
    })
  }

  check(): Promise<void> {
    return checkLease(this.#database.read.queries, this.#lease)
  }

  async readStored(): Promise<StoredRows> {
    const stored = await this.#rows.read()
    await this.check()
    return stored
  }

  countOtherSlots(): Promise<number> {
    return countOtherSlots(this.#database.read.queries, this.#lease.sourceId)
  }

  async findStored(ids: readonly string[]): Promise<StoredSlot[]> {
    const rows = await findRows(this.#database, await this.#rows.candidates(ids), this.#lease.syncId)
    await this.check()
    if (rows.length === 0) return rows
    const wanted = new Set(ids)
    return rows.filter((row) => wanted.has(row.id))
  }

  async findIndexed(ids: readonly string[]): Promise<StoredSlot[]> {
    const rows = await findIndexedRows(this.#database, ids, this.#lease)
    await this.check()
    return rows
  }

  readHorizons(): Promise<string> {
    return readHorizons(this.#database.read.queries, this.source.slug)
  }

  readRejections(): Promise<StoredRejection[]> {
    return readRejections(this.#database.read.queries, this.#lease.sourceId, 'as stored')
  }

  async putOfferings(offerings: readonly Offering[]): Promise<number[]> {
    const ids = await this.#oneByOne(() =>
      putOfferings(this.#database, offerings, this.#lease.sourceId, this.#extendLease),
    )
    await this.check()
    return ids
  }

  async write(batch: Parameters<SnapshotWriter['write']>[0]): Promise<void> {
    const { inserts = [], deletes = [], moves = [] } = batch
    if (inserts.length + deletes.length + moves.length > 0) this.#wrote = true
    const ofStored = deletes.filter((key) => key < this.#firstDraft)
    const done = await this.#transaction('kill', async (writer) => {
      const deleted = await writer.bulk.deleteSlots(ofStored, this.#lease)
      const dropped = await writer.bulk.dropDrafts(
        deletes.filter((key) => key >= this.#firstDraft),
        this.#lease,
      )
      await writer.bulk.moveSlots(moves, this.#lease)
      return { deleted, dropped, firstKey: await this.#insert(writer, inserts) }
    })
    this.#deleted += done.deleted
    this.#inserted += inserts.length - done.dropped
    this.#rows.changed(ofStored, moves, done.dropped)
    if (inserts.length === 0) return
    this.#firstDraft = Math.min(this.#firstDraft, done.firstKey)
    this.#rows.inserted(inserts, done.firstKey)
  }

  /** Flushed to disk before any node sees it, so that a revision never identifies two states. */
  async commit(end: Parameters<SnapshotWriter['commit']>[0]): Promise<number> {
    const publishRows = await this.#rows.save(end.outcome)
    const committed = await this.#transaction('power-cut', async (writer) => {
      const { queries } = writer
      const revision = await this.#makeVisible(queries, await this.#movedHorizons(queries, end.horizons))
      await this.#checkTotal(queries, end.slotsMax)
      await replaceRejections(queries, this.#lease.sourceId, end.rejections)
      await writeHistory(queries, this.#lease, { ...end.outcome, slotCount: this.#slotCount })
      const changes = committedChanges(this.source, end, {
        slotCount: this.#slotCount,
        changedAtMs: this.#changed ? this.#now() : undefined,
      })
      const resource_set = await this.resources.commit(writer, end.resources)
      await this.#end(queries, end, { ...changes, resource_set })
      if (end.importedBy !== undefined) await this.#noteImport(queries, end.importedBy)
      return revision
    })
    publishRows()
    return committed
  }

  async abandon(end: Parameters<SnapshotWriter['abandon']>[0]): Promise<void> {
    this.#rows.close()
    await this.#oneByOne(() => recallLease(this.#database.read.queries, this.#lease))
    await this.#undo()
    await this.#transaction('kill', async ({ queries }) => {
      await queries.deleteFrom('syncs').where('id', '=', this.#lease.syncId).execute()
      await writeHistory(queries, this.#lease, { ...end.outcome, slotCount: this.source.slotCount })
      await this.#end(queries, end, abandonedChanges(this.source, end, this.#now()))
    })
  }

  async compare(): Promise<SnapshotComparison> {
    const comparison = await compareSnapshots(this.#database, this.#lease, this.#now())
    await this.check()
    return comparison
  }

  async discard(): Promise<void> {
    await this.#undo()
    this.#rows.discard()
    this.#firstDraft = Number.POSITIVE_INFINITY
    this.#inserted = 0
    this.#deleted = 0
  }

  async #undo(): Promise<void> {
    if (this.#wrote) await this.#oneByOne(() => undoSync(this.#database, this.#lease.syncId, this.#extendLease))
    this.#wrote = false
  }

  #transaction<T>(durability: Durability, work: (writer: Writer) => Promise<T>): Promise<T> {
    return this.#oneByOne(() =>
      this.#database.transaction(durability, async (writer) => {
        await this.#extendLease(writer)
        return work(writer)
      }),
    )
  }

  readonly #extendLease = ({ queries }: Writer) => extendLease(queries, this.#lease, this.#now())

  /** Runs writes one at a time: with two concurrent extensions, the lease could not tell which was committed last. */
  #oneByOne<T>(write: () => Promise<T>): Promise<T> {
    const done = this.#written.then(write).then((result) => {
      settleLease(this.#lease)
      return result
    })
    this.#written = done.catch(() => undefined)
    return done
  }

  /** The number of slots after the commit. */
  get #slotCount(): number {
    return this.source.slotCount + this.#inserted - this.#deleted
  }

  get #changed(): boolean {
    return this.#inserted > 0 || this.#deleted > 0
  }

  async #insert(writer: Writer, drafts: readonly SlotDraft[]): Promise<number> {
    if (drafts.length === 0) return 0
    const firstKey = (await advance(writer.queries, 'slot_keys', drafts.length)) - drafts.length + 1
    await writer.bulk.insertSlots(drafts.map((draft, at) => this.#rowOf(draft, firstKey + at)))
    return firstKey
  }

  #rowOf(draft: SlotDraft, key: number): NewSlotRow {
    return {
      key,
      id: draft.id,
      source_id: this.#lease.sourceId,
      offering_id: draft.offeringId,
      status: SLOT_STATUSES.indexOf(draft.status),
      start_ms: draft.startMs,
      end_ms: draft.endMs,
      json: draft.json,
      part: draft.part,
      fingerprint: draft.fingerprint,
      inserted_sync: this.#lease.syncId,
      replaces: draft.replaces ?? null,
    }
  }

  /** The planning horizons, if they are not those that are stored. */
  async #movedHorizons(queries: Kysely<Schema>, horizons: string | undefined): Promise<string | undefined> {
    const isMoved = horizons !== undefined && horizons !== (await readHorizons(queries, this.source.slug))
    return isMoved ? horizons : undefined
  }

  /** A sync that changed nothing gets no revision. */
  async #makeVisible(queries: Kysely<Schema>, content: string | undefined): Promise<number> {
    const { syncId, sourceId } = this.#lease
    if (!this.#changed && content === undefined) {
      await queries.deleteFrom('syncs').where('id', '=', syncId).execute()
      return (await readCounters(queries, ['slots'])).slots
    }
    const commit = await advanceSlots(queries, this.#now())
    await queries
      .updateTable('syncs')
      .set({ ...commit, deleted_rows: this.#deleted })
      .where('id', '=', syncId)
      .execute()
    if (content !== undefined) {
      await writeHorizons(queries, { publisher: this.source.slug, sourceId }, { revision: commit.revision, content })
    }
    return commit.revision
  }

  /** After the revision advanced: until this transaction ends, no other commit can read the same total. */
  async #checkTotal(queries: Kysely<Schema>, slotsMax = Number.POSITIVE_INFINITY): Promise<void> {
    if (slotsMax === Number.POSITIVE_INFINITY || this.#slotCount <= this.source.slotCount) return
    const total = this.#slotCount + (await countOtherSlots(queries, this.#lease.sourceId))
    if (total > slotsMax)
      throw new LimitReached(`Cannot commit: there would be ${total} slots: the limit is ${slotsMax}`)
  }

  /** A source created for an uploaded file is logged as added with its first import. */
  async #noteImport(queries: Kysely<Schema>, actor: AuditActor): Promise<void> {
    const { slug, lastCheckedAtMs } = this.source
    const of = { atMs: this.#now(), slug, actor }
    if (lastCheckedAtMs === undefined) await writeAction(queries, { ...of, kind: 'added' })
    await writeAction(queries, { ...of, kind: 'imported' })
  }

  #end(queries: Kysely<Schema>, end: SyncEnd, changes: Parameters<typeof endSource>[2]): Promise<void> {
    return endSource(queries, { source: this.source, end, nowMs: this.#now() }, changes)
  }
}
