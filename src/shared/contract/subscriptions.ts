import { z } from 'zod'
import { SUBSCRIPTION_EVENTS, SUBSCRIPTION_SORTS, SUBSCRIPTION_STATUSES } from '../subscription-vocabulary.ts'
import { type Contract, integerParameter, NEXT, oneLine, PAGE, shortText, TIME_MS } from './contract.ts'

const SUBSCRIPTION = z.strictObject({
  id: z.string(),
  url: z.string(),
  /** The query string of a request for slots: `state=MA&isVirtual=true`. */
  filters: z.string(),
  description: z.string().exactOptional(),
  events: z.array(z.enum(SUBSCRIPTION_EVENTS)),
  status: z.enum(SUBSCRIPTION_STATUSES),
  /** Why it is disabled or paused: `failing`, `gone`, `unverified`, `expired`. */
  statusReason: z.string().exactOptional(),
  minIntervalSeconds: z.number(),
  expiresAtMs: TIME_MS.exactOptional(),
  createdAtMs: TIME_MS,
  createdBy: z.string().exactOptional(),
  lastDeliveredAtMs: TIME_MS.exactOptional(),
  /** The first of the consecutive failures. */
  failingSinceMs: TIME_MS.exactOptional(),
  /** Until then, requests are also signed with the previous secret. */
  previousSecretUntilMs: TIME_MS.exactOptional(),
  /** Number of matches by the rule that held them back. */
  heldBack: z.record(z.string(), z.number()),
})
export type SubscriptionView = z.infer<typeof SUBSCRIPTION>

/** The only response that contains the secret. */
const WITH_SECRET = z.strictObject({ subscription: SUBSCRIPTION, secret: z.string() })
export type SubscriptionWithSecret = z.infer<typeof WITH_SECRET>

export const DELIVERY = z.strictObject({
  id: z.string(),
  type: z.string(),
  /** Number of slots. */
  total: z.number(),
  status: z.enum(['queued', 'delivered', 'failed', 'canceled']),
  attempts: z.number(),
  createdAtMs: TIME_MS,
  attemptedAtMs: TIME_MS.exactOptional(),
  nextAttemptAtMs: TIME_MS.exactOptional(),
  endedAtMs: TIME_MS.exactOptional(),
  /** Of the last attempt; absent without a response. */
  responseStatus: z.number().exactOptional(),
  responseMs: z.number().exactOptional(),
  error: z.string().exactOptional(),
})
export type DeliveryView = z.infer<typeof DELIVERY>

/** The slots in a request are those at the time of an attempt, so they are left out. */
const DELIVERY_DETAIL = DELIVERY.extend({
  request: z.string(),
  /** The first 1,024 bytes of the response of the last attempt. */
  responseBody: z.string().exactOptional(),
})
export type DeliveryDetail = z.infer<typeof DELIVERY_DETAIL>

const QUEUE = z.strictObject({
  queued: z.number(),
  /** Of the deliveries that are kept, seven days. */
  failed: z.number(),
  oldestQueuedAtMs: TIME_MS.exactOptional(),
})
export type DeliveryQueueView = z.infer<typeof QUEUE>

const URL_TEXT = shortText('The URL', 2000)
const FILTERS_TEXT = shortText('The filters', 7000)
const INTERVAL = z.int({ error: 'The interval must be a whole number of seconds.' })
const EXPIRES = z.int({ error: 'The expiry must be a time, or null.' }).nullable()
const EVENTS_ERROR = `events must be a list of ${SUBSCRIPTION_EVENTS.join(' and ')}.`
const EVENTS = z.array(z.enum(SUBSCRIPTION_EVENTS, EVENTS_ERROR), EVENTS_ERROR).min(1, EVENTS_ERROR)

/** What is absent has its default. */
const NEW_SUBSCRIPTION = z.strictObject({
  url: URL_TEXT,
  filters: FILTERS_TEXT,
  description: oneLine('The description', 200).nullish(),
  events: EVENTS.optional(),
  minIntervalSeconds: INTERVAL.optional(),
  expiresAtMs: EXPIRES.optional(),
})
export type NewSubscriptionBody = z.input<typeof NEW_SUBSCRIPTION>

/** What is absent stays as it is. Null: no description, no expiry. */
const SUBSCRIPTION_EDIT = NEW_SUBSCRIPTION.partial().extend({
  status: z.enum(['active', 'paused'], 'status must be active or paused.').optional(),
})
export type SubscriptionEditBody = z.input<typeof SUBSCRIPTION_EDIT>

const FILTER = z.strictObject({
  search: shortText('The search', 200).optional(),
  status: z.enum(SUBSCRIPTION_STATUSES, `status must be ${SUBSCRIPTION_STATUSES.join(', ')}.`).optional(),
  sort: z.enum(SUBSCRIPTION_SORTS, `sort must be ${SUBSCRIPTION_SORTS.join(', ')}.`).optional(),
})
export type SubscriptionListFilter = z.input<typeof FILTER>

export const SUBSCRIPTION_CONTRACT = {
  /** `search`: a part of the URL, the description, the filters or the ID. `queue` is of the whole organization. */
  'GET /api/organizations/:org/subscriptions': {
    access: 'subscriptions.read',
    query: z.strictObject({ ...PAGE, ...FILTER.shape }),
    response: z.strictObject({ subscriptions: z.array(SUBSCRIPTION), queue: QUEUE, next: NEXT }),
  },
  'POST /api/organizations/:org/subscriptions': {
    access: 'subscriptions.create',
    body: NEW_SUBSCRIPTION,
    response: WITH_SECRET,
  },
  'GET /api/organizations/:org/subscriptions/:subscription': { access: 'subscriptions.read', response: SUBSCRIPTION },
  'PATCH /api/organizations/:org/subscriptions/:subscription': {
    access: 'subscriptions.edit',
    body: SUBSCRIPTION_EDIT,
    response: SUBSCRIPTION,
  },
  'DELETE /api/organizations/:org/subscriptions/:subscription': { access: 'subscriptions.delete' },
  'POST /api/organizations/:org/subscriptions/:subscription/rotate-secret': {
    access: 'subscriptions.edit',
    response: WITH_SECRET,
  },
  /** Sends an event `subscription.test`. */
  'POST /api/organizations/:org/subscriptions/:subscription/test': {
    access: 'subscriptions.edit',
    response: DELIVERY,
  },
  /** Newest first. */
  'GET /api/organizations/:org/subscriptions/:subscription/deliveries': {
    access: 'subscriptions.read',
    query: z.strictObject({ limit: integerParameter('The limit', 1, 200).optional(), cursor: PAGE.cursor }),
    response: z.strictObject({ deliveries: z.array(DELIVERY), next: NEXT }),
  },
  'GET /api/organizations/:org/subscriptions/:subscription/deliveries/:delivery': {
    access: 'subscriptions.read',
    response: DELIVERY_DETAIL,
  },
  'POST /api/organizations/:org/subscriptions/:subscription/deliveries/:delivery/retry': {
    access: 'subscriptions.edit',
    response: DELIVERY,
  },
} as const satisfies Contract
