import type { Suspension } from '../../shared/contract/suspension.ts'
import type { MemberRole, OperatorRole } from '../../shared/permissions.ts'
import type { AuditActor } from './audit.ts'
import type { Account } from './operators.ts'
import type { Organization } from './organizations.ts'

/** What operators see and do about an account. Each change is in the audit logs, in the same transaction. */
export interface AccountStore {
  /** Undefined if it does not exist. */
  find(userId: string): Promise<AccountDetails | undefined>
  /** The role in the service, and the suspension, which is read for each request of a session. */
  standing(userId: string): Promise<AccountStanding>
  listSuspended(): Promise<{ id: string; suspension: Suspension }[]>
  /** Ends its sessions, forgets its trusted devices and reset links, and refuses sign-ins. An operator keeps access. */
  suspend(userId: string, reason: string, by: AuditActor): Promise<SuspendOutcome>
  /** False if it does not exist or is not suspended. */
  resume(userId: string, by: AuditActor): Promise<boolean>
  /** Marks the email address as verified. False if the account does not exist, has another address, or it is verified. */
  verifyEmail(userId: string, email: string, by: AuditActor): Promise<boolean>
  /** Turns two-factor authentication off and forgets the trusted devices. False if it does not exist or has none. */
  resetSecondFactor(userId: string, by: AuditActor): Promise<boolean>
}

export interface AccountStanding {
  readonly operatorRole?: OperatorRole
  readonly suspension?: Suspension
}

/** Nothing was changed unless it is `done`. `operator`: the person is an operator or a viewer of the service. */
export type SuspendOutcome = 'done' | 'not-found' | 'already' | 'operator'

export interface AccountDetails {
  readonly account: Account
  readonly memberships: readonly { readonly organization: Organization; readonly role: MemberRole }[]
  readonly signIn: SignInMethods
  /** Newest first, at most `SESSIONS_MAX`. */
  readonly sessions: readonly AccountSession[]
}

/** How a person can sign in. */
export interface SignInMethods {
  readonly password: boolean
  readonly singleSignOn: boolean
  readonly passkeys: number
  readonly twoFactor: boolean
}

export interface AccountSession {
  readonly id: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly address?: string
  readonly userAgent?: string
}

export const SESSIONS_MAX = 50
