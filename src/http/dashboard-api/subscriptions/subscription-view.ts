import { defined } from '../../../lib/optional.ts'
import type {
  DeliveryDetail,
  DeliveryView,
  SubscriptionEditBody,
  SubscriptionView,
} from '../../../shared/contract/subscriptions.ts'
import type { Subscription, SubscriptionDelivery } from '../../../store/contracts/subscriptions.ts'
import { eventBody } from '../../../subscriptions/event-body.ts'
import { filtersOfQuery } from '../../../subscriptions/subscription-changes.ts'

/** A subscription as its organization sees it. */
export function viewSubscription(subscription: Subscription, nowMs: number): SubscriptionView {
  const { id, url, status, createdAtMs, createdBy, previousSecretUntilMs = 0 } = subscription
  const { description, statusReason, expiresAtMs, lastDeliveredAtMs, failingSinceMs } = subscription
  return {
    id,
    url,
    status,
    createdAtMs,
    createdBy,
    filters: subscription.query,
    events: [...subscription.events],
    minIntervalSeconds: subscription.minIntervalMs / 1000,
    heldBack: { ...subscription.heldBack },
    ...defined({ description, statusReason, expiresAtMs, lastDeliveredAtMs, failingSinceMs }),
    ...(previousSecretUntilMs > nowMs && { previousSecretUntilMs }),
  }
}

/** A delivery without its request. */
export function viewDelivery(delivery: SubscriptionDelivery): DeliveryView {
  const { id, type, total, status, attempts, createdAtMs } = delivery
  const { attemptedAtMs, nextAttemptAtMs, endedAtMs, responseStatus, responseMs, error } = delivery
  return {
    id,
    type,
    total,
    status,
    attempts,
    createdAtMs,
    ...defined({ attemptedAtMs, nextAttemptAtMs, endedAtMs, responseStatus, responseMs, error }),
  }
}

/** A delivery with its request, without the slots and the challenge. */
export function viewDeliveryDetail(
  delivery: SubscriptionDelivery,
  { id: subscriptionId, query: filters }: Subscription,
  { baseUrl, store }: { readonly baseUrl: string; readonly store: number },
): DeliveryDetail {
  const known = { store, slots: new Map() }
  const { type, timestamp, data } = JSON.parse(eventBody({ ...delivery, subscriptionId, filters }, baseUrl, known))
  const { slots: _slots, ...rest } = data
  const body = { type, timestamp, data: rest }
  return {
    ...viewDelivery(delivery),
    request: JSON.stringify(body, null, 2),
    ...defined({ responseBody: delivery.responseBody }),
  }
}

/** A body of the dashboard as one of `/v1`, of which null removes a value. */
export function subscriptionInput({ filters, expiresAtMs, ...rest }: SubscriptionEditBody): Record<string, unknown> {
  return defined({
    ...rest,
    filters: filters === undefined ? undefined : filtersOfQuery(filters),
    expiresAt: expiresAtMs == null ? expiresAtMs : new Date(expiresAtMs).toISOString(),
  })
}
