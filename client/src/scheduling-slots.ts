/** The exports of the package. */

export type { WatchedChange } from './change-events.ts'
export type {
  Actor,
  ActorFilters,
  ActorPageQuery,
  Change,
  ChangeFilters,
  ChangePage,
  FacetQuery,
  Facets,
  Publisher,
  PublisherPageQuery,
  Referral,
  Slot,
  SlotFilters,
  SlotPageQuery,
} from './query.ts'
export type { SlotExport } from './slot-export.ts'
export {
  type ActorPage,
  type Page,
  type PublisherPage,
  type SlotPage,
  SlotsClient,
  type WalkOptions,
  type WatchOptions,
} from './slots-client.ts'
export { type ServiceErrorKind, SlotsError, type SlotsErrorKind } from './slots-error.ts'
export type { CallOptions, Fetch, SlotsClientOptions } from './transport.ts'
