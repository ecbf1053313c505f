import type { ApiKey } from '../../keys/key.ts'
import type { Offering, SlotStatus } from '../../slot/slot.ts'
import type {
  AuditActor,
  AuditLog,
  InvitationStore,
  MembershipStore,
  OperatorStore,
  RotatedKey,
  SignInTables,
  ThrottleStore,
  UsageStore,
} from './account-store.ts'
import type { AlertStore } from './alert-store.ts'
import type { ChangeLog } from './change-log.ts'
import type { SourceLog } from './source-log.ts'
import type { SourceState, SourceStore, StoredRejection, SyncOutcome } from './source-store.ts'
import type {
  AnomalyAssessment,
  HealthLog,
  JobLockStore,
  OpenSlotHistory,
  SnapshotToHold,
} from './source-watch.ts'

/**
 * What outlives the process. One implementation for every database; times are milliseconds since 1970.
 *
 * Whatever a person is told was done (an organization, a key, a source) is on the disk before the promise resolves,
 * and survives a power cut. What a sync writes survives a killed process; after a power cut it is read again.
 */
export interface Store {
  readonly organizations: OrganizationStore
  readonly keys: KeyStore
  readonly sources: SourceStore
  readonly sourceLog: SourceLog
  readonly health: HealthLog
  readonly openSlotHistory: OpenSlotHistory
  readonly jobLocks: JobLockStore
  readonly alerts: AlertStore
  readonly snapshots: SnapshotStore
  readonly revisionFeed: RevisionFeed
  readonly changeLog: ChangeLog
  readonly memberships: MembershipStore
  readonly invitations: InvitationStore
  readonly audit: AuditLog
  readonly usage: UsageStore
  readonly operators: OperatorStore
  readonly throttles: ThrottleStore
  readonly signIn: SignInTables
  close(): Promise<void>
}

/** Who owns keys. */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly createdAtMs: number
}

/** The organizations; names are told apart without regard to case. */
export interface OrganizationStore {
  /** Throws `NameTaken` if an organization has that name, ignoring case. A founder with a `userId` becomes its owner; throws `LimitReached` if they own `ownedMax` organizations. */
  create(name: string, by?: AuditActor, ownedMax?: number): Promise<Organization>
  /** Undefined if there is none. Throws `NameTaken`. */
  rename(id: string, name: string, by: AuditActor): Promise<Organization | undefined>
  /** Revokes its keys and ends its memberships and invitations; its name is free again, its log stays. Returns the keys as they are now; undefined if there is none. */
  remove(id: string, by: AuditActor): Promise<ApiKey[] | undefined>
  list(): Promise<Organization[]>
  /** By id or, without regard to case, by name. */
  find(idOrName: string): Promise<Organization | undefined>
}

/** The keys of all organizations. None is ever deleted. */
export interface KeyStore {
  /** Throws `LimitReached` if the organization has `activeMax` active keys. */
  put(key: ApiKey, by?: AuditActor, activeMax?: number): Promise<void>
  /** Newest first; all organizations if none is named. */
  list(organizationId?: string): Promise<ApiKey[]>
  find(id: string): Promise<ApiKey | undefined>
  /** Revokes a live key; a key revoked before stays as it was. Returns the key as it is now, undefined if there is none. */
  revoke(
    id: string,
    revocation: { reason?: string; atMs: number; organizationId?: string; by?: AuditActor },
  ): Promise<ApiKey | undefined>
  /**
   * Stores `next` and lets the old key expire at `untilMs` at the latest; a time that has come revokes it. Undefined if the organization
   * has no such active key. Throws `LimitReached` if the old key stays active and the organization has `activeMax` active keys.
   */
  rotate(
    old: { id: string; organizationId: string; untilMs: number },
    next: ApiKey,
    by: AuditActor,
    activeMax?: number,
  ): Promise<RotatedKey | undefined>
  /** Every key created or revoked after a revision (0: all of them, the revoked too), and the revision they bring one to. */
  changedSince(revision: number): Promise<{ keys: ApiKey[]; revision: number }>
}

/** How a source's next snapshot is written: aside, in short transactions, and made visible by one. */
export interface SnapshotStore {
  /**
   * Takes the source's lease for `leaseMs` and drops what an interrupted sync left.
   * Undefined if somebody else holds the lease. Throws `LeaseLost` if there is no such source.
   */
  begin(sourceId: number, lease: { owner: string; leaseMs: number }): Promise<SnapshotWriter | undefined>
}

/** A row that is not yet born. */
export interface SlotDraft {
  readonly id: string
  readonly offeringId: number
  readonly status: SlotStatus
  readonly startMs: number
  readonly endMs: number
  /** What belongs to the slot alone, as JSON without the closing brace: see `encodeSlot()`. */
  readonly json: string
  readonly part: number
  readonly fingerprint: number
  /** The key of the row that it takes the place of: of the last snapshot, under the same id, and to die in this sync. */
  readonly replaces?: number
}

/** A live row of the snapshot before, or one that this writer has drafted. */
export interface StoredSlot {
  readonly key: number
  readonly id: string
  readonly offeringId: number
  readonly status: SlotStatus
  readonly json: string
  readonly part: number
  readonly fingerprint: number
  /** Written by this very sync. */
  readonly drafted: boolean
}

