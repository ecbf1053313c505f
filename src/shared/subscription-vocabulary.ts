/** `pending` until the address is verified; `disabled` by the service or because it expired. */
export const SUBSCRIPTION_STATUSES = ['pending', 'active', 'paused', 'disabled'] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

/**
 * Why a subscription is disabled: deliveries failed for three days, the receiver answered 410, its address was not verified within a
 * day, or it expired.
 */
export const SUBSCRIPTION_REASONS = ['failing', 'gone', 'unverified', 'expired'] as const
export type SubscriptionReason = (typeof SUBSCRIPTION_REASONS)[number]

/** The events that a subscription can choose. */
export const SUBSCRIPTION_EVENTS = ['slots.opened', 'slots.closed'] as const
export type SubscriptionEvent = (typeof SUBSCRIPTION_EVENTS)[number]

/** All events that receivers get. */
export const SUBSCRIPTION_EVENT_TYPES = [
  ...SUBSCRIPTION_EVENTS,
  'subscription.verification',
  'subscription.test',
] as const
export type SubscriptionEventType = (typeof SUBSCRIPTION_EVENT_TYPES)[number]

/** `queued` until it is delivered, or given up (`failed`), or its subscription ends first (`canceled`). */
export const DELIVERY_STATUSES = ['queued', 'delivered', 'failed', 'canceled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** The rules by which a match is not announced. */
export const QUIET_RULES = ['flap', 'firstSync', 'heldSource', 'logGap'] as const
export type QuietRule = (typeof QUIET_RULES)[number]

/** Bounds of what callers may set. */
export const SUBSCRIPTION_LIMITS = {
  minIntervalSeconds: { min: 1, max: 86_400, default: 60 },
  /** Unicode characters. */
  urlLength: 2_000,
  descriptionLength: 200,
  /** Of the filters as a query string: a request for changes has them in its target, whose length is limited. */
  filtersLength: 8_000,
} as const

/** No control characters and line ends, and not only spaces. With the flag `u`. */
export const DESCRIPTION_PATTERN = /^(?=.*\S)[^\p{Cc}\p{Zl}\p{Zp}]*$/u

/** Ids of an event, and of the pending matches of a subscription and kind; beyond, only their number is known. */
export const EVENT_IDS_MAX = 1_000

/** Orders of subscriptions: `newest` first; `delivered` and `undelivered`: by last delivery, then newest first. */
export const SUBSCRIPTION_SORTS = ['newest', 'delivered', 'undelivered'] as const
export type SubscriptionSort = (typeof SUBSCRIPTION_SORTS)[number]
