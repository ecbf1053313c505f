import {
  DELIVERY_STATUSES,
  DESCRIPTION_PATTERN,
  QUIET_RULES,
  SUBSCRIPTION_EVENT_TYPES,
  SUBSCRIPTION_EVENTS,
  SUBSCRIPTION_LIMITS,
  SUBSCRIPTION_REASONS,
  SUBSCRIPTION_STATUSES,
} from '../../../shared/subscription-vocabulary.ts'
import { type JsonSchema, REPEATED_MAX } from '../../../slot/query-parameter.ts'
import { arrayOf, count, instant, object, reference, text } from './schema-parts.ts'

const { minIntervalSeconds, urlLength, descriptionLength } = SUBSCRIPTION_LIMITS

const SCALARS: readonly JsonSchema[] = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }]

const URL_FIELD = text('Where events are sent: an https URL without user, password and fragment, percent-encoded.', {
  maxLength: urlLength,
})
const FILTERS: JsonSchema = {
  type: 'object',
  description: 'Filters of the list of slots by name; an array repeats one. `status` can only be `free`.',
  additionalProperties: {
    oneOf: [...SCALARS, { ...arrayOf({ oneOf: SCALARS }), minItems: 1, maxItems: REPEATED_MAX }],
  },
}
const EVENTS: JsonSchema = {
  ...arrayOf({ type: 'string', enum: SUBSCRIPTION_EVENTS }),
  description: 'Events to send.',
  default: ['slots.opened'],
  minItems: 1,
  maxItems: SUBSCRIPTION_EVENTS.length,
}
const INTERVAL: JsonSchema = {
  type: 'integer',
  description: 'Events about slots of one type are at least this far apart.',
  minimum: minIntervalSeconds.min,
  maximum: minIntervalSeconds.max,
  default: minIntervalSeconds.default,
}
const DESCRIPTION = text('For people: on one line, and not only spaces.', {
  maxLength: descriptionLength,
  pattern: DESCRIPTION_PATTERN.source,
})
const EXPIRES = instant('When the subscription ends.')
const nullable = ({ description, ...schema }: JsonSchema): JsonSchema => ({
  description,
  oneOf: [schema, { const: null }],
})

const SUBSCRIPTION_FIELDS = {
  required: {
    id: text('Identifier.', { pattern: '^sub_[0-9a-f]{20}$' }),
    url: URL_FIELD,
    filters: FILTERS,
    events: EVENTS,
    minIntervalSeconds: INTERVAL,
    status: text('`pending` until the address is verified.', { enum: SUBSCRIPTION_STATUSES }),
    createdAt: instant('Creation.'),
    createdBy: text('The key or person.'),
    updatedAt: instant('Last change.'),
    heldBack: object({
      optional: Object.fromEntries(QUIET_RULES.map((rule) => [rule, count('Number of matches.')])),
    }),
  },
  optional: {
    description: DESCRIPTION,
    expiresAt: EXPIRES,
    statusReason: text('Why the service disabled it.', { enum: SUBSCRIPTION_REASONS }),
    lastEventAt: instant('Last event about slots.'),
    lastDeliveredAt: instant('Last successful delivery.'),
    failingSince: instant('First failed attempt since.'),
    previousSecretUntil: instant('Until then, events have a second signature, by the secret before the rotation.'),
  },
}

