import type { Kysely } from 'kysely'
import type { OrganizationOrder } from '../../shared/contract/operated-organizations.ts'
import type { Suspension } from '../../shared/contract/suspension.ts'
import type { OperatorRole } from '../../shared/permissions.ts'
import type { AuditActor, AuditOrigin } from './audit.ts'
import type { Organization } from './organizations.ts'

/** The operators of the service, and its own secrets. Changes are in the audit log; the actor is the command line by default. */
export interface OperatorStore {
  /** Undefined for a person who is neither operator nor viewer. */
  roleOf(userId: string): Promise<OperatorRole | undefined>
  /** True if there is an operator; viewers do not count. */
  any(): Promise<boolean>
  /** Does nothing if the person has a role or is suspended. Returns whether it was given. */
  add(userId: string, options?: { role?: OperatorRole; by?: AuditActor }): Promise<boolean>
  /** Operators and viewers by email address. */
  list(): Promise<Operator[]>
  /** Changes the role; that of the last operator only with `allowNone`. */
  setRole(userId: string, role: OperatorRole, options: OperatorChange): Promise<OperatorOutcome>
  /** Removes an operator or a viewer; the last operator only with `allowNone`. */
  remove(userId: string, options: OperatorChange): Promise<OperatorOutcome>
  /** Stores the hash of a one-time setup token; an earlier token becomes invalid. */
  putSetupToken(tokenHash: string, expiresAtMs: number, by?: AuditActor): Promise<void>
  /** True for the hash of the unused setup token: its bearer may create an account to claim it with. */
  isSetupToken(tokenHash: string): Promise<boolean>
  /** Makes the person an operator and uses up the token, in one transaction. False if it is not the token. */
  claim(tokenHash: string, userId: string, origin?: AuditOrigin): Promise<boolean>
  /** The secret of this name. The first call's `make()` and expiry decide, for all nodes; without an expiry permanently. */
  secret(name: string, make: () => string, expiresAtMs?: number): Promise<string>
  /** The secret of this name, if there is one. */
  findSecret(name: string): Promise<string | undefined>
  /** False if there is none. */
  deleteSecret(name: string): Promise<boolean>
  /** Deletes the secrets that have expired, among them the setup token. */
  deleteExpiredSecrets(): Promise<void>
  /** Organizations with their members, active keys, and requests in 30 days. `total` counts all matches. */
  organizations(filter: OperatedFilter): Promise<{ organizations: CountedOrganization[]; total: number }>
  /** Undefined if it does not exist. */
  organization(id: string): Promise<(CountedOrganization & { readonly lastRequestAtMs?: number }) | undefined>
  /** The accounts with these addresses, in lower case. */
  accountsByEmail(emails: readonly string[]): Promise<Account[]>
  /** Accounts ordered by email address; `search` is a part of the name or address. `total` counts all matches. */
  accounts(filter: { search?: string; limit: number; offset: number }): Promise<{ accounts: Account[]; total: number }>
}

export interface CountedOrganization {
  readonly organization: Organization
  readonly members: number
  readonly keys: number
  readonly requests30d: number
}

/** `search`: a part of the name; case is ignored. Equal ones are ordered by name. */
export interface OperatedFilter {
  readonly search?: string
  readonly order: OrganizationOrder
  readonly limit: number
  readonly offset: number
}

/** A person with a role that the setup link or an operator gave. */
export interface Operator {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: OperatorRole
  readonly addedAtMs: number
}

export interface OperatorChange {
  readonly allowNone: boolean
  readonly by: AuditActor
}

/** `last`: nothing was changed, because no operator would remain. */
export type OperatorOutcome = 'done' | 'not-operator' | 'last'

/** A person who can sign in. */
export interface Account {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly createdAtMs: number
  readonly organizations: number
  readonly operatorRole?: OperatorRole
  readonly suspension?: Suspension
  readonly lastSignInAtMs?: number
}

/** Limits failed attempts and changes, across all nodes. */
export interface ThrottleStore {
  /** Records a failure under a name (an account, an address). Returns the time until which to refuse it; 0 to allow it. */
  fail(name: string, rule: ThrottleRule): Promise<number>
  /** Counts one use in a window that begins with the first use. Returns the window's end if the uses exceed `max`; 0 to allow it. */
  take(name: string, window: { max: number; ms: number }): Promise<number>
  /** The time until which the name is refused; 0 if it is allowed. */
  refusedUntil(name: string): Promise<number>
  /** Forgets the failures, after a success. */
  clear(name: string): Promise<void>
}

/** Exponential backoff: after `free` failures, `firstMs`, doubled by each failure up to `maxMs`. `forgetMs` without a failure resets it. */
export interface ThrottleRule {
  readonly free: number
  readonly firstMs: number
  readonly maxMs: number
  readonly forgetMs: number
}

/** The tables of better-auth. */
export interface SignInTables {
  /** Each statement is a transaction: writes wait for the write lock and are durable when they resolve. */
  // biome-ignore lint/suspicious/noExplicitAny: better-auth brings its own schema
  readonly queries: Kysely<any>
  readonly type: 'sqlite' | 'postgres'
}