/** Columns of equal length, one row for each slot that the last snapshot holds, by ascending key. */
export interface StoredRows {
  readonly keys: Float64Array
  readonly fingerprints: Float64Array
  readonly parts: Uint32Array
  /** When it ends, in seconds since 1970, rounded up. */
  readonly ends: Uint32Array
}

/** Throws `LeaseLost` from any method once the lease or the source is gone; nothing of the sync is visible then. */
export interface SnapshotWriter {
  readonly source: SourceState
  readStored(): Promise<StoredRows>
  /** At most 5,000 ids a call. */
  findStored(ids: readonly string[]): Promise<StoredSlot[]>
  /** Returns the ids of equal offerings, in the order asked, and stores those that are new. */
  putOfferings(offerings: readonly Offering[]): Promise<number[]>
  /** One short transaction, which also extends the lease. `died`: keys that the next snapshot no longer holds. `moved`: rows whose slot is unchanged but was read from another line. */
  write(batch: {
    inserts?: readonly SlotDraft[]
    deletes?: readonly number[]
    moves?: readonly { key: number; part: number; fingerprint: number }[]
  }): Promise<void>
  /** Makes the snapshot visible, replaces the rejections, stores the outcome and gives back the lease: all in one transaction. Returns the revision, which is a new one only if a slot changed. `broughtBy`: whose file it was, for the log. */
  commit(
    end: SyncEnd & { connectorState: unknown; lastEndMs?: number; importedBy?: AuditActor },
  ): Promise<number>
  /** Drops what was written, stores the outcome and gives back the lease. The rejections and the memory of the last good sync stay. `held`: what came, if that is why. */
  abandon(end: SyncEnd & { held?: SnapshotToHold }): Promise<void>
}

/** What remains of a sync beside its slots. */
export interface SyncEnd {
  readonly outcome: SyncOutcome
  readonly rejections: readonly StoredRejection[]
  readonly nextSyncAtMs: number
  /** When the publisher says its feed is from; absent if it says nothing. Only of a feed that could be read. */
  readonly publishedAtMs?: number
  /** Of a sync that did not fail and was not held; without it, nothing was suspicious. */
  readonly assessment?: AnomalyAssessment
}

/** What a node needs to follow: two counters that only grow, each moved by the transaction that changes something. */
export interface Revisions {
  /** Whose counters they are. Under another number, what was known before means nothing. */
  readonly epoch: number
  readonly slots: number
  readonly keys: number
}

/** What a node follows, so that it holds in memory what the store holds. */
export interface RevisionFeed {
  /** Cheap enough to be asked five times a second. */
  revisions(): Promise<Revisions>
  /** Resolves when there may be something new, at the latest after `ms` or when aborted; early only where the database calls. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /**
   * Everything that was committed after a revision, from one consistent moment. Undefined asks for everything that lives;
   * so does a revision that retention no longer reaches: `whole` then says so. To be closed; holds a read transaction.
   */
  open(since: number | undefined): Promise<RevisionDelta>
  /**
   * Deletes the dead older than `retentionMs`, in short transactions; also offerings that no slot refers to, and what syncs
   * left that nobody goes on with. Where there are more dead than living, and than `deadMin` (`DEAD_MIN` without it), the
   * oldest of them go early, but none that died within half a minute. Returns the number of rows.
   */
  purge(retentionMs: number, nowMs: number, deadMin?: number): Promise<number>
}

/** What changed between two revisions: what died is to be taken out before what was born is put in. */
export interface RevisionDelta {
  /** True: `born` is all that lives, and what a node held before is to be dropped. */
  readonly whole: boolean
  readonly revision: number
  /** Tells this store, and this history of it, from all others: another one's revisions mean something else. */
  readonly store: number
  /** As in `Revisions`. Under another than the one that `since` was heard of, this change must not be taken in. */
  readonly epoch: number
  /** In no order, in pieces of at most 4,000. */
  inserted(): AsyncIterable<readonly InsertedSlot[]>
  /** Slots that lived at `since` and do not live at `revision`, or live changed (they are then in `born` too). */
  deleted(): AsyncIterable<readonly DeletedSlot[]>
  /** The JSON of `Offering` by id. */
  offerings(ids: readonly number[]): Promise<{ id: number; json: string }[]>
  close(): Promise<void>
}

/** A slot that is gone, with what its place in the order depends on. */
export interface DeletedSlot {
  readonly id: string
  readonly startMs: number
}

/** A slot as it lives now. */
export interface InsertedSlot {
  readonly id: string
  readonly offeringId: number
  readonly status: SlotStatus
  readonly startMs: number
  readonly endMs: number
  readonly json: string
}

/** A name that must be unique is in use. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken'
}

/** As many exist as the limit allows; nothing was stored. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached'
}

/** What was said yes to is not what is held by now. */
export class HeldSnapshotChanged extends Error {
  override readonly name = 'HeldIsAnother'
}

/** The sync no longer holds its source. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** The database cannot be asked now: nothing was done, and later it may work. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreAway'
}
