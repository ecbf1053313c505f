import type { Kysely } from 'kysely'
import type { AuditActor, AuditOrigin } from './audit.ts'
import type { Organization } from './organizations.ts'

/** The operators of the service, and its own secrets. Changes are in the audit log; the actor is the command line by default. */
export interface OperatorStore {
  isOperator(userId: string): Promise<boolean>
  /** True if there is an operator. */
  any(): Promise<boolean>
  add(userId: string, by?: AuditActor): Promise<void>
  /** The operators by email address. */
  list(): Promise<Operator[]>
  /** Removes an operator; the last one only with `allowNone`. */
  remove(userId: string, options: { allowNone: boolean; by: AuditActor }): Promise<OperatorRemoval>
  /** Stores the hash of a one-time setup token; an earlier token becomes invalid. */
  putSetupToken(tokenHash: string, expiresAtMs: number, by?: AuditActor): Promise<void>
  /** True for the hash of the unused setup token: its bearer may create an account to claim it with. */
  isSetupToken(tokenHash: string): Promise<boolean>
  /** Makes the person an operator and uses up the token, in one transaction. False if it is not the token. */
  claim(tokenHash: string, userId: string, origin?: AuditOrigin): Promise<boolean>
  /** The secret of this name. The first call's `make()` decides, for all nodes and permanently. */
  secret(name: string, make: () => string): Promise<string>
  organizations(): Promise<{ organization: Organization; members: number; keys: number; requests30d: number }[]>
  /** Accounts ordered by email address; `search` is a part of the name or address. `total` counts all matches. */
  accounts(filter: { search?: string; limit: number; offset: number }): Promise<{ accounts: Account[]; total: number }>
}

/** A person with operator rights that the setup link gave. */
export interface Operator {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly addedAtMs: number
}

/** `last`: nothing was removed, because no operator would remain. */
export type OperatorRemoval = 'removed' | 'not-operator' | 'last'

/** A person who can sign in. */
export interface Account {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly createdAtMs: number
  readonly organizations: number
  readonly isOperator: boolean
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
