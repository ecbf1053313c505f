import { defined } from '../lib/optional.ts'
import type { Store } from '../store/contracts/store.ts'
import type { Subscription } from '../store/contracts/subscriptions.ts'
import { CommandError } from './command.ts'
import { PROGRAM } from './program.ts'
import { formatInstant, formatInstants, formatSeconds, formatTable } from './table.ts'

/** A subscription without its secret, as commands print it. */
type PrintedSubscription = ReturnType<typeof printedSubscription>

/** A subscription as JSON: times as RFC 3339. */
export function printedSubscription(subscription: Subscription) {
  const { id, organizationId, url, query, events, status, description, statusReason } = subscription
  return {
    id,
    organizationId,
    url,
    ...defined({ description }),
    filters: query,
    events,
    minIntervalSeconds: subscription.minIntervalMs / 1000,
    status,
    ...defined({ statusReason }),
    createdAt: formatInstant(subscription.createdAtMs),
    createdBy: subscription.createdBy,
    ...formatInstants({
      expiresAt: subscription.expiresAtMs,
      lastDeliveredAt: subscription.lastDeliveredAtMs,
      failingSince: subscription.failingSinceMs,
      previousSecretUntil: subscription.previousSecretUntilMs,
    }),
    heldBack: subscription.heldBack,
  }
}

/** Subscriptions as a table. */
export function formatSubscriptions(views: readonly PrintedSubscription[], empty: string): string {
  return formatTable(
    views,
    {
      ID: ({ id }) => id,
      STATUS: ({ status, statusReason }) => (statusReason === undefined ? status : `${status} (${statusReason})`),
      HOST: ({ url }) => new URL(url).host,
      FILTERS: ({ filters }) => filters || 'all slots',
      'LAST DELIVERY': ({ lastDeliveredAt: at }) => (at === undefined ? 'never' : formatSeconds(at)),
      'HELD BACK': ({ heldBack }) => Object.values(heldBack).reduce((sum, count) => sum + count, 0),
      DESCRIPTION: ({ description }) => description,
    },
    empty,
  )
}

/** The subscription with an ID, of any organization. Throws `CommandError`, which begins with the purpose. */
export async function getSubscription(store: Store, purpose: string, id: string): Promise<Subscription> {
  const subscription = await store.subscriptions.find({ id })
  if (subscription !== undefined) return subscription
  throw new CommandError(
    `Cannot ${purpose}: no subscription has the ID "${id}"\nAll subscriptions: ${PROGRAM} subscription list --org <name>`,
  )
}
