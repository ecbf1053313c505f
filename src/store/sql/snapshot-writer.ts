import type { Kysely } from 'kysely'
import { type Offering, SLOT_STATUSES } from '../../slot/slot.ts'
import type { AuditActor } from '../contracts/audit.ts'
import type { SlotDraft, SnapshotWriter, StoredRows, StoredSlot, SyncEnd } from '../contracts/snapshots.ts'
import type { SourceState, StoredRejection } from '../contracts/sources.ts'
import { undoSync } from './abandoned-syncs.ts'
import { advance, readCounters } from './counters.ts'
import type { Database, Durability, NewSlotRow, Writer } from './database.ts'
import { checkLease, extendLease, type Lease, recallLease, settleLease } from './lease.ts'
import { putOfferings } from './offerings.ts'
import type { Schema } from './schema.ts'
import { writeAction } from './source-log.ts'
import { findRows, readHeld, StoredIds } from './stored-slots.ts'
import { abandonedChanges, committedChanges, endSource, writeHistory } from './sync-end.ts'

/** Below SQLite's bound of 32,766 parameters in a statement, and PostgreSQL's of 65,535. */
const REJECTIONS_PER_INSERT = 1_000

/**
 * One sync, from its lease to its end. All it writes bears its sync's number and is invisible while that is open.
 *
 * Rows that it kills stay as they are but for `deleted_sync`; rows that it has born itself, and kills again, are deleted.
 */
export class SqlSnapshotWriter implements SnapshotWriter {
  readonly source: SourceState
  readonly #database: Database
  readonly #now: () => number
  readonly #lease: Lease
  /** All drafts, and all rows of the last snapshot once it was read. */
  readonly #ids: StoredIds
  #heldRead = false
  /** Keys only grow: from this one on, a living row of the source is a draft of this sync. */
  #firstDraft = Number.POSITIVE_INFINITY
  #wrote = false
  #written: Promise<unknown> = Promise.resolve()
  #born = 0
  #died = 0

  constructor(database: Database, now: () => number, begun: { lease: Lease; source: SourceState }) {
    this.#database = database
    this.#now = now
    this.#lease = begun.lease
    this.source = begun.source
    this.#ids = new StoredIds(begun.source.slotCount)
  }

