import type { AuditView } from '../../../../src/shared/contract/audit.ts'
import { YOUR_ACCOUNT } from '../audit/audit-detail.ts'

/** An entry as the person concerned reads it: "You changed the password", "… created a password reset link for your account". */
export function ownEntry(entry: AuditView, email: string): AuditView {
  const isAttempt = entry.kind === 'sign-in.failed' || entry.kind === 'sign-in.blocked'
  return addressed(entry, entry.actor === email && !isAttempt ? 'You' : entry.actor)
}

/** A change that another made: "An operator ended all sessions of your account". */
export function noticeEntry(entry: AuditView): AuditView {
  return addressed(entry, entry.actor === 'command line' ? 'An operator on the command line' : 'An operator')
}

function addressed(entry: AuditView, actor: string): AuditView {
  if (entry.detail.email === undefined) return { ...entry, actor }
  const person = entry.kind.startsWith('operator.') ? 'you' : YOUR_ACCOUNT
  return { ...entry, actor, detail: { ...entry.detail, email: person } }
}
