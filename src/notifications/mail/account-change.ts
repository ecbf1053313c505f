import type { ServiceAuditKind } from '../../shared/audit-kinds.ts'
import type { ServiceIdentity } from '../../shared/service-identity.ts'
import { formatMail, type Mail } from './mails.ts'

/** A change of an account, as its owner is notified of it. */
export interface AccountChange {
  readonly kind: ServiceAuditKind
  /** Another person made the change: an operator, or the command line. */
  readonly byOperator: boolean
  readonly atMs: number
  /** The network address of the owner's request. */
  readonly address?: string | undefined
}

/** Changes that the owner makes, in the words of subject and text. A new password and a new address have mails of their own. */
const OWN_CHANGES: Readonly<Partial<Record<ServiceAuditKind, string>>> = {
  'account.second-factor-added': 'Two-factor authentication was turned on',
  'account.second-factor-removed': 'Two-factor authentication was turned off',
  'account.backup-codes-created': 'New backup codes were created',
  'account.passkey-added': 'A passkey was added',
  'account.passkey-removed': 'A passkey was removed',
  'account.sign-on-linked': 'Single sign-on was linked',
  'account.sign-on-unlinked': 'Single sign-on was unlinked',
  'account.sessions-ended': 'Sessions were signed out',
}

const OPERATOR_CHANGES: Readonly<Partial<Record<ServiceAuditKind, string>>> = {
  'account.reset-link-created': 'An operator created a password reset link',
  'account.second-factor-removed': 'An operator turned off two-factor authentication',
  'account.sessions-ended': 'An operator ended all sessions',
  'account.suspended': 'An operator suspended access',
  'account.resumed': 'An operator resumed access',
  'account.email-verified': 'An operator verified the email address',
  'account.deleted': 'An operator deleted the account',
}

/** Notifies the owner of an account of a change; undefined for changes that need no email. */
export function accountChange(
  to: string,
  change: AccountChange,
  href: string,
  service: ServiceIdentity,
): Mail | undefined {
  const { kind, byOperator, atMs, address } = change
  const subject = (byOperator ? OPERATOR_CHANGES : OWN_CHANGES)[kind]
  if (subject === undefined) return undefined
  const origin = byOperator || address === undefined ? '' : `, from the network address ${address}`
  const paragraphs = [
    `${subject} for your ${service.name} account on ${new Date(atMs).toUTCString()}${origin}.`,
    byOperator
      ? 'If you did not expect this, contact the operator of the service.'
      : 'If you did not make this change, reset your password, sign out all other sessions and contact the operator of the service: your account may be compromised.',
  ]
  const link = kind === 'account.deleted' ? {} : { link: { text: 'View your security log', href } }
  return formatMail({ to, subject, paragraphs, ...link }, service)
}
