import type { OrganizationView } from '../../../../src/shared/contract/organizations.ts'
import type { MemberRole, OperatorRole } from '../../../../src/shared/permissions.ts'

/** Labels of the roles. */
export const ROLE_LABELS: Readonly<Record<MemberRole, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
}

/** Roles in a sentence: "You're an admin." */
export const ROLE_PHRASES: Readonly<Record<MemberRole | OperatorRole, string>> = {
  owner: 'the owner',
  admin: 'an admin',
  member: 'a member',
  operator: 'an operator',
  viewer: 'a viewer',
}

/** Why a setting cannot be changed: the suspension, otherwise the reason given. */
export function whyFixed({ suspension }: OrganizationView, reason: string): string {
  return suspension ? 'No one can change it while the organization is suspended.' : reason
}

/** The permissions of a role, in a sentence. */
export const ROLE_DESCRIPTIONS: Readonly<Record<Exclude<MemberRole, 'owner'>, string>> = {
  member: 'Creates, rotates and revokes keys, and views usage.',
  admin: 'Also invites and removes people, views the audit log and renames the organization.',
}
