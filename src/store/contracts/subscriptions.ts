import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import type {
  DeliveryStatus,
  QuietRule,
  SubscriptionEvent,
  SubscriptionEventType,
  SubscriptionReason,
  SubscriptionSort,
  SubscriptionStatus,
} from '../../shared/subscription-vocabulary.ts'
import type { AuditActor } from './audit.ts'
import type { ListPosition, PageRequest } from './page.ts'

/** The filters of a subscription as JSON: parameters of the list by name; an array repeats one. */
export type SubscriptionFilters = Readonly<Record<string, FilterValue | readonly FilterValue[]>>
type FilterValue = string | number | boolean

/** A subscription to the slots that match filters. Its secret is read separately. */
export interface Subscription {
  /** `sub_…` */
  readonly id: string
  readonly organizationId: string
  readonly url: string
  readonly description?: string
  readonly filters: SubscriptionFilters
  /** The filters as a query string. */
  readonly query: string
  readonly events: readonly SubscriptionEvent[]
  readonly minIntervalMs: number
  readonly expiresAtMs?: number
  readonly status: SubscriptionStatus
  readonly statusReason?: SubscriptionReason
  /** The receiver at `url` has returned the challenge. */
  readonly isVerified: boolean
  readonly createdAtMs: number
  readonly createdBy: string
  readonly updatedAtMs: number
  /** Only later commits match: that of the creation, or of the last resumption. */
  readonly sinceRevision: number
  /** Matches that were not announced, by rule. */
  readonly heldBack: Readonly<Partial<Record<QuietRule, number>>>
  readonly lastEventAtMs?: number
  readonly lastDeliveredAtMs?: number
  /** When the first attempt since the last success failed. */
  readonly failingSinceMs?: number
  /** The secret before the last rotation still signs until then. */
  readonly previousSecretUntilMs?: number
}

/** What a caller sets. */
export interface SubscriptionDraft
  extends Pick<
    Subscription,
    'organizationId' | 'url' | 'description' | 'filters' | 'query' | 'events' | 'minIntervalMs' | 'expiresAtMs'
  > {
  /** Encrypted. */
  readonly secret: string
}

/** What callers can change; what is absent stays. Null removes. */
export interface SubscriptionEdit {
  readonly url?: string
  readonly description?: string | null
  /** Set together with `query`. */
  readonly filters?: SubscriptionFilters
  readonly query?: string
  readonly events?: readonly SubscriptionEvent[]
  readonly minIntervalMs?: number
  readonly expiresAtMs?: number | null
  /** `active` resumes; the address is verified again if it has changed or the service has disabled the subscription. */
  readonly status?: 'active' | 'paused'
}

/** A subscription as the matcher knows it. */
export interface MatchedSubscription extends Pick<Subscription, 'id' | 'query' | 'sinceRevision'> {
  /** False: it is deleted, paused, disabled, or of a suspended organization. */
  readonly matches: boolean
}

/** A subscription in its organization. */
export interface SubscriptionId {
  readonly id: string
  readonly organizationId: string
}

/** An event and the outcome of its delivery. */
export interface SubscriptionDelivery {
  /** `evt_…` */
  readonly id: string
  /** Ascending: the place in the list. */
  readonly sequence: number
  readonly type: SubscriptionEventType
  readonly fromRevision: number
  readonly toRevision: number
  readonly total: number
  readonly ids: readonly string[]
  readonly createdAtMs: number
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly attemptedAtMs?: number
  /** Of an event that is queued; absent for slots while the subscription is paused or disabled. */
  readonly nextAttemptAtMs?: number
  readonly endedAtMs?: number
  readonly responseStatus?: number
  readonly responseMs?: number
  readonly responseBody?: string
  readonly error?: string
}

/** The deliveries of an organization within retention. */
export interface DeliverySummary {
  readonly queued: number
  readonly failed: number
  readonly oldestQueuedAtMs?: number
}

/** Which subscriptions are listed, and in which order. */
export interface SubscriptionFilter {
  /** A part of the URL, the description, the ID or the filters; case is ignored. */
  readonly search?: string
  readonly status?: SubscriptionStatus
  /** `newest` by default. */
  readonly sort?: SubscriptionSort
}

/** How long the previous secret signs after a rotation. */
export const SECRET_OVERLAP_MS = DAY_MS

