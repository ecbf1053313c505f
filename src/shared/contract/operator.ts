import { z } from 'zod'
import { type Contract, integerParameter, shortText, TIME_MS } from './contract.ts'

const OPERATED_ORGANIZATION = z.strictObject({
  id: z.string(),
  name: z.string(),
  createdAtMs: TIME_MS,
  members: z.number(),
  keys: z.number(),
  requests30d: z.number(),
})
export type OperatedOrganization = z.infer<typeof OPERATED_ORGANIZATION>

const ACCOUNT = z.strictObject({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  createdAtMs: TIME_MS,
  organizations: z.number(),
  isOperator: z.boolean(),
})
export type AccountView = z.infer<typeof ACCOUNT>

const HEALTH = z.strictObject({
  version: z.string(),
  nodeVersion: z.string(),
  startedAtMs: TIME_MS,
  ready: z.boolean(),
  slots: z.number(),
  keys: z.number(),
  memory: z.strictObject({ rssBytes: z.number(), heapBytes: z.number(), externalBytes: z.number() }),
  /** The main thread's event loop delay over the last minute. */
  eventLoop: z.strictObject({ p50Ms: z.number(), p99Ms: z.number() }),
  store: z.strictObject({
    kind: z.enum(['sqlite', 'postgres']),
    bytes: z.number().exactOptional(),
    ok: z.boolean(),
  }),
  mail: z.boolean(),
})
export type HealthView = z.infer<typeof HEALTH>

const CHANNEL = { kind: z.enum(['webhook', 'email']), to: z.string() }

/** An alert channel and its delivery status. */
const ALERT_CHANNEL = z.strictObject({
  ...CHANNEL,
  /** The last delivery and the last message that was given up, of about the last week. */
  deliveredAtMs: TIME_MS.exactOptional(),
  givenUpAtMs: TIME_MS.exactOptional(),
  /** The number of undelivered messages, and the oldest of them. */
  waiting: z.number(),
  next: z.strictObject({ createdAtMs: TIME_MS, attempts: z.number(), nextAttemptAtMs: TIME_MS }).exactOptional(),
  /** Why this node's last delivery failed; absent if it succeeded. */
  error: z.strictObject({ atMs: TIME_MS, why: z.string() }).exactOptional(),
})
export type AlertChannelView = z.infer<typeof ALERT_CHANNEL>

const ALERT_TEST = z.strictObject({ ...CHANNEL, delivered: z.boolean(), why: z.string().exactOptional() })
export type AlertTestView = z.infer<typeof ALERT_TEST>

export const OPERATOR_CONTRACT = {
  'GET /api/operator/organizations': {
    access: 'operator',
    response: z.strictObject({ organizations: z.array(OPERATED_ORGANIZATION) }),
  },
  'GET /api/operator/accounts': {
    access: 'operator',
    query: z.strictObject({
      search: shortText('The search', 200).optional(),
      limit: integerParameter('The limit', 1, 100).optional(),
      offset: integerParameter('The offset', 0, Number.MAX_SAFE_INTEGER).optional(),
    }),
    response: z.strictObject({ accounts: z.array(ACCOUNT), total: z.number() }),
  },
  'POST /api/operator/accounts/:user/reset-link': {
    access: 'operator',
    recentSignIn: true,
    response: z.strictObject({ link: z.string(), expiresAtMs: TIME_MS }),
  },
  /** Ends all sessions of an account, and forgets its trusted devices. */
  'POST /api/operator/accounts/:user/sign-out': { access: 'operator' },
  'GET /api/operator/health': { access: 'operator', response: HEALTH },
  'GET /api/operator/alerts': {
    access: 'operator',
    response: z.strictObject({ channels: z.array(ALERT_CHANNEL) }),
  },
  /** Responds when every channel has delivered its test, or failed. */
  'POST /api/operator/alerts/test': {
    access: 'operator',
    response: z.strictObject({ channels: z.array(ALERT_TEST) }),
  },
} as const satisfies Contract
