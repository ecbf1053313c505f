import type { LogEvent } from '../lib/log-event.ts'
import { errorText } from '../lib/text.ts'
import type { AuditLog, ServiceEvent } from '../store/contracts/audit.ts'
import type { SignInTables } from '../store/contracts/operators.ts'
import type { AuthEmails } from './auth-emails.ts'

interface NotifierOptions {
  readonly tables: SignInTables
  readonly emails: AuthEmails | undefined
  readonly now: () => number
  readonly onEvent: (event: LogEvent) => void
}

/** Records events in the audit logs, and notifies the owner of an account of changes by email if the service can send any. */
export function notifyingLog(audit: Pick<AuditLog, 'record'>, options: NotifierOptions): Pick<AuditLog, 'record'> {
  if (options.emails === undefined) return audit
  return {
    async record(event) {
      await audit.record(event)
      if (await isWorthMail(event, options.tables)) await notifyOwner(event, options)
    },
  }
}

/**
 * False for routine: a single session that its owner ends, sessions that the provider ends, and single sign-on of an account that was
 * created with it.
 */
async function isWorthMail({ kind, userId, by, detail }: ServiceEvent, { queries }: SignInTables): Promise<boolean> {
  if (userId === undefined || by.userId !== userId) return true
  if (kind === 'account.sessions-ended') return detail?.sessions === 'all' || detail?.sessions === 'others'
  if (kind !== 'account.sign-on-linked') return true
  const [password, passkey] = await Promise.all([
    queries
      .selectFrom('credentials')
      .select('id')
      .where('userId', '=', userId)
      .where('providerId', '=', 'credential')
      .executeTakeFirst(),
    queries.selectFrom('passkeys').select('id').where('userId', '=', userId).executeTakeFirst(),
  ])
  return password !== undefined || passkey !== undefined
}

/** A recorded change of an account. */
export interface OwnerNotice extends Pick<ServiceEvent, 'kind' | 'userId' | 'by'> {
  /** Of an account that is deleted; otherwise it is read. */
  readonly email?: string
}

/**
 * Notifies the owner of an account of a recorded change. Does nothing if the service cannot send mail. Reports an error instead of throwing
 * it: the change is committed, so its request has succeeded.
 */
export async function notifyOwner(
  { kind, userId, by, email }: OwnerNotice,
  { tables, emails, now, onEvent }: NotifierOptions,
): Promise<void> {
  if (emails === undefined || userId === undefined) return
  const change = { kind, byOperator: by.userId !== userId, atMs: now(), address: by.address }
  const users = tables.queries.selectFrom('users').select('email').where('id', '=', userId)
  try {
    const to = email ?? (await users.executeTakeFirst())?.email
    if (to !== undefined) emails.accountChanged(to, change)
  } catch (error) {
    const fields = { kind, error: errorText(error) }
    onEvent({ level: 'error', message: 'owner of an account could not be notified', fields })
  }
}
