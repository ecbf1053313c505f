import type { Subscription, SubscriptionDelivery } from '../../../store/contracts/subscriptions.ts'

/** A subscription as `/v1` serves it. */
export function subscriptionJson(subscription: Subscription): object {
  const { id, url, description, filters, events, minIntervalMs, status, statusReason, createdBy, heldBack } =
    subscription
  return {
    ...{ id, url, description, filters, events, minIntervalSeconds: minIntervalMs / 1000, status, statusReason },
    expiresAt: instant(subscription.expiresAtMs),
    createdAt: instant(subscription.createdAtMs),
    createdBy,
    updatedAt: instant(subscription.updatedAtMs),
    heldBack,
    lastEventAt: instant(subscription.lastEventAtMs),
    lastDeliveredAt: instant(subscription.lastDeliveredAtMs),
    failingSince: instant(subscription.failingSinceMs),
    previousSecretUntil: instant(subscription.previousSecretUntilMs),
  }
}

/** A delivery as `/v1` serves it. */
export function deliveryJson(delivery: SubscriptionDelivery): object {
  const { id, type, status, total, attempts, responseStatus, responseMs, responseBody, error } = delivery
  return {
    ...{ id, type, status, total, attempts, responseStatus, responseMs, responseBody, error },
    createdAt: instant(delivery.createdAtMs),
    attemptedAt: instant(delivery.attemptedAtMs),
    nextAttemptAt: instant(delivery.nextAttemptAtMs),
    endedAt: instant(delivery.endedAtMs),
  }
}

function instant(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString()
}
