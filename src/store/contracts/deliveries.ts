import type { SubscriptionEventType, SubscriptionReason } from '../../shared/subscription-vocabulary.ts'

/** How a subscription's last attempt went; `new` before the first. */
export type DeliveryLane = 'delivered' | 'new' | 'failing'

/** All lanes. Stored numbers depend on the order. */
export const DELIVERY_LANES: readonly DeliveryLane[] = ['delivered', 'new', 'failing']

/** A subscription with an event that is due. */
export interface DueDelivery {
  readonly subscriptionId: string
  readonly organizationId: string
  /** Hostname of the receiver. */
  readonly host: string
  readonly lane: DeliveryLane
}

export interface DueDeliveriesQuery {
  readonly lane: DeliveryLane
  readonly nowMs: number
  readonly limit: number
  readonly withoutOrganizations: readonly string[]
  readonly withoutSubscriptions: readonly string[]
}

/** The next event of a subscription, claimed by a node. */
export interface ClaimedDelivery {
  /** The same for every attempt. */
  readonly id: string
  readonly type: SubscriptionEventType
  readonly subscriptionId: string
  readonly organizationId: string
  readonly createdAtMs: number
  /** When it was created, or last asked for. */
  readonly queuedAtMs: number
  /** The receiver at `url` has returned the challenge. */
  readonly isVerified: boolean
  /** Attempts before this one. */
  readonly attempts: number
  /** The revision before its first slot, and that of its last. */
  readonly fromRevision: number
  readonly toRevision: number
  /** Of slots; `ids` has at most 1,000. */
  readonly total: number
  readonly ids: readonly string[]
  /** Of a verification. */
  readonly challenge?: string
  readonly url: string
  /** The filters of the subscription as a query string. */
  readonly filters: string
  /** Encrypted; the second is that before a rotation, while it is valid. */
  readonly secrets: readonly string[]
  /** Since when no attempt has succeeded. */
  readonly failingSinceMs?: number
}

/** The receiver's response to an attempt, or why there was none. */
export interface DeliveryAttempt {
  readonly atMs: number
  readonly latencyMs: number
  readonly status?: number
  /** The beginning of the response's body. */
  readonly body?: string
  readonly error?: string
  /** Retry-After of a 429 or 503: no attempt before. */
  readonly retryAfterMs?: number
}

/** The end of an attempt. */
export interface EndedDelivery {
  readonly delivery: ClaimedDelivery
  readonly attempt: DeliveryAttempt
  readonly outcome:
    | { readonly kind: 'delivered' }
    | { readonly kind: 'retry'; readonly atMs: number }
    /** The event is given up; the next one is due at `atMs`. */
    | { readonly kind: 'failed'; readonly atMs: number }
    | { readonly kind: 'disabled'; readonly reason: SubscriptionReason }
}

/** A subscription that a failed delivery, or its expiry, has disabled. */
export interface DisabledSubscription {
  readonly subscriptionId: string
  readonly organizationId: string
  readonly url: string
  readonly reason: SubscriptionReason
}

export interface DeliveryBatch {
  /** Of the node. */
  readonly owner: string
  readonly nowMs: number
  /** How long other nodes leave what is claimed to this one. */
  readonly leaseMs: number
  readonly ended: readonly EndedDelivery[]
  /** Subscriptions whose claimed event was not sent: it is due again in a second. */
  readonly released: readonly string[]
  /** Subscriptions to claim. */
  readonly claim: readonly string[]
}

export interface DeliveryBatchResult {
  /** Fewer than asked for if another node was faster, or if nothing may be sent. */
  readonly claimed: readonly ClaimedDelivery[]
  readonly disabled: readonly DisabledSubscription[]
}

/** Events that wait, of all nodes. */
export interface DeliveryBacklog {
  readonly queued: number
  /** Of those whose receiver has not failed last time. */
  readonly oldestAtMs?: number
}

/**
 * The queues of events of subscriptions: a transactional outbox with one queue per subscription, of which one node at a time sends the
 * oldest event. A claim is a lease: if the node dies, the event is due again when the lease ends, with the same id.
 */
export interface DeliveryStore {
  /** Subscriptions with a due event that no node has claimed, longest due first. */
  due(query: DueDeliveriesQuery): Promise<DueDelivery[]>
  /** In one transaction: records the ends of attempts, except those whose lease another node has taken, and claims the next events. */
  exchange(batch: DeliveryBatch): Promise<DeliveryBatchResult>
  /** Disables the subscriptions whose end has passed, and returns them. Events that a clock ahead has put off are due. */
  expire(nowMs: number): Promise<readonly DisabledSubscription[]>
  backlog(): Promise<DeliveryBacklog>
  /** Deletes events that ended before a time. */
  purge(beforeMs: number): Promise<void>
}
