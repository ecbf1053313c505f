import { form, integer, type ParameterTable, parameter } from '../../../slot/query-parameter.ts'
import { VERIFICATIONS_MAX } from '../../../store/contracts/subscriptions.ts'
import { jsonContent } from '../openapi/schemas.ts'
import { EXAMPLE_DELIVERY, EXAMPLE_NEW_SUBSCRIPTION, EXAMPLE_SUBSCRIPTION } from '../openapi/subscription-examples.ts'
import type { Operation } from '../operation.ts'

export const SUBSCRIPTIONS_PATH = '/v1/scheduling/subscriptions'

/** The query of a page of a list. */
export interface CursorDraft {
  /** 1 to 100. */
  limit: number
  cursor?: string
}

const LIMIT_MAX = 100

const EXAMPLE_SECRET = `whsec_${'A'.repeat(43)}=`

/** Paging by cursor. */
export const CURSOR_PARAMETERS: ParameterTable<CursorDraft> = {
  limit: parameter({
    description: 'Maximum number of items per page.',
    kind: integer({ min: 1, max: LIMIT_MAX }),
    examples: ['100'],
    fallback: LIMIT_MAX,
    put: (draft, value) => {
      draft.limit = value
    },
  }),
  cursor: parameter({
    description: 'The value in the `Link` header of the previous page.',
    kind: form(/^[0-9a-z]{1,11}(?:_sub_[0-9a-f]{20})?$/, 'the value in the Link header of the previous page'),
    examples: ['mb8k2x1c'],
    put: (draft, value) => {
      draft.cursor = value
    },
  }),
}

const BY_ID = {
  pathParameter: {
    name: 'id',
    description: 'The id of the subscription.',
    schema: { type: 'string', pattern: '^sub_[0-9a-f]{20}$' },
    example: EXAMPLE_SUBSCRIPTION.id,
  },
  parameters: {},
} as const

const NO_BODY = { content: {}, headers: ['Cache-Control'] } as const
const PROBLEMS = ['invalid-parameter', 'not-found'] as const
const WITH_BODY = ['unsupported-media-type', 'content-too-large'] as const

/** The operations of subscriptions. Answered by the dashboard thread: see `SubscriptionsHandler`. */
export const SUBSCRIPTION_OPERATIONS: readonly Operation[] = [
  {
    path: SUBSCRIPTIONS_PATH,
    id: 'listSubscriptions',
    summary: 'List subscriptions',
    description: 'Returns the subscriptions of your organization, the newest first.',
    parameters: CURSOR_PARAMETERS,
    content: jsonContent('SubscriptionPage', { subscriptions: [EXAMPLE_SUBSCRIPTION] }),
    headers: ['Cache-Control', 'Vary', 'Link'],
    optionalHeaders: ['Link'],
    problems: ['invalid-parameter'],
  },
  {
    method: 'POST',
    path: SUBSCRIPTIONS_PATH,
    id: 'createSubscription',
    summary: 'Create a subscription',
    description: `Slots that match the filters and become free later are sent to the URL. First its address is verified: the receiver must return the challenge of the event \`subscription.verification\`. The response is the only one that has the secret. At most ${VERIFICATIONS_MAX} addresses of an organization are verified per minute.`,
    parameters: {},
    body: { schema: 'NewSubscription', example: EXAMPLE_NEW_SUBSCRIPTION },
    status: 201,
    content: jsonContent('SubscriptionWithSecret', { ...EXAMPLE_SUBSCRIPTION, secret: EXAMPLE_SECRET }),
    headers: ['Cache-Control', 'Location'],
    problems: ['invalid-parameter', ...WITH_BODY, 'too-many-subscriptions'],
  },
  {
    ...BY_ID,
    path: `${SUBSCRIPTIONS_PATH}/{id}`,
    id: 'showSubscription',
    summary: 'Show a subscription',
    description: 'Returns a subscription of your organization, without its secret.',
    content: jsonContent('Subscription', EXAMPLE_SUBSCRIPTION),
    headers: ['Cache-Control', 'Vary'],
    problems: PROBLEMS,
  },
  {
    ...BY_ID,
    method: 'PATCH',
    path: `${SUBSCRIPTIONS_PATH}/{id}`,
    id: 'changeSubscription',
    summary: 'Change a subscription',
    description:
      'Changes the fields that the body has; null removes a description or an expiry. A new URL is verified first, and counts as a test. Other filters, and a resumption, announce only what is committed later.',
    body: { schema: 'SubscriptionChange', example: { status: 'paused' } },
    content: jsonContent('Subscription', { ...EXAMPLE_SUBSCRIPTION, status: 'paused' }),
    headers: ['Cache-Control', 'Vary'],
    problems: [...PROBLEMS, ...WITH_BODY],
  },
  {
    ...BY_ID,
    ...NO_BODY,
    method: 'DELETE',
    path: `${SUBSCRIPTIONS_PATH}/{id}`,
    id: 'deleteSubscription',
    summary: 'Delete a subscription',
    description: 'Deletes a subscription, its secret and its events. An event in flight may still arrive.',
    status: 204,
    problems: PROBLEMS,
  },
  {
    ...BY_ID,
    method: 'POST',
    path: `${SUBSCRIPTIONS_PATH}/{id}/test`,
    id: 'testSubscription',
    summary: 'Send a test event',
    description:
      'Sends the event `subscription.test`; while the address is not verified, the verification again. At most ten tests, retries and new URLs of a subscription per minute.',
    status: 202,
    content: jsonContent('Delivery', EXAMPLE_DELIVERY),
    headers: ['Cache-Control'],
    problems: PROBLEMS,
  },
  {
    ...BY_ID,
    method: 'POST',
    path: `${SUBSCRIPTIONS_PATH}/{id}/rotate-secret`,
    id: 'rotateSubscriptionSecret',
    summary: 'Rotate the secret of a subscription',
    description: 'Returns a new secret. For 24 hours, events are signed by both.',
    content: jsonContent('SubscriptionWithSecret', { ...EXAMPLE_SUBSCRIPTION, secret: EXAMPLE_SECRET }),
    headers: ['Cache-Control', 'Vary'],
    problems: PROBLEMS,
  },
  {
    ...BY_ID,
    parameters: CURSOR_PARAMETERS,
    path: `${SUBSCRIPTIONS_PATH}/{id}/deliveries`,
    id: 'listDeliveries',
    summary: 'List the deliveries of a subscription',
    description: 'Returns the events of the last seven days and the outcome of their delivery, the newest first.',
    content: jsonContent('DeliveryPage', { deliveries: [EXAMPLE_DELIVERY] }),
    headers: ['Cache-Control', 'Vary', 'Link'],
    optionalHeaders: ['Link'],
    problems: PROBLEMS,
  },
  {
    ...BY_ID,
    itemParameter: {
      name: 'deliveryId',
      description: 'The id of the event.',
      schema: { type: 'string', pattern: '^evt_[0-9a-f]{32}$' },
      example: EXAMPLE_DELIVERY.id,
    },
    method: 'POST',
    path: `${SUBSCRIPTIONS_PATH}/{id}/deliveries/{deliveryId}/retry`,
    id: 'retryDelivery',
    summary: 'Deliver an event again',
    description:
      'Queues an event that was delivered, given up or canceled again, with the same id, or sends one that waits for its next attempt now; each event at most once per minute. Slots of a paused or disabled subscription are sent when it is resumed.',
    status: 202,
    content: jsonContent('Delivery', EXAMPLE_DELIVERY),
    headers: ['Cache-Control'],
    problems: PROBLEMS,
  },
]
