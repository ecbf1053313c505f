import { z } from 'zod'
import { OPERATOR_ROLES } from '../permissions.ts'
import { AUDIT_ENTRY } from './audit.ts'
import type { Contract } from './contract.ts'
import { ORGANIZATION } from './organizations.ts'

/** How users can sign in and sign up, and where the service is. */
const SIGN_IN_OPTIONS = z.strictObject({
  password: z.boolean(),
  signUp: z.enum(['open', 'invited', 'domains', 'closed']),
  /** The allowed domains, for `domains`. */
  domains: z.array(z.string()).readonly(),
  oidc: z.strictObject({ name: z.string() }).exactOptional(),
  /** The service can send mail: email addresses are verified, passwords are reset by mail. */
  mail: z.boolean(),
  /** The setup link has not been used yet. */
  needsOperator: z.boolean(),
  baseUrl: z.string(),
  docsUrl: z.string(),
  version: z.string(),
})
export type SignInOptions = z.infer<typeof SIGN_IN_OPTIONS>

const ME = z.strictObject({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  twoFactor: z.boolean(),
  needsSecondFactor: z.boolean(),
  hasPassword: z.boolean(),
  /** Present for operators and viewers of the service. */
  operatorRole: z.enum(OPERATOR_ROLES).exactOptional(),
  organizations: z.array(ORGANIZATION),
  /** Changes that others made to the account, and that the person has not dismissed: the newest ten, newest first. */
  notices: z.array(AUDIT_ENTRY),
})
export type Me = z.infer<typeof ME>

const INCOMPLETE = 'This link is incomplete.'
const TYPE_EMAIL = 'Enter your email address.'

export const ME_CONTRACT = {
  'GET /api/options': { access: 'anyone', response: SIGN_IN_OPTIONS },
  /** Null without a session, so that a stranger's first visit logs no failed request in the browser. */
  'GET /api/me': { access: 'anyone', response: ME.nullable() },
  /** The email address must be typed again. An owner gets 409. */
  'DELETE /api/me': {
    access: 'session',
    privileged: true,
    body: z.strictObject({ confirm: z.string({ error: TYPE_EMAIL }).max(320, TYPE_EMAIL) }),
  },
  /** Uses the one-time link that the first start prints. */
  'POST /api/setup': {
    access: 'session',
    body: z.strictObject({ token: z.string({ error: INCOMPLETE }).min(1, INCOMPLETE).max(200, INCOMPLETE) }),
    response: ME,
  },
} as const satisfies Contract
