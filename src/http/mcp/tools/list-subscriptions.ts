import { isObject } from '../../../lib/json.ts'
import { defined } from '../../../lib/optional.ts'
import { SUBSCRIPTION_STATUSES } from '../../../shared/subscription-vocabulary.ts'
import { CURSOR_PARAMETERS, SUBSCRIPTIONS_PATH } from '../../v1/subscriptions/subscription-operations.ts'
import { cleanLink, cleanText } from '../clean-text.ts'
import { listOf, nextCursorOf } from '../query-service.ts'
import { inputOf, type ObjectSchema, objectOf, STRING, searchOf, type Tool } from '../tool.ts'

/** A subscription as tools return it. */
export const SUBSCRIPTION_VIEW: ObjectSchema = objectOf(
  {
    id: STRING,
    status: { type: 'string', enum: SUBSCRIPTION_STATUSES },
    url: STRING,
    filters: { type: 'object' },
    events: { type: 'array', items: STRING },
    minIntervalSeconds: { type: 'integer' },
  },
  { description: STRING, statusReason: STRING, expiresAt: STRING, lastDeliveredAt: STRING, failingSince: STRING },
)

/** `list_subscriptions`: the saved searches of the organization. */
export const listSubscriptionsTool: Tool = {
  name: 'list_subscriptions',
  title: 'List subscriptions',
  description:
    'Lists the subscriptions of the organization, newest first: saved searches that send slots that become free to a webhook. A pending subscription waits for its receiver to return the challenge.',
  input: inputOf(CURSOR_PARAMETERS, ['limit', 'cursor'], {
    cursor: { description: 'For the next page: nextCursor of the previous result.' },
  }),
  output: objectOf({ subscriptions: { type: 'array', items: SUBSCRIPTION_VIEW } }, { nextCursor: STRING }),
  async run(args, ask) {
    const result = await ask(SUBSCRIPTIONS_PATH, searchOf(args, listSubscriptionsTool.input).toString())
    const subscriptions = listOf(result.body, 'subscriptions').map(toolSubscription)
    const nextCursor = nextCursorOf(result)
    const found = `${subscriptions.length} ${subscriptions.length === 1 ? 'subscription' : 'subscriptions'}.`
    const more = nextCursor === undefined ? [] : [`For more, call again with cursor "${nextCursor}".`]
    return {
      text: [found, ...subscriptions.map(formatSubscription), ...more].join('\n'),
      structured: { subscriptions, ...(nextCursor && { nextCursor }) },
    }
  },
}

/** A subscription of a response of `/v1`. */
export function toolSubscription(each: Readonly<Record<string, unknown>>) {
  const { filters, events } = each
  const statusReason = cleanText(each.statusReason)
  const optional = ['description', 'expiresAt', 'lastDeliveredAt', 'failingSince']
  const texts = optional.map((name) => [name, cleanText(each[name])] as const)
  return {
    id: cleanText(each.id) ?? '',
    status: cleanText(each.status) ?? '',
    ...defined({ statusReason }),
    url: cleanLink(each.url) ?? '',
    filters: isObject(filters) ? filters : {},
    events: Array.isArray(events) ? events.map(String) : [],
    minIntervalSeconds: Number(each.minIntervalSeconds),
    ...Object.fromEntries(texts.filter(([, text]) => text !== undefined)),
  }
}

/** One line. */
export function formatSubscription(subscription: ReturnType<typeof toolSubscription>): string {
  const { id, status, statusReason, url, filters, events, minIntervalSeconds } = subscription
  const reason = statusReason === undefined ? '' : ` (${statusReason})`
  const settings = `${events.join(' and ')}, at most every ${minIntervalSeconds} s`
  return `${id}: ${status}${reason}, ${url}, filters ${cleanText(JSON.stringify(filters))}, ${settings}`
}