/** The components of subscriptions. */
export const SUBSCRIPTION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Subscription: object(SUBSCRIPTION_FIELDS),
  SubscriptionWithSecret: object({
    ...SUBSCRIPTION_FIELDS,
    required: {
      ...SUBSCRIPTION_FIELDS.required,
      secret: text('Signs the events. It is shown once.', { pattern: '^whsec_' }),
    },
  }),
  SubscriptionPage: object({ required: { subscriptions: arrayOf(reference('Subscription')) } }),
  NewSubscription: object({
    required: { url: URL_FIELD, filters: FILTERS },
    optional: {
      description: nullable(DESCRIPTION),
      events: EVENTS,
      minIntervalSeconds: INTERVAL,
      expiresAt: nullable(EXPIRES),
    },
  }),
  SubscriptionChange: object({
    optional: {
      url: URL_FIELD,
      filters: FILTERS,
      description: nullable(DESCRIPTION),
      events: EVENTS,
      minIntervalSeconds: INTERVAL,
      expiresAt: nullable(EXPIRES),
      status: text('`active` resumes.', { enum: ['active', 'paused'] }),
    },
  }),
  Delivery: object({
    required: {
      id: text('Identifier of the event: the header `webhook-id`.', { pattern: '^evt_[0-9a-f]{32}$' }),
      type: text('Type of the event.', { enum: SUBSCRIPTION_EVENT_TYPES }),
      status: text('`queued` until it is delivered or given up.', { enum: DELIVERY_STATUSES }),
      total: count('Number of slots.'),
      createdAt: instant('Creation.'),
      attempts: count('Number of attempts.'),
    },
    optional: {
      attemptedAt: instant('Last attempt.'),
      nextAttemptAt: instant('Next attempt; absent while the subscription is paused or disabled.'),
      endedAt: instant('Delivered or given up.'),
      responseStatus: { type: 'integer', description: 'Status of the last response.' },
      responseMs: count('Time to the last response, in milliseconds.'),
      responseBody: text('Beginning of the last response.'),
      error: text('Why the last attempt failed.'),
    },
  }),
  DeliveryPage: object({ required: { deliveries: arrayOf(reference('Delivery')) } }),
  SlotsEvent: object({
    required: {
      type: text('Type of the event.', { enum: SUBSCRIPTION_EVENTS }),
      timestamp: instant('Creation of the event.'),
      data: object({
        required: {
          subscriptionId: text('The subscription.'),
          revision: text('The revision of the last change.'),
          total: count('Number of slots.'),
          ids: { ...arrayOf(text('Id of a slot.')), description: 'In order of start; empty above 1,000 slots.' },
          slots: { ...arrayOf(reference('Slot')), description: 'The first 25 that still exist.' },
          changes: text('URL of the changes since the revision before.', { format: 'uri' }),
        },
      }),
    },
  }),
  VerificationEvent: object({
    required: {
      type: text('Type of the event.', { const: 'subscription.verification' }),
      timestamp: instant('Creation of the event.'),
      data: object({
        required: {
          subscriptionId: text('The subscription.'),
          challenge: text('Return it in the body of a 2xx, as text or as `{"challenge": …}`.'),
        },
      }),
    },
  }),
  TestEvent: object({
    required: {
      type: text('Type of the event.', { const: 'subscription.test' }),
      timestamp: instant('Creation of the event.'),
      data: object({ required: { subscriptionId: text('The subscription.') } }),
    },
  }),
}

const WEBHOOKS = {
  'slots.opened': ['SlotsEvent', 'Slots that match the filters are free now.'],
  'slots.closed': ['SlotsEvent', 'Slots that matched are no longer free, or are gone.'],
  'subscription.verification': ['VerificationEvent', 'Verifies the address before any other event.'],
  'subscription.test': ['TestEvent', 'A caller has asked for it.'],
} as const satisfies Record<(typeof SUBSCRIPTION_EVENT_TYPES)[number], readonly [schema: string, summary: string]>

/** The section `webhooks` of the document: Standard Webhooks 1.0.0. */
export const WEBHOOK_ITEMS = Object.fromEntries(
  Object.entries(WEBHOOKS).map(([type, [schema, summary]]) => [
    type,
    {
      post: {
        operationId: type.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase()),
        summary,
        description:
          'Signed as in Standard Webhooks: headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. Delivered at least once.',
        tags: ['Subscriptions'],
        requestBody: { required: true, content: { 'application/json': { schema: reference(schema) } } },
        responses: {
          '2XX': { description: 'Received. Other statuses are retried for three days.' },
          410: { description: 'Disables the subscription.' },
        },
      },
    },
  ]),
)
