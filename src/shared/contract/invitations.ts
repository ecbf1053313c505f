import { z } from 'zod'
import { DAY_MS } from '../../lib/time.ts'
import { type Contract, NEXT, PAGE, TIME_MS } from './contract.ts'
import { ASSIGNABLE_ROLE, ORGANIZATION } from './organizations.ts'

/** How long an invitation can be accepted: 7 days. */
export const INVITATION_MS = 7 * DAY_MS

const STATUS = z.enum(['open', 'accepted', 'revoked', 'expired'])

const INVITATION = z.strictObject({
  id: z.string(),
  /** Only this address can accept the invitation. */
  email: z.string().exactOptional(),
  role: ASSIGNABLE_ROLE,
  status: STATUS,
  createdBy: z.string(),
  createdAtMs: TIME_MS,
  expiresAtMs: TIME_MS,
  acceptedBy: z.string().exactOptional(),
})
export type InvitationView = z.infer<typeof INVITATION>

/** The only response that contains the link. `mailed`: it was also sent to the address. */
const NEW_INVITATION = z.strictObject({ invitation: INVITATION, link: z.string(), mailed: z.boolean() })
export type NewInvitation = z.infer<typeof NEW_INVITATION>

/** An invitation as the holder of its link sees it. */
const INVITATION_PREVIEW = z.strictObject({
  organization: z.string(),
  requiresSecondFactor: z.boolean(),
  role: ASSIGNABLE_ROLE,
  invitedBy: z.string(),
  email: z.string().exactOptional(),
  status: STATUS,
  expiresAtMs: TIME_MS,
  /** The organization accepts no members until it is resumed. */
  isSuspended: z.literal(true).exactOptional(),
})
export type InvitationPreview = z.infer<typeof INVITATION_PREVIEW>

const TOKEN_MESSAGE = 'The token must be the part of the invitation link after #.'

const TOKEN = z.strictObject({
  token: z.string({ error: TOKEN_MESSAGE }).min(1, TOKEN_MESSAGE).max(128, TOKEN_MESSAGE),
})

const EMAIL_MESSAGE = 'The email address must look like name@example.org.'

export const INVITATION_CONTRACT = {
  // The token is in the body: proxies log paths.
  'POST /api/invitations/lookup': { access: 'anyone', body: TOKEN, response: INVITATION_PREVIEW },
  'POST /api/invitations/accept': { access: 'session', body: TOKEN, response: ORGANIZATION },
  /** Open invitations first; then by when they ended, latest first. */
  'GET /api/organizations/:org/invitations': {
    access: 'invitations.read',
    query: z.strictObject(PAGE),
    response: z.strictObject({ invitations: z.array(INVITATION), next: NEXT }),
  },
  'POST /api/organizations/:org/invitations': {
    access: 'invitations.create',
    body: z.strictObject({
      email: z.email({ error: EMAIL_MESSAGE }).max(254, EMAIL_MESSAGE).toLowerCase().optional(),
      role: ASSIGNABLE_ROLE,
    }),
    response: NEW_INVITATION,
  },
  'DELETE /api/organizations/:org/invitations/:id': { access: 'invitations.revoke' },
} as const satisfies Contract
