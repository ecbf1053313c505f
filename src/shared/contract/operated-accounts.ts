import { z } from 'zod'
import { MEMBER_ROLES, OPERATOR_ROLES } from '../permissions.ts'
import { type Contract, SEARCHED_PAGE, TIME_MS } from './contract.ts'
import { SUSPENSION, SUSPENSION_REASON } from './suspension.ts'

const ACCOUNT = z.strictObject({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  createdAtMs: TIME_MS,
  organizations: z.number(),
  operatorRole: z.enum(OPERATOR_ROLES).exactOptional(),
  suspension: SUSPENSION.exactOptional(),
  lastSignInAtMs: TIME_MS.exactOptional(),
})
export type AccountView = z.infer<typeof ACCOUNT>

const DETAILS = z.strictObject({
  account: ACCOUNT,
  memberships: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      role: z.enum(MEMBER_ROLES),
      suspension: SUSPENSION.exactOptional(),
    }),
  ),
  signIn: z.strictObject({
    password: z.boolean(),
    singleSignOn: z.boolean(),
    passkeys: z.number(),
    twoFactor: z.boolean(),
  }),
  /** Newest first, at most 50. */
  sessions: z
    .array(
      z.strictObject({
        id: z.string(),
        createdAtMs: TIME_MS,
        expiresAtMs: TIME_MS,
        address: z.string().exactOptional(),
        userAgent: z.string().exactOptional(),
      }),
    )
    .readonly(),
})
export type AccountDetailsView = z.infer<typeof DETAILS>

const TYPE_EMAIL = 'Enter the email address of the account.'
const ACT = { access: 'operator', privileged: true } as const

/** Accounts as operators and viewers of the service see them. */
export const OPERATED_ACCOUNT_CONTRACT = {
  'GET /api/operator/accounts': {
    access: 'viewer',
    query: z.strictObject(SEARCHED_PAGE),
    response: z.strictObject({ accounts: z.array(ACCOUNT), total: z.number() }),
  },
  'GET /api/operator/accounts/:user': { access: 'viewer', response: DETAILS },
  'POST /api/operator/accounts/:user/reset-link': {
    ...ACT,
    response: z.strictObject({ link: z.string(), expiresAtMs: TIME_MS }),
  },
  /** Ends all sessions of an account, and forgets its trusted devices. */
  'POST /api/operator/accounts/:user/end-sessions': ACT,
  /** Not for operators and viewers, who must lose their role first. */
  'POST /api/operator/accounts/:user/suspend': { ...ACT, body: z.strictObject({ reason: SUSPENSION_REASON }) },
  'POST /api/operator/accounts/:user/resume': ACT,
  'POST /api/operator/accounts/:user/reset-second-factor': ACT,
  /** The email address that the operator has seen: the account may have another by now. */
  'POST /api/operator/accounts/:user/verify-email': {
    ...ACT,
    body: z.strictObject({ email: z.string({ error: TYPE_EMAIL }).max(320, TYPE_EMAIL) }),
  },
  /** The email address must be typed again. An owner and the last operator get 409. */
  'DELETE /api/operator/accounts/:user': {
    ...ACT,
    body: z.strictObject({ confirm: z.string({ error: TYPE_EMAIL }).max(320, TYPE_EMAIL) }),
  },
} as const satisfies Contract
