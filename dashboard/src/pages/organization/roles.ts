import type { MemberRole } from '../../../../src/store/contracts/account-store.ts'

/** Roles as people read them. */
export const ROLE_NAMES: Readonly<Record<MemberRole, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
}

/** What a role means, in a sentence. */
export const ROLE_MEANINGS: Readonly<Record<Exclude<MemberRole, 'owner'>, string>> = {
  member: 'Makes, rotates and revokes keys, and sees usage.',
  admin: 'The same, and invites and removes people, reads the audit log, renames the organization.',
}