/** Tests, retries and new addresses of a subscription that may be asked for in a time. */
export const REQUESTED_MAX = 10
export const REQUESTED_PER_MS = MINUTE_MS

/** Verifications of an organization that may be asked for in `REQUESTED_PER_MS`: their receivers may belong to others. */
export const VERIFICATIONS_MAX = 60

/** Edits and new secrets of all subscriptions of an organization in `REQUESTED_PER_MS`: each adds an entry to the audit log. */
export const SUBSCRIPTION_EDITS_MAX = 120

/** The subscriptions of all organizations. Changes are durable when the promise resolves, and in the audit log. */
export interface SubscriptionStore {
  /**
   * Stores a pending subscription and queues the verification of its address. Throws `LimitReached` if the organization has `max`,
   * `RateLimitReached` after `VERIFICATIONS_MAX`, and `RoleRequired` and `Suspended` as the change of a key does.
   */
  create(draft: SubscriptionDraft, by: AuditActor, max: number): Promise<Subscription>
  /** In pages by `subscriptionPosition()`; of all organizations if none is named. */
  list(organizationId?: string, page?: PageRequest, filter?: SubscriptionFilter): Promise<Subscription[]>
  /** Without an organization, that of any. */
  find(of: Pick<SubscriptionId, 'id'> & Partial<SubscriptionId>): Promise<Subscription | undefined>
  /**
   * Returns it after the change; undefined if it does not exist. Throws `RateLimitReached` after `SUBSCRIPTION_EDITS_MAX`, and like
   * `create()` and `sendTest()` if the address has to be verified.
   */
  edit(of: SubscriptionId, edit: SubscriptionEdit, by: AuditActor): Promise<Subscription | undefined>
  /** The previous secret signs for `SECRET_OVERLAP_MS` more. `secret` is encrypted. Throws `RateLimitReached` like `edit()`. */
  rotateSecret(of: SubscriptionId, secret: string, by: AuditActor): Promise<Subscription | undefined>
  /** Deletes it with its events. False if it does not exist. */
  remove(of: SubscriptionId, by: AuditActor): Promise<boolean>
  /**
   * Queues a test event; while the address is not verified, the verification again. Returns it; undefined if there is no such subscription.
   * Throws `RateLimitReached` after `REQUESTED_MAX` tests, retries and new addresses, of which each event counts once, and after
   * `VERIFICATIONS_MAX`.
   */
  sendTest(of: SubscriptionId, by?: AuditActor): Promise<SubscriptionDelivery | undefined>
  /** The newest first. Undefined if there is no such subscription. */
  deliveries(
    of: SubscriptionId,
    page: { limit: number; beforeSequence?: number },
  ): Promise<SubscriptionDelivery[] | undefined>
  delivery(of: SubscriptionId, deliveryId: string): Promise<SubscriptionDelivery | undefined>
  /** Of all subscriptions of an organization. */
  summary(organizationId: string): Promise<DeliverySummary>
  /** Sends an event again with its id, or now if it waits. Undefined if there is none. Throws `RateLimitReached` like `sendTest()`. */
  retry(of: SubscriptionId, deliveryId: string, by?: AuditActor): Promise<SubscriptionDelivery | undefined>
  /**
   * The subscriptions that changed after a revision of theirs (0: all that match), and the revision that includes them. Call it after the
   * change log was opened: then it has every subscription that was made before the last commit of the log.
   */
  changedSince(revision: number): Promise<{ subscriptions: MatchedSubscription[]; revision: number }>
  /** All encrypted secrets, for their encryption with another key. */
  secrets(): Promise<{ id: string; secret: string; previousSecret?: string }[]>
  /** Replaces the texts of the secrets of a subscription wherever they are still stored. Returns the number. */
  replaceSecret(id: string, before: string, secret: string): Promise<number>
  /** Deletes what is left of subscriptions that were deleted before a time. Returns the number of rows. */
  deleteEnded(beforeMs: number): Promise<number>
}

/** The place of a subscription in `SubscriptionStore.list()`. */
export function subscriptionPosition(
  { id, createdAtMs, lastDeliveredAtMs = 0 }: Subscription,
  sort: SubscriptionSort = 'newest',
): ListPosition {
  return { rank: sort === 'newest' ? createdAtMs : lastDeliveredAtMs, atMs: createdAtMs, id }
}
