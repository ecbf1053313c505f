/** The roles in an organization. Exactly one member is the owner. */
export const MEMBER_ROLES = ['owner', 'admin', 'member'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** What may be done in an organization, and the least role that may. `docs/guide/organizations.md` has a row for each: a test holds it. */
export const PERMISSIONS = {
  'organization.read': 'member',
  'usage.read': 'member',
  'keys.read': 'member',
  'keys.create': 'member',
  'keys.rotate': 'member',
  // Whoever sees that a key leaked must be able to end it at once.
  'keys.revoke': 'member',
  'members.read': 'member',
  'members.change-role': 'admin',
  'members.remove': 'admin',
  'invitations.read': 'admin',
  'invitations.create': 'admin',
  'invitations.revoke': 'admin',
  'audit.read': 'admin',
  'organization.rename': 'admin',
  'organization.transfer': 'owner',
  'organization.delete': 'owner',
} as const satisfies Record<string, MemberRole>

export type Permission = keyof typeof PERMISSIONS

const RANK: Readonly<Record<MemberRole, number>> = { member: 0, admin: 1, owner: 2 }

/** True if the role, or one below it, is allowed to. */
export function mayDo(role: MemberRole, permission: Permission): boolean {
  return RANK[role] >= RANK[PERMISSIONS[permission]]
}

/** All that a role may do, in the order of the table. */
export function permissionsOf(role: MemberRole): Permission[] {
  return (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => mayDo(role, permission))
}
