/** The kinds of entries in an organization's audit log only. */
const ORGANIZATION_KINDS = [
  'organization.created',
  'organization.renamed',
  'organization.second-factor-required',
  'organization.second-factor-optional',
  'member.joined',
  'member.left',
  'member.removed',
  'member.role-changed',
  'invitation.created',
  'invitation.revoked',
  'key.created',
  'key.edited',
  'key.rotated',
  'key.revoked',
  'subscription.created',
  'subscription.edited',
  'subscription.paused',
  'subscription.resumed',
  'subscription.secret-rotated',
  'subscription.deleted',
  'subscription.disabled',
] as const

/** Kinds that concern an account or an organization: in the service's log, and in those of the organizations concerned. */
const SHARED_KINDS = [
  'organization.transferred',
  'organization.deleted',
  'organization.suspended',
  'organization.resumed',
  'sign-in.succeeded',
  'sign-in.failed',
  'sign-in.blocked',
  'account.password-changed',
  'account.password-reset',
  'account.reset-link-created',
  'account.second-factor-added',
  'account.second-factor-removed',
  'account.backup-codes-created',
  'account.passkey-added',
  'account.passkey-removed',
  'account.sign-on-linked',
  'account.sign-on-unlinked',
  'account.email-changed',
  'account.email-verified',
  'account.sessions-ended',
  'account.suspended',
  'account.resumed',
  'account.deleted',
  'operator.granted',
  'operator.role-changed',
  'operator.removed',
] as const

/** Kinds in the service's log only. */
const SERVICE_ONLY_KINDS = ['setup-link.created', 'audit.trimmed'] as const

/** The kinds that an organization's audit log can contain. Tests compare the kinds with `docs/guide/audit.md`. */
export const ORGANIZATION_AUDIT_KINDS = [...ORGANIZATION_KINDS, ...SHARED_KINDS] as const

/** The kinds that the service's audit log can contain. */
export const SERVICE_AUDIT_KINDS = [...SHARED_KINDS, ...SERVICE_ONLY_KINDS] as const
export type ServiceAuditKind = (typeof SERVICE_AUDIT_KINDS)[number]

export const AUDIT_KINDS = [...ORGANIZATION_AUDIT_KINDS, ...SERVICE_ONLY_KINDS] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]
