/** The exports of the package. */

export type { WatchedChange } from './change-events.ts'
export type { ActorPage, Page, PublisherPage, SlotPage, WalkOptions, WatchOptions } from './pages.ts'
export type {
  Actor,
  ActorFilters,
  ActorPageQuery,
  Change,
  ChangeFilters,
  ChangePage,
  Delivery,
  FacetQuery,
  Facets,
  NewSubscription,
  Publisher,
  PublisherPageQuery,
  Referral,
  Slot,
  SlotFilters,
  SlotPageQuery,
  Subscription,
  SubscriptionChange,
  SubscriptionWithSecret,
} from './query.ts'
export type { SlotExport } from './slot-export.ts'
export { SlotsClient } from './slots-client.ts'
export { type ServiceErrorKind, SlotsError, type SlotsErrorKind } from './slots-error.ts'
export type { CallOptions, Fetch, SlotsClientOptions } from './transport.ts'
export {
  type SlotsEvent,
  type TestEvent,
  type VerificationEvent,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookRequest,
} from './verify-webhook.ts'