  /** The ids are read with the rest: a second pass over a million rows would cost more than a table that is not asked. */
  async readStored(): Promise<StoredRows> {
    const held = await this.#readHeld()
    await checkLease(this.#database.read.queries, this.#lease)
    this.#heldRead = true
    return held
  }

  async findStored(ids: readonly string[]): Promise<StoredSlot[]> {
    if (!this.#heldRead) await this.readStored()
    const rows = await findRows(this.#database, this.#ids.candidates(ids), this.#lease.syncId)
    await checkLease(this.#database.read.queries, this.#lease)
    if (rows.length === 0) return rows
    const wanted = new Set(ids)
    return rows.filter((row) => wanted.has(row.id))
  }

  async putOfferings(offerings: readonly Offering[]): Promise<number[]> {
    const ids = await this.#oneByOne(() =>
      putOfferings(this.#database, offerings, this.#lease.sourceId, this.#extendLease),
    )
    await checkLease(this.#database.read.queries, this.#lease)
    return ids
  }

  async write(batch: Parameters<SnapshotWriter['write']>[0]): Promise<void> {
    const { inserts: born = [], deletes: died = [], moves: moved = [] } = batch
    if (born.length + died.length + moved.length > 0) this.#wrote = true
    const done = await this.#transaction('kill', async (writer) => {
      const killed = await writer.bulk.deleteSlots(
        died.filter((key) => key < this.#firstDraft),
        this.#lease,
      )
      const dropped = await writer.bulk.dropDrafts(
        died.filter((key) => key >= this.#firstDraft),
        this.#lease,
      )
      await writer.bulk.moveSlots(moved, this.#lease)
      return { killed, dropped, firstKey: await this.#insert(writer, born) }
    })
    this.#died += done.killed
    this.#born += born.length - done.dropped
    if (born.length > 0) this.#remember(born, done.firstKey)
  }

  /** What nodes follow is on the disk before any of them sees it, so no revision is ever given to two states. */
  async commit(end: Parameters<SnapshotWriter['commit']>[0]): Promise<number> {
    return this.#transaction('power-cut', async ({ queries }) => {
      const revision = await this.#makeVisible(queries)
      await this.#replaceRejections(queries, end.rejections)
      await writeHistory(queries, this.#lease, { ...end.outcome, slotCount: this.#slotCount })
      const changes = committedChanges(this.source, end, {
        slotCount: this.#slotCount,
        changedAtMs: this.#changed ? this.#now() : undefined,
      })
      await this.#end(queries, end, changes)
      if (end.importedBy !== undefined) await this.#noteImport(queries, end.importedBy)
      return revision
    })
  }

  async abandon(end: Parameters<SnapshotWriter['abandon']>[0]): Promise<void> {
    await this.#oneByOne(() => recallLease(this.#database.read.queries, this.#lease))
    if (this.#wrote) {
      await this.#oneByOne(() => undoSync(this.#database, this.#lease.syncId, this.#extendLease))
    }
    await this.#transaction('kill', async ({ queries }) => {
      await queries.deleteFrom('syncs').where('id', '=', this.#lease.syncId).execute()
      await writeHistory(queries, this.#lease, { ...end.outcome, slotCount: this.source.slotCount })
      await this.#end(queries, end, abandonedChanges(this.source, end, this.#now()))
    })
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

  /** A lease that is extended by two transactions at once could not tell which was committed last. */
  #oneByOne<T>(write: () => Promise<T>): Promise<T> {
    const done = this.#written.then(write).then((result) => {
      settleLease(this.#lease)
      return result
    })
    this.#written = done.catch(() => undefined)
    return done
  }

  async #readHeld(): Promise<StoredRows> {
    const reading = await this.#database.beginRead()
    try {
      return await readHeld(reading, this.#lease, this.#heldRead ? undefined : this.#ids)
    } finally {
      await reading.close()
    }
  }

  /** Once it is committed. */
  get #slotCount(): number {
    return this.source.slotCount + this.#born - this.#died
  }

  get #changed(): boolean {
    return this.#born > 0 || this.#died > 0
  }

  async #insert(writer: Writer, born: readonly SlotDraft[]): Promise<number> {
    if (born.length === 0) return 0
    const firstKey = (await advance(writer.queries, 'slot_keys', born.length)) - born.length + 1
    await writer.bulk.insertSlots(born.map((draft, at) => this.#rowOf(draft, firstKey + at)))
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

  #remember(born: readonly SlotDraft[], firstKey: number): void {
    this.#firstDraft = Math.min(this.#firstDraft, firstKey)
    for (let at = 0; at < born.length; at++) this.#ids.add(born[at].id, firstKey + at)
  }

  /** A sync that changed nothing leaves no trace, and needs none: see `SyncsTable`. */
  async #makeVisible(queries: Kysely<Schema>): Promise<number> {
    const { syncId } = this.#lease
    if (!this.#changed) {
      await queries.deleteFrom('syncs').where('id', '=', syncId).execute()
      return (await readCounters(queries, ['slots'])).slots
    }
    const revision = await advance(queries, 'slots')
    await queries
      .updateTable('syncs')
      .set({ revision, committed_at_ms: this.#now(), deleted_rows: this.#died })
      .where('id', '=', syncId)
      .execute()
    return revision
  }

  async #replaceRejections(queries: Kysely<Schema>, rejections: readonly StoredRejection[]): Promise<void> {
    const { sourceId } = this.#lease
    await queries.deleteFrom('rejections').where('source_id', '=', sourceId).execute()
    for (let at = 0; at < rejections.length; at += REJECTIONS_PER_INSERT) {
      const rows = rejections
        .slice(at, at + REJECTIONS_PER_INSERT)
        .map(({ file, line, reason, sample }, index) => ({
          source_id: sourceId,
          position: at + index,
          file,
          line,
          reason,
          sample,
        }))
      await queries.insertInto('rejections').values(rows).execute()
    }
  }

  /** A source that is made for a file is there, for all who look, from when the file is taken in. */
  async #noteImport(queries: Kysely<Schema>, actor: AuditActor): Promise<void> {
    const { slug, lastCheckedAtMs } = this.source
    const of = { atMs: this.#now(), slug, actor }
    if (lastCheckedAtMs === undefined) await writeAction(queries, { ...of, kind: 'added' })
    await writeAction(queries, { ...of, kind: 'imported' })
  }

  #end(queries: Kysely<Schema>, end: SyncEnd, changes: Parameters<typeof endSource>[2]): Promise<void> {
    return endSource(queries, { sourceId: this.#lease.sourceId, end, nowMs: this.#now() }, changes)
  }
}
