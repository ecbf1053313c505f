import type { Kysely } from 'kysely'
import type { ApiKey } from '../../keys/key.ts'
import type { RecentRequest, UsageBatch } from '../../keys/usage-batch.ts'
import type { Organization } from './store.ts'

export type { RecentRequest, UsageBatch }

/**
 * What people are in this service: their memberships, invitations and rights, and what was done by whom.
 *
 * Every change that an organization's log is to show takes an `AuditActor` and writes its `AuditEntry` in the same
 * transaction, so that neither can be without the other. Times are milliseconds since 1970.
 */

/** Who does something. */
export interface AuditActor {
  /** Absent for whoever uses the command line. */
  readonly userId?: string
  /** As the log is to show it for ever: an e-mail address, or `command line`. */
  readonly name: string
  /** The network address that the request came from. */
  readonly address?: string
}

/** What a person is in an organization. There is exactly one owner; the database sees to that. */
export const MEMBER_ROLES = ['owner', 'admin', 'member'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** A person in an organization. */
export interface Member {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly role: MemberRole
  readonly joinedAtMs: number
}

/** Who belongs to which organization. One membership per person and organization: a unique constraint. */
export interface MembershipStore {
  /** The owner first, then by name. */
  list(organizationId: string): Promise<Member[]>
  /** By name of the organization. */
  listOfUser(userId: string): Promise<{ organization: Organization; role: MemberRole }[]>
  /** Undefined for whoever does not belong to it, and for an organization that is not there. */
  find(organizationId: string, userId: string): Promise<MemberRole | undefined>
  /** Makes a member an admin or an admin a member. False if there is none such; the owner's role never changes here. */
  setRole(of: MemberId, role: Exclude<MemberRole, 'owner'>, by: AuditActor): Promise<boolean>
  /** Removes a member, or lets one leave. False if there is none such; the owner cannot be removed. */
  remove(of: MemberId, by: AuditActor): Promise<boolean>
  /** Makes a member the owner and the owner an admin, in one step. False if there is no such member. */
  transfer(of: MemberId, by: AuditActor): Promise<boolean>
}

export interface MemberId {
  readonly organizationId: string
  readonly userId: string
}

/** A way into an organization, for one person, once. The token is a secret: only its SHA-256 is kept. */
export interface Invitation {
  readonly id: string
  readonly organizationId: string
  /** Present if it is for one address alone. */
  readonly email?: string
  readonly role: Exclude<MemberRole, 'owner'>
  readonly createdBy: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly acceptedAtMs?: number
  /** The e-mail address of whoever came in by it. */
  readonly acceptedBy?: string
  readonly revokedAtMs?: number
}

export type AcceptOutcome =
  | { readonly outcome: 'joined'; readonly organization: Organization; readonly role: MemberRole }
  /** Unknown, expired, revoked, used, or meant for another address. */
  | { readonly outcome: 'unknown' | 'expired' | 'revoked' | 'used' | 'for-another-address' }
  | { readonly outcome: 'already-member'; readonly organization: Organization }

export interface InvitationStore {
  /** Throws `LimitReached` if the organization has `openMax` open invitations. */
  create(
    invitation: {
      organizationId: string
      role: Exclude<MemberRole, 'owner'>
      email?: string
      tokenHash: string
      expiresAtMs: number
      openMax?: number
    },
    by: AuditActor,
  ): Promise<Invitation>
  /** Newest first, the used, revoked and expired too. */
  list(organizationId: string): Promise<Invitation[]>
  /** By the SHA-256 of its token, with the organization that it leads to. Undefined also once that is deleted. */
  find(tokenHash: string): Promise<{ invitation: Invitation; organization: Organization } | undefined>
  /** False if the organization has none such that is still open. */
  revoke(of: { organizationId: string; id: string }, by: AuditActor): Promise<boolean>
  /** Joins and spends the invitation in one transaction: of two who try at once, one joins. Somebody who belongs to it already does not spend it. */
  accept(tokenHash: string, user: { id: string; email: string }, by: AuditActor): Promise<AcceptOutcome>
}

/** Everything that an organization's log tells. `docs/guide/audit.md` has a row for each. */
export const AUDIT_KINDS = [
  'organization.created',
  'organization.renamed',
  'organization.deleted',
  'organization.transferred',
  'member.joined',
  'member.left',
  'member.removed',
  'member.role-changed',
  'invitation.created',
  'invitation.revoked',
  'key.created',
  'key.rotated',
  'key.revoked',
  'sign-in.succeeded',
  'sign-in.failed',
  'sign-in.blocked',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

/** One line of an organization's log. Never changed, never deleted: the database refuses both. */
export interface AuditEntry {
  /** Grows with time. */
  readonly id: number
  readonly atMs: number
  readonly organizationId: string
  readonly kind: AuditKind
  readonly actor: AuditActor
  /** The id of the key, member or invitation that it was done to. */
  readonly subject?: string
  /** What a reader wants to know beside: names, roles, reasons. Never a secret. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
}

export interface AuditFilter {
  readonly organizationId: string
  readonly kind?: AuditKind
  /** Part of the actor's name, without regard to case. */
  readonly actor?: string
  readonly subject?: string
  readonly fromMs?: number
  /** Exclusive. */
  readonly toMs?: number
  /** Only entries before this id: the next page. */
  readonly beforeId?: number
  readonly limit: number
}

export interface AuditLog {
  /** Newest first. */
  list(filter: AuditFilter): Promise<AuditEntry[]>
  /** Notes a sign-in, in each organization that the person belongs to. */
  recordSignIn(
    kind: Extract<AuditKind, `sign-in.${string}`>,
    userId: string,
    entry: { by: AuditActor; detail: AuditEntry['detail'] },
  ): Promise<void>
}

/** How many of a key's newest requests are kept. */
export const RECENT_MAX = 100

/** Counts of requests by key. They survive a killed process, but for those of the last second. */
export interface UsageStore {
  /** Adds the counts to what is there, in one short transaction. Keys that are not there are left out. Never moves a last use backwards; a last use is no change of a key. */
  add(batch: UsageBatch): Promise<void>
  /** By hour (UTC), key and status, in this order. `hourMs` is where the hour begins. */
  hours(filter: UsageFilter): Promise<{ hourMs: number; keyId: string; status: number; requests: number }[]>
  /** How many requests fell into each bucket of `LATENCY_BOUNDS_US`, over the whole time; buckets without any are left out. */
  latencies(filter: UsageFilter): Promise<{ bucket: number; requests: number }[]>
  /** Newest first, at most `RECENT_MAX`. Empty for a key of another organization. */
  recent(organizationId: string, keyId: string): Promise<RecentRequest[]>
  /** Deletes hours before a time, for retention. */
  deleteBefore(beforeMs: number): Promise<void>
}

export interface UsageFilter {
  readonly organizationId: string
  readonly keyId?: string
  /** Inclusive, the beginning of an hour. */
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

/** Who runs the service, and what the service itself must remember. */
export interface OperatorStore {
  isOperator(userId: string): Promise<boolean>
  /** True if anybody is. */
  any(): Promise<boolean>
  add(userId: string): Promise<void>
  /** Notes the hash of a one-time setup token; the one before is worth nothing from then on. */
  putSetupToken(tokenHash: string): Promise<void>
  /** True if it is the hash of the token that was noted last and is not spent: whoever holds it may make an account to claim it with. */
  isSetupToken(tokenHash: string): Promise<boolean>
  /** Makes the person an operator and spends the token, in one transaction. False if it is not the token. */
  claim(tokenHash: string, userId: string): Promise<boolean>
  /** The value stored under this name; the first caller's `make()` decides, for all nodes and for ever. */
  secret(name: string, make: () => string): Promise<string>
  organizations(): Promise<
    { organization: Organization; members: number; keys: number; requests30d: number }[]
  >
  /** People by e-mail address; `search` is a part of name or address. `total` counts all that match. */
  accounts(filter: {
    search?: string
    limit: number
    offset: number
  }): Promise<{ accounts: Account[]; total: number }>
}

/** A person who can sign in. */
export interface Account {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly emailConfirmed: boolean
  readonly createdAtMs: number
  readonly organizations: number
  readonly isOperator: boolean
}

/** Slows down whoever guesses. Counted in the store, so that all nodes count together. */
export interface ThrottleStore {
  /** Notes a failure under a name (an account, an address) and says until when it is to be refused: 0 if it may go on. */
  fail(name: string, rule: ThrottleRule): Promise<number>
  /** Until when the name is refused; 0 if it is not. */
  refusedUntil(name: string): Promise<number>
  /** Forgets the failures, after a success. */
  clear(name: string): Promise<void>
}

/** After `free` failures the wait begins at `firstMs` and doubles with each, up to `maxMs`; `forgetMs` without a failure forgets them all. */
export interface ThrottleRule {
  readonly free: number
  readonly firstMs: number
  readonly maxMs: number
  readonly forgetMs: number
}

/** The tables that belong to the sign-in library, as it speaks to them. */
export interface SignInTables {
  /** Each statement is a transaction of its own: reads at once, writes in their turn and on the disk before they resolve. */
  // biome-ignore lint/suspicious/noExplicitAny: the library brings its own schema
  readonly queries: Kysely<any>
  readonly type: 'sqlite' | 'postgres'
}

/** What a rotation leaves: the new key, and the old one as it now is. */
export interface RotatedKey {
  readonly key: ApiKey
  readonly old: ApiKey
}
