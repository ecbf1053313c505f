/** The roles in an organization. Exactly one member is the owner. */
export const MEMBER_ROLES = ['owner', 'admin', 'member'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** The actions in an organization, and the lowest role that may do them. A test compares them with docs/guide/organizations.md. */
export const PERMISSIONS = {
  'organization.read': 'member',
  'usage.read': 'member',
  'keys.read': 'member',
  'keys.create': 'member',
  'keys.edit': 'member',
  'keys.rotate': 'member',
  // Any member who discovers a leaked key must be able to revoke it immediately.
  'keys.revoke': 'member',
  'subscriptions.read': 'member',
  'subscriptions.create': 'member',
  'subscriptions.edit': 'member',
  'subscriptions.delete': 'member',
  'members.read': 'member',
  'members.change-role': 'admin',
  'members.remove': 'admin',
  'invitations.read': 'admin',
  'invitations.create': 'admin',
  'invitations.revoke': 'admin',
  'audit.read': 'admin',
  'organization.rename': 'admin',
  'organization.require-second-factor': 'owner',
  'organization.transfer': 'owner',
  'organization.delete': 'owner',
} as const satisfies Record<string, MemberRole>

export type Permission = keyof typeof PERMISSIONS

const RANK: Readonly<Record<MemberRole, number>> = { member: 0, admin: 1, owner: 2 }

/** True if the role has the permission. */
export function mayDo(role: MemberRole, permission: Permission): boolean {
  return RANK[role] >= RANK[PERMISSIONS[permission]]
}

/** True if members of a suspended organization may still do it: read, and revoke keys. */
export function isAllowedSuspended(permission: Permission): boolean {
  return permission.endsWith('.read') || permission === 'keys.revoke'
}

/** The permissions of a role, in the order of the table. */
export function permissionsOf(role: MemberRole, isSuspended = false): Permission[] {
  const all = Object.keys(PERMISSIONS) as Permission[]
  return all.filter((permission) => mayDo(role, permission) && (!isSuspended || isAllowedSuspended(permission)))
}

/** The roles of people who run the service: an operator changes it, a viewer only sees the operator's pages. */
export const OPERATOR_ROLES = ['operator', 'viewer'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]
