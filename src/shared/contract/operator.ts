import { z } from 'zod'
import { OPERATOR_ROLES } from '../permissions.ts'
import { type Contract, TIME_MS } from './contract.ts'

const ROLE = z.enum(OPERATOR_ROLES, { error: 'The role must be operator or viewer.' })

const OPERATOR = z.strictObject({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  role: ROLE,
  /** Absent for addresses in `OPERATOR_EMAILS`, whose role changes there only. */
  addedAtMs: TIME_MS.exactOptional(),
})
export type OperatorView = z.infer<typeof OPERATOR>

const DELAY = { p50Ms: z.number(), p99Ms: z.number() }

const HEALTH = z.strictObject({
  version: z.string(),
  nodeVersion: z.string(),
  startedAtMs: TIME_MS,
  ready: z.boolean(),
  slots: z.number(),
  keys: z.number(),
  memory: z.strictObject({
    rssBytes: z.number(),
    heapBytes: z.number(),
    externalBytes: z.number(),
    /** The memory limit of the node with its isolated processes. */
    maxBytes: z.number(),
    /** Slots of the store that were left out because memory is full. */
    missingSlots: z.number(),
  }),
  /** The main thread's event loop delay over the last minute, and in each minute of the hour before, oldest first. */
  eventLoop: z.strictObject({
    ...DELAY,
    past: z.array(z.strictObject({ atMs: TIME_MS, ...DELAY })).readonly(),
  }),
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

const EMAIL = 'Enter the email address of an account.'

export const OPERATOR_CONTRACT = {
  'GET /api/operator/operators': {
    access: 'viewer',
    response: z.strictObject({ operators: z.array(OPERATOR) }),
  },
  /** The account must exist, and its address must be verified. */
  'POST /api/operator/operators': {
    access: 'operator',
    privileged: true,
    body: z.strictObject({ email: z.string({ error: EMAIL }).trim().min(1, EMAIL).max(254, EMAIL), role: ROLE }),
  },
  /** The last operator keeps the role. */
  'PATCH /api/operator/operators/:user': {
    access: 'operator',
    privileged: true,
    body: z.strictObject({ role: ROLE }),
  },
  'DELETE /api/operator/operators/:user': { access: 'operator', privileged: true },
  'GET /api/operator/health': { access: 'viewer', response: HEALTH },
  'GET /api/operator/alerts': {
    access: 'viewer',
    response: z.strictObject({ channels: z.array(ALERT_CHANNEL) }),
  },
  /** Responds when every channel has delivered its test, or failed. */
  'POST /api/operator/alerts/test': {
    access: 'operator',
    response: z.strictObject({ channels: z.array(ALERT_TEST) }),
  },
} as const satisfies Contract
