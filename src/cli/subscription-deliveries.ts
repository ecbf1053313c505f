import { z } from 'zod'
import { defined } from '../lib/optional.ts'
import type { SubscriptionDelivery } from '../store/contracts/subscriptions.ts'
import { argument, defineCommand, option } from './command.ts'
import { withStore } from './store-access.ts'
import { getSubscription } from './subscription-view.ts'
import { formatInstant, formatInstants, formatSeconds, formatTable } from './table.ts'
import { countValue } from './values.ts'

/** Number of listed deliveries by default, and at most: as many as are kept. */
const LISTED = 50
const LISTED_MAX = 1_000

/** `subscription deliveries <id>`. Throws `CommandError` for an unknown ID. */
export const subscriptionDeliveries = defineCommand({
  description: 'Events of the last 7 days and the outcome of their last attempt, newest first.',
  examples: [
    'subscription deliveries sub_0123456789abcdef0123',
    'subscription deliveries sub_0123456789abcdef0123 --limit 5 --json',
  ],
  input: {
    id: argument(z.string()),
    limit: option(
      countValue(LISTED_MAX).default(LISTED),
      '<count>',
      `number of deliveries, 1 to ${LISTED_MAX} (default: ${LISTED})`,
    ),
  },
  async run(call, { id, limit }) {
    const found = await withStore(call, async (store) => {
      const subscription = await getSubscription(store, 'list deliveries', id)
      return (await store.subscriptions.deliveries(subscription, { limit })) ?? []
    })
    call.print(found.map(printedDelivery), formatDeliveries(found))
  },
})

/** A delivery as JSON: times as RFC 3339. */
export function printedDelivery(delivery: SubscriptionDelivery) {
  const { id, type, total, status, attempts, responseStatus, responseMs, error } = delivery
  return {
    id,
    type,
    total,
    status,
    attempts,
    createdAt: formatInstant(delivery.createdAtMs),
    ...formatInstants({ attemptedAt: delivery.attemptedAtMs, nextAttemptAt: delivery.nextAttemptAtMs }),
    ...defined({ responseStatus, responseMs, error }),
  }
}

function formatDeliveries(deliveries: readonly SubscriptionDelivery[]): string {
  return formatTable(
    deliveries,
    {
      ID: ({ id }) => id,
      CREATED: ({ createdAtMs }) => formatSeconds(createdAtMs),
      EVENT: ({ type }) => type,
      SLOTS: ({ total }) => total,
      STATUS: ({ status }) => status,
      ATTEMPTS: ({ attempts }) => attempts,
      RESPONSE: ({ responseStatus, error }) => responseStatus ?? error,
      'LATENCY MS': ({ responseMs }) => responseMs,
    },
    'No deliveries in the last 7 days.',
  )
}
