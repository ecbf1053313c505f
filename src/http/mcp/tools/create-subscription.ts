import { isObject } from '../../../lib/json.ts'
import { SUBSCRIPTION_EVENTS, SUBSCRIPTION_LIMITS } from '../../../shared/subscription-vocabulary.ts'
import { FILTER_PARAMETERS } from '../../../slot/filter-parameters.ts'
import type { JsonSchema } from '../../../slot/query-parameter.ts'
import { SUBSCRIPTIONS_PATH } from '../../v1/subscriptions/subscription-operations.ts'
import { cleanText } from '../clean-text.ts'
import { objectOf, STRING, type Tool } from '../tool.ts'
import { formatSubscription, SUBSCRIPTION_VIEW, toolSubscription } from './list-subscriptions.ts'

const { minIntervalSeconds: SECONDS, urlLength, descriptionLength } = SUBSCRIPTION_LIMITS

/** Only free slots are announced. */
const FILTER_NAMES = Object.keys(FILTER_PARAMETERS).filter((name) => name !== 'status')

const REQUIRED: Record<string, JsonSchema> = {
  url: {
    ...STRING,
    maxLength: urlLength,
    description: 'The https address of the receiver, named by the person. Never invent one.',
    examples: ['https://app.example.com/hook'],
  },
  filters: {
    type: 'object',
    additionalProperties: true,
    description: `Filters by name, as in search_slots; a list matches any of its values. Names: ${FILTER_NAMES.join(', ')}. Empty: all slots.`,
    examples: [{ state: ['MA'], isVirtual: true }],
  },
}

const OPTIONAL: Record<string, JsonSchema> = {
  description: {
    ...STRING,
    maxLength: descriptionLength,
    description: 'A line for people. No personal data of patients.',
  },
  events: {
    type: 'array',
    items: { type: 'string', enum: SUBSCRIPTION_EVENTS },
    description: 'Events to send: slots.closed is for slots that are gone.',
    default: ['slots.opened'],
  },
  minIntervalSeconds: {
    type: 'integer',
    minimum: SECONDS.min,
    maximum: SECONDS.max,
    default: SECONDS.default,
    description: 'The minimum time between two events; slots in between arrive together.',
  },
  expiresAt: { ...STRING, format: 'date-time', description: 'When it ends: RFC 3339 with an offset.' },
}

/** `create_subscription`: a saved search that sends slots to a webhook. */
export const createSubscriptionTool: Tool = {
  name: 'create_subscription',
  title: 'Create a subscription',
  description: `Creates a subscription: slots that match the filters and become free later are sent to a webhook. Use it only if a person asks to be notified and has a receiver; try the filters with search_slots first.
It is pending until the receiver returns the challenge. The result has the secret that signs the events, which is shown once: give it to the person.
Each call creates another one. If a call failed without a response of the service, call list_subscriptions before you repeat it.`,
  input: { ...objectOf(REQUIRED, OPTIONAL), additionalProperties: false },
  output: objectOf({ subscription: SUBSCRIPTION_VIEW, secret: STRING }),
  creates: true,
  async run(args, ask) {
    // The operation validates; some assistants send null for omitted arguments.
    const given = Object.entries(args).filter(([, value]) => value !== null && value !== undefined)
    const { body } = await ask(SUBSCRIPTIONS_PATH, '', Object.fromEntries(given))
    const created = isObject(body) ? body : {}
    const subscription = toolSubscription(created)
    const secret = cleanText(created.secret) ?? ''
    const lines = [
      formatSubscription(subscription),
      `Secret, shown once: ${secret}`,
      'The receiver must return the challenge of the event subscription.verification to activate it.',
    ]
    return { text: lines.join('\n'), structured: { subscription, secret } }
  },
}
