import { z } from 'zod'
import { MEMBER_ROLES, type Permission } from '../permissions.ts'
import { type Contract, NEXT, oneLine, PAGE, shortText, TIME_MS } from './contract.ts'
import { SUSPENSION } from './suspension.ts'

const ROLE = z.enum(MEMBER_ROLES)

/** A role that an owner or admin can assign. */
export const ASSIGNABLE_ROLE = z.enum(['admin', 'member'], { error: 'The role must be admin or member.' })

/** An organization as one of its members sees it. */
export const ORGANIZATION = z.strictObject({
  id: z.string(),
  name: z.string(),
  createdAtMs: TIME_MS,
  /** The caller's role. */
  role: ROLE,
  /** Members who sign in with a password need a second factor. */
  requiresSecondFactor: z.boolean(),
  suspension: SUSPENSION.exactOptional(),
  /** The caller's permissions; of a suspended organization those that remain. */
  may: z.array(z.custom<Permission>()),
})
export type OrganizationView = z.infer<typeof ORGANIZATION>

export const MEMBER = z.strictObject({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  role: ROLE,
  joinedAtMs: TIME_MS,
  /** Like `lastSignInAtMs`, only for callers who may read the audit log. `not-needed`: the account has no password. */
  secondFactor: z.enum(['on', 'off', 'not-needed']).exactOptional(),
  /** Absent as well before the first sign-in. */
  lastSignInAtMs: TIME_MS.exactOptional(),
})
export type MemberView = z.infer<typeof MEMBER>

const NAMED = z.strictObject({ name: oneLine('The name', 100) })

export const ORGANIZATION_CONTRACT = {
  'POST /api/organizations': { access: 'session', body: NAMED, response: ORGANIZATION },
  'GET /api/organizations/:org': { access: 'organization.read', response: ORGANIZATION },
  'PATCH /api/organizations/:org': { access: 'organization.rename', body: NAMED, response: ORGANIZATION },
  /** The members who would see nothing of the organization if it required a second factor: the first ten. */
  'GET /api/organizations/:org/second-factor': {
    access: 'organization.require-second-factor',
    response: z.strictObject({
      without: z.array(z.strictObject({ userId: z.string(), name: z.string(), email: z.string() })),
      total: z.number(),
    }),
  },
  /** Whether members need a second factor. The caller must have one to require it. */
  'POST /api/organizations/:org/second-factor': {
    access: 'organization.require-second-factor',
    privileged: true,
    body: z.strictObject({ required: z.boolean({ error: 'Say whether a second factor is required.' }) }),
    response: ORGANIZATION,
  },
  /** The name must be typed again. The command line accepts names that the dashboard does not. */
  'DELETE /api/organizations/:org': {
    access: 'organization.delete',
    privileged: true,
    body: z.strictObject({ name: shortText('The name', 200) }),
  },
  'POST /api/organizations/:org/transfer': {
    access: 'organization.transfer',
    privileged: true,
    body: z.strictObject({ userId: z.string({ error: 'The new owner must be a member.' }).max(100) }),
  },
  'POST /api/organizations/:org/leave': { access: 'organization.read', withoutSecondFactor: true },
  /** The owner, the admins, the members; each in the order of joining. */
  'GET /api/organizations/:org/members': {
    access: 'members.read',
    query: z.strictObject(PAGE),
    response: z.strictObject({ members: z.array(MEMBER), next: NEXT }),
  },
  'PATCH /api/organizations/:org/members/:user': {
    access: 'members.change-role',
    privileged: true,
    body: z.strictObject({ role: ASSIGNABLE_ROLE }),
  },
  'DELETE /api/organizations/:org/members/:user': { access: 'members.remove' },
} as const satisfies Contract
