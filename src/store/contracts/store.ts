import type { AccountActivityStore } from './account-activity.ts'
import type { AccountStore } from './accounts.ts'
import type { AlertStore } from './alerts.ts'
import type { AuditLog } from './audit.ts'
import type { ChangeLog } from './change-log.ts'
import type { DeliveryStore } from './deliveries.ts'
import type { KeyStore, UsageStore } from './keys.ts'
import type { OpenSlotHistory } from './open-slot-history.ts'
import type { OperatorStore, SignInTables, ThrottleStore } from './operators.ts'
import type { InvitationStore, MembershipStore, OrganizationStore } from './organizations.ts'
import type { RequestLog } from './request-log.ts'
import type { RevisionFeed } from './revision-feed.ts'
import type { SnapshotStore } from './snapshots.ts'
import type { SourceLog } from './source-log.ts'
import type { HealthLog } from './source-watch.ts'
import type { SourceStore } from './sources.ts'
import type { SubscriptionMatchStore } from './subscription-matches.ts'
import type { SubscriptionStore } from './subscriptions.ts'

/**
 * The persistent state. One implementation over both databases; times are milliseconds since 1970.
 *
 * Changes that a person makes (organizations, keys, sources) are durable when the promise resolves. What a sync writes
 * survives a killed process; after a power failure it is read again.
 */
export interface Store {
  readonly organizations: OrganizationStore
  readonly memberships: MembershipStore
  readonly invitations: InvitationStore
  readonly keys: KeyStore
  readonly usage: UsageStore
  readonly requestLog: RequestLog
  readonly accounts: AccountStore
  readonly audit: AuditLog
  readonly accountActivity: AccountActivityStore
  readonly operators: OperatorStore
  readonly throttles: ThrottleStore
  readonly signIn: SignInTables
  readonly sources: SourceStore
  readonly sourceLog: SourceLog
  readonly health: HealthLog
  readonly openSlotHistory: OpenSlotHistory
  readonly snapshots: SnapshotStore
  readonly revisionFeed: RevisionFeed
  readonly changeLog: ChangeLog
  readonly subscriptionMatches: SubscriptionMatchStore
  readonly alerts: AlertStore
  readonly jobLocks: JobLockStore
  readonly subscriptions: SubscriptionStore
  readonly deliveries: DeliveryStore
  /** Milliseconds since 1970, by the clock of the PostgreSQL server: all nodes judge leases and due times by it. */
  readonly now: () => number
  close(): Promise<void>
}

/** Leases on jobs that only one node runs, of at most an hour. */
export interface JobLockStore {
  /** True if the owner holds the lock for the next `ms`: it was free, had expired, or was held by this owner. */
  acquire(name: string, owner: string, ms: number): Promise<boolean>
}

/** A unique name is in use. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken'
}

/** As many exist as the limit allows; nothing was stored. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached'
}

/** As many were made in a while as the limit allows; nothing was stored. Later ones are allowed again. */
export class RateLimitReached extends LimitReached {}

/** The invited person is a member of the organization. */
export class AlreadyMember extends Error {
  override readonly name = 'AlreadyMember'
}

/** The actor no longer has the role that the change needs; nothing was stored. */
export class RoleRequired extends Error {
  override readonly name = 'RoleRequired'
}

/** The organization is suspended; nothing was stored. */
export class Suspended extends Error {
  override readonly name = 'Suspended'
}

/** The held snapshot is not the one that was reviewed. */
export class HeldSnapshotChanged extends Error {
  override readonly name = 'HeldSnapshotChanged'
}

/** The sync no longer holds the lease of its source. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** The database does not answer now. Nothing was done; a later attempt may succeed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}
