/** The kinds of entries in an organization's audit log. A test compares them with `docs/guide/audit.md`. */
export const AUDIT_KINDS = [
  'organization.created',
  'organization.renamed',
  'organization.deleted',
  'organization.transferred',
  'member.joined',
  'member.left',
  'member.removed',
  'member.role-changed',
  'invitation.created',
  'invitation.revoked',
  'key.created',
  'key.rotated',
  'key.revoked',
  'sign-in.succeeded',
  'sign-in.failed',
  'sign-in.blocked',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]
