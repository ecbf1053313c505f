import type { ApiKey } from '../../keys/key.ts'
import type { Suspension } from '../../shared/contract/suspension.ts'
import { MEMBER_ROLES, type MemberRole } from '../../shared/permissions.ts'
import type { AuditActor } from './audit.ts'
import type { OperatorChange } from './operators.ts'
import type { ListPosition, PageRequest } from './page.ts'

/** The owner of keys. */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly createdAtMs: number
  /** Members who sign in with a password need a second factor. */
  readonly requiresSecondFactor?: true
  /** Its keys are refused, and its members can only read, revoke keys and leave. */
  readonly suspension?: Suspension
}

/**
 * Organizations. Their names are unique; case is ignored.
 *
 * Here and for members, invitations and keys, a change by a user throws `RoleRequired` if the user's role, checked in the
 * transaction of the change, no longer has the permission, and `Suspended` if the organization is suspended.
 */
export interface OrganizationStore {
  /**
   * A founder with a `userId` becomes the owner. Throws `NameTaken`, and `LimitReached` if the founder owns `ownedMax`
   * organizations.
   */
  create(name: string, by?: AuditActor, ownedMax?: number): Promise<Organization>
  /** Undefined if it does not exist. Throws `NameTaken`. */
  rename(id: string, name: string, by: AuditActor): Promise<Organization | undefined>
  /** Undefined if it does not exist. */
  setSecondFactor(id: string, required: boolean, by: AuditActor): Promise<Organization | undefined>
  /**
   * Revokes its active keys, deletes its memberships, revokes its invitations and frees its name; the audit log stays. Returns
   * the keys that were revoked; undefined if it does not exist. `asOperator`: the actor needs no role, and the service's log
   * has an entry as well.
   */
  remove(id: string, by: AuditActor, asOperator?: 'as operator'): Promise<ApiKey[] | undefined>
  /** Returns the changed keys. Undefined if it does not exist or is suspended. */
  suspend(id: string, reason: string, by: AuditActor): Promise<ApiKey[] | undefined>
  /** Returns the changed keys. Undefined if it does not exist or is not suspended. */
  resume(id: string, by: AuditActor): Promise<ApiKey[] | undefined>
  list(): Promise<Organization[]>
  listDeleted(): Promise<{ id: string; atMs: number }[]>
  /** By id, or by name; case is ignored. */
  find(idOrName: string): Promise<Organization | undefined>
}

/** A person in an organization. */
export interface Member {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly role: MemberRole
  readonly joinedAtMs: number
}

export interface MemberId {
  readonly organizationId: string
  readonly userId: string
}

/**
 * Members of organizations; a unique constraint allows one membership per person and organization. The open invitations that a person
 * created are revoked when the person is removed, suspended or becomes a member: they would lead back in.
 */
export interface MembershipStore {
  /** The owner, the admins, the members; each in the order of joining. */
  list(organizationId: string, page?: PageRequest): Promise<Member[]>
  /** The members who have a password and no second factor, in the same order. `total` counts all of them. */
  withoutSecondFactor(organizationId: string, limit: number): Promise<{ members: Member[]; total: number }>
  /** By name of the organization. */
  listOfUser(userId: string): Promise<{ organization: Organization; role: MemberRole }[]>
  /** Undefined for a person who is no member, and for an organization that does not exist. */
  find(organizationId: string, userId: string): Promise<MemberRole | undefined>
  /** False if there is no such member; the owner's role does not change here. */
  setRole(of: MemberId, role: Exclude<MemberRole, 'owner'>, by: AuditActor): Promise<boolean>
  /** Removes a member, who may be the actor. False if there is no such member; the owner cannot be removed. */
  remove(of: MemberId, by: AuditActor): Promise<boolean>
  /**
   * Makes a member the owner and the owner an admin, in one step. False if there is no such member. Throws `LimitReached` if the
   * member owns `ownedMax` organizations. `as operator` needs no role in the organization, which may be suspended, has no limit, and
   * is recorded in the log of the service, too.
   */
  transfer(of: MemberId, by: AuditActor, ownedMax: number | 'as operator'): Promise<boolean>
  /** Removes a person's memberships and account in one transaction; that of the last operator only with `allowNone`. */
  removeAccount(userId: string, change: OperatorChange): Promise<AccountRemoval>
}

/** How many organizations a person may belong to: they are all listed on every page of the dashboard. */
export const MEMBERSHIPS_MAX = 200

/** Nothing was changed unless it is `deleted`. `owner`: the names of the person's own organizations, which come first. */
export type AccountRemoval =
  | { readonly outcome: 'deleted' | 'last-operator' }
  | { readonly outcome: 'owner'; readonly organizations: readonly string[] }

/** The place of a member in `MembershipStore.list()`. */
export function memberPosition({ userId, role, joinedAtMs }: Member): ListPosition {
  return { rank: MEMBER_ROLES.indexOf(role), atMs: joinedAtMs, id: userId }
}

/** An invitation lets one person join once. The token is a secret: only its SHA-256 is stored. */
export interface Invitation {
  readonly id: string
  readonly organizationId: string
  /** Present if only this address may accept. */
  readonly email?: string
  readonly role: Exclude<MemberRole, 'owner'>
  readonly createdBy: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly acceptedAtMs?: number
  /** The email address of the person who accepted. */
  readonly acceptedBy?: string
  readonly revokedAtMs?: number
}

/** The place of an invitation in `InvitationStore.list()`. */
export function invitationPosition(invitation: Invitation): ListPosition {
  const { id, createdAtMs, expiresAtMs, acceptedAtMs, revokedAtMs } = invitation
  return { rank: acceptedAtMs ?? revokedAtMs ?? expiresAtMs, atMs: createdAtMs, id }
}

export type AcceptOutcome =
  | { readonly outcome: 'joined'; readonly organization: Organization; readonly role: MemberRole }
  | { readonly outcome: 'unknown' | 'expired' | 'revoked' | 'used' | 'for-another-address' | 'suspended' }
  | { readonly outcome: 'already-member'; readonly organization: Organization }

export interface InvitationStore {
  /** Throws `LimitReached` if the organization has `openMax` open invitations, and `AlreadyMember` if it is for a member. */
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
  /** Open invitations first, then by when they ended, latest first. */
  list(organizationId: string, page?: PageRequest): Promise<Invitation[]>
  /** By the SHA-256 of the token. Undefined as well once the organization is deleted. */
  find(tokenHash: string): Promise<{ invitation: Invitation; organization: Organization } | undefined>
  /** False if the organization has no such open invitation. */
  revoke(of: { organizationId: string; id: string }, by: AuditActor): Promise<boolean>
  /** Joins and uses up the invitation in one transaction: of two concurrent calls, one joins. A member does not use it up. */
  accept(tokenHash: string, user: { id: string; email: string }, by: AuditActor): Promise<AcceptOutcome>
  /** Deletes the invitations that were accepted, revoked or expired before a time, for retention. Returns the number. */
  deleteEnded(beforeMs: number): Promise<number>
}
