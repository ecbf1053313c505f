import type { SourceMessage } from '../../shared/source-vocabulary.ts'
import type { Offering } from '../../slot/slot.ts'
import type { AuditActor } from './audit.ts'
import type { ResourceChanges, ResourceWriter } from './resources.ts'
import type { InsertedSlot } from './revision-feed.ts'
import type { AnomalyAssessment, SnapshotComparison, SnapshotToHold } from './source-watch.ts'
import type { SourceState, StoredRejection, SyncOutcome } from './sources.ts'

/** Writes a source's next snapshot: in short transactions that stay invisible until one commit publishes them. */
export interface SnapshotStore {
  /**
   * Acquires the source's lease for `leaseMs` and deletes what an interrupted sync wrote. The lease has a fencing token.
   * Undefined if another owner holds the lease. Throws `LeaseLost` if the source does not exist.
   *
   * The begun sync stays on record until it ends. `resume`: only if `owner` has begun a sync that did not end.
   */
  begin(sourceId: number, lease: LeaseRequest): Promise<SnapshotWriter | undefined>
}

export interface LeaseRequest {
  /** Unique for each process that syncs; a process runs one sync of a source at a time. */
  readonly owner: string
  /** At most an hour. */
  readonly leaseMs: number
  readonly resume?: boolean
}

/** A slot to insert, and where it was read. */
export interface SlotDraft extends InsertedSlot {
  readonly part: number
  readonly fingerprint: number
  /** The key of the previous version of the slot, which this sync deletes. */
  readonly replaces?: number
}

/** A visible row of the previous snapshot, or a row that this writer inserted. */
export interface StoredSlot extends Omit<SlotDraft, 'startMs' | 'endMs'> {
  readonly key: number
  /** Inserted by this sync. */
  readonly drafted: boolean
}

/** An unchanged slot that was read from another line. */
export interface SlotMove {
  readonly key: number
  readonly part: number
  readonly fingerprint: number
}

/** Columns of equal length, one row per slot of the previous snapshot, in ascending order of key. Integers in few bytes if they are small. */
export interface StoredRows {
  readonly keys: Uint32Array | Float64Array
  readonly fingerprints: Float64Array
  readonly parts: Uint8Array | Uint16Array | Uint32Array
  /** End of the slot in seconds since 1970, rounded up. */
  readonly ends: Uint32Array
}

/** Any method throws `LeaseLost` once the lease or the source is gone; nothing of the sync is visible then. */
export interface SnapshotWriter {
  readonly source: SourceState
  /** The sync before this one, of another owner, did not end: its process was killed or lost the database. */
  readonly followsCrash: boolean
  /** Throws `LeaseLost` if the lease or the source is gone. Cheap: may be called several times a second. */
  check(): Promise<void>
  readStored(): Promise<StoredRows>
  /** The slots of the current snapshots of all other sources. */
  countOtherSlots(): Promise<number>
  /** The resources that the slots are made of, for feeds that publish updates. */
  readonly resources: ResourceWriter
  /** At most 5,000 ids per call. */
  findStored(ids: readonly string[]): Promise<StoredSlot[]>
  /** The same for slots with `INDEXED_PART`, without reading the snapshot. */
  findIndexed(ids: readonly string[]): Promise<StoredSlot[]>
  /** The planning horizons of the source's Schedules: see `encodeHorizons()`. */
  readHorizons(): Promise<string>
  /** The rejections of the last snapshot that were kept, in the order of its commit. */
  readRejections(): Promise<StoredRejection[]>
  /** Stores new offerings. Returns the ids in the order given; equal offerings share an id. */
  putOfferings(offerings: readonly Offering[]): Promise<number[]>
  /** One short transaction that also extends the lease. `deletes`: keys. */
  write(batch: {
    inserts?: readonly SlotDraft[]
    deletes?: readonly number[]
    moves?: readonly SlotMove[]
  }): Promise<void>
  /**
   * Publishes the snapshot, replaces the rejections, stores the outcome and releases the lease in one transaction. Returns the
   * revision, which grows only if a slot or a planning horizon changed. `importedBy`: the actor of an import, for the log. Throws `LimitReached` if the
   * source grows and all sources together would have more than `slotsMax` slots. `resources`: what becomes of the stored set; it is
   * deleted if absent. `horizons`: replace those of the source, which stay if absent.
   */
  commit(
    end: SyncEnd & {
      connectorState: unknown
      lastEndMs?: number
      importedBy?: AuditActor
      slotsMax?: number
      resources?: 'new' | ResourceChanges
      horizons?: string
    },
  ): Promise<number>
  /** The served snapshot and the one written so far. Reads every row of the source. */
  compare(): Promise<SnapshotComparison>
  /** Deletes what was written, to begin again. */
  discard(): Promise<void>
  /**
   * Deletes what was written, stores the outcome and releases the lease. The rejections and the connector state of the last
   * good sync stay. `held`: the snapshot to hold for review, if that is the reason.
   */
  abandon(end: SyncEnd & { held?: SnapshotToHold }): Promise<void>
}

/** The result of a sync besides its slots. */
export interface SyncEnd {
  readonly outcome: SyncOutcome
  readonly rejections: readonly StoredRejection[]
  readonly nextSyncAtMs: number
  /** It failed because this side stopped it, or could not store it: it does not count as a failure of the source. */
  readonly isStopped?: boolean
  /** The publisher's own timestamp of a feed that was read; absent if not provided. */
  readonly publishedAtMs?: number
  /** Replaces the source's messages unless the sync failed or was held. Absent: a commit removes them, an unchanged sync keeps them. */
  readonly messages?: readonly SourceMessage[]
  /** Of a sync that neither failed nor was held; absent if nothing was suspicious. */
  readonly assessment?: AnomalyAssessment
}
