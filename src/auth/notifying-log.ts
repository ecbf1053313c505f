import type { AuditLog } from '../store/contracts/audit.ts'
import type { SignInTables } from '../store/contracts/operators.ts'
import type { AuthEmails } from './auth-emails.ts'

/** Records events in the audit logs, and notifies the owner of an account of changes by email if the service can send any. */
export function notifyingLog(
  audit: Pick<AuditLog, 'record'>,
  { tables, emails, now }: { tables: SignInTables; emails: AuthEmails | undefined; now: () => number },
): Pick<AuditLog, 'record'> {
  if (emails === undefined) return audit
  return {
    async record(event) {
      await audit.record(event)
      const { kind, userId, by } = event
      if (userId === undefined) return
      const user = await tables.queries.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
      const change = { kind, byOperator: by.userId !== userId, atMs: now(), address: by.address }
      if (user !== undefined) emails.accountChanged(user.email, change)
    },
  }
}
