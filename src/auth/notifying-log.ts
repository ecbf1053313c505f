import type { AuditLog, ServiceEvent } from '../store/contracts/audit.ts'
import type { SignInTables } from '../store/contracts/operators.ts'
import type { AuthEmails } from './auth-emails.ts'

interface NotifierOptions {
  readonly tables: SignInTables
  readonly emails: AuthEmails | undefined
  readonly now: () => number
}

/** Records events in the audit logs, and notifies the owner of an account of changes by email if the service can send any. */
export function notifyingLog(audit: Pick<AuditLog, 'record'>, options: NotifierOptions): Pick<AuditLog, 'record'> {
  if (options.emails === undefined) return audit
  return {
    async record(event) {
      await audit.record(event)
      await notifyOwner(event, options)
    },
  }
}

/** Notifies the owner of an account of a recorded change. Does nothing if the service cannot send mail. */
export async function notifyOwner(
  { kind, userId, by }: Pick<ServiceEvent, 'kind' | 'userId' | 'by'>,
  { tables, emails, now }: NotifierOptions,
): Promise<void> {
  if (emails === undefined || userId === undefined) return
  const user = await tables.queries.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  const change = { kind, byOperator: by.userId !== userId, atMs: now(), address: by.address }
  if (user !== undefined) emails.accountChanged(user.email, change)
}
