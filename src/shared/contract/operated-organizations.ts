import { z } from 'zod'
import { type Contract, NEXT, PAGE, SEARCHED_PAGE, shortText, TIME_MS } from './contract.ts'
import { KEY } from './keys.ts'
import { MEMBER } from './organizations.ts'
import { SUSPENSION, SUSPENSION_REASON } from './suspension.ts'
import { SPAN, USAGE } from './usage.ts'

const OPERATED_ORGANIZATION = z.strictObject({
  id: z.string(),
  name: z.string(),
  createdAtMs: TIME_MS,
  requiresSecondFactor: z.literal(true).exactOptional(),
  suspension: SUSPENSION.exactOptional(),
  members: z.number(),
  keys: z.number(),
  requests30d: z.number(),
})
export type OperatedOrganization = z.infer<typeof OPERATED_ORGANIZATION>

const ORGANIZATION_DETAILS = OPERATED_ORGANIZATION.extend({ lastRequestAtMs: TIME_MS.exactOptional() })
export type OrganizationDetails = z.infer<typeof ORGANIZATION_DETAILS>

const OPERATED_MEMBER = MEMBER.extend({ lastSignInAtMs: TIME_MS.exactOptional() })
export type OperatedMember = z.infer<typeof OPERATED_MEMBER>

/** Most requests, or newest, or by name first. */
const ORGANIZATION_ORDERS = ['requests', 'newest', 'name'] as const
export type OrganizationOrder = (typeof ORGANIZATION_ORDERS)[number]

/** Organizations as operators and viewers of the service see them, who need no membership. */
export const OPERATED_ORGANIZATION_CONTRACT = {
  'GET /api/operator/organizations': {
    access: 'viewer',
    query: z.strictObject({
      ...SEARCHED_PAGE,
      order: z.enum(ORGANIZATION_ORDERS, { error: 'The order must be requests, newest or name.' }).optional(),
    }),
    response: z.strictObject({ organizations: z.array(OPERATED_ORGANIZATION), total: z.number() }),
  },
  'GET /api/operator/organizations/:operated': { access: 'viewer', response: ORGANIZATION_DETAILS },
  'GET /api/operator/organizations/:operated/members': {
    access: 'viewer',
    query: z.strictObject(PAGE),
    response: z.strictObject({ members: z.array(OPERATED_MEMBER), next: NEXT }),
  },
  'GET /api/operator/organizations/:operated/keys': {
    access: 'viewer',
    query: z.strictObject(PAGE),
    response: z.strictObject({ keys: z.array(KEY), next: NEXT }),
  },
  'GET /api/operator/organizations/:operated/usage': { access: 'viewer', query: SPAN, response: USAGE },
  /** Its keys are refused when the response comes, and within a second on other nodes. */
  'POST /api/operator/organizations/:operated/suspend': {
    access: 'operator',
    privileged: true,
    body: z.strictObject({ reason: SUSPENSION_REASON }),
  },
  'POST /api/operator/organizations/:operated/resume': { access: 'operator', privileged: true },
  /** Makes a member the owner, for example when the owner is gone. The owner becomes an admin. */
  'POST /api/operator/organizations/:operated/transfer': {
    access: 'operator',
    privileged: true,
    body: z.strictObject({ userId: z.string() }),
  },
  /** The name must be typed again. */
  'DELETE /api/operator/organizations/:operated': {
    access: 'operator',
    privileged: true,
    body: z.strictObject({ name: shortText('The name', 200) }),
  },
} as const satisfies Contract
