import { SERVICE_AUDIT_KINDS } from '../../shared/audit-kinds.ts'
import type { AuditEntry } from './audit.ts'

/** When people signed in, and what others changed in their accounts. Recording an entry of the service's log updates it in the same transaction. */
export interface AccountActivityStore {
  /** When each account last signed in, by user ID; without those that have not. */
  lastSignIns(userIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The second factor of each account, by user ID. */
  secondFactors(userIds: readonly string[]): Promise<ReadonlyMap<string, SecondFactor>>
  /**
   * Entries of the service's log about changes that others made to an account, such as operators, and that its owner has not
   * dismissed: the newest `NOTICES_MAX`, newest first.
   */
  notices(userId: string): Promise<AuditEntry[]>
  /** Dismisses the notices up to an entry. Later ones remain. */
  dismissNotices(userId: string, lastId: number): Promise<void>
}

/** `not-needed`: without a password, because a passkey and single sign-on count as strong. */
export type SecondFactor = 'on' | 'off' | 'not-needed'

export const NOTICES_MAX = 10

/** Changes that the owner of an account is notified of if another made them. That an address was verified is no reason for concern. */
export const NOTICE_KINDS = SERVICE_AUDIT_KINDS.filter(
  (kind) => /^(account|operator)\./.test(kind) && kind !== 'account.email-verified',
)
