import type { components, operations } from './api.ts'

type Schemas = components['schemas']

/** A slot. Fields that its publisher does not provide are absent. */
export type Slot = Schemas['Slot']

/** A provider at a location, with a summary of their slots. */
export type Actor = Schemas['Actor']

/** A publisher, with slot counts and freshness. */
export type Publisher = Schemas['Publisher']

/** Counts of slots by state, service mode, service type, specialty and day. */
export type Facets = Schemas['Facets']

/** A slot that was added or changed, with its current content, or one that was removed. */
export type Change = Schemas['Change']

/** A saved search whose slots are sent to a webhook. */
export type Subscription = Schemas['Subscription']

/** A subscription with its secret, which is shown once. */
export type SubscriptionWithSecret = Schemas['SubscriptionWithSecret']

/** A subscription to create. */
export type NewSubscription = Schemas['NewSubscription']

/** Fields of a subscription to change; `null` removes one. */
export type SubscriptionChange = Schemas['SubscriptionChange']

/** An event of a subscription, and the outcome of its delivery. */
export type Delivery = Schemas['Delivery']

/** Changes in order, and the revision to continue from. */
export type ChangePage = Schemas['ChangePage']

/** The filters and the order of slots. A slot matches any of several values of a filter. */
export type SlotFilters = Omit<SlotPageQuery, Paging>

/** One page of slots. */
export type SlotPageQuery = ParametersOf<'listSlots'>

/** The filters and the order of actors. */
export type ActorFilters = Omit<ActorPageQuery, Paging>

/** One page of actors. */
export type ActorPageQuery = ParametersOf<'listActors'>

/** One page of publishers. */
export type PublisherPageQuery = ParametersOf<'listPublishers'>

/** Who refers a user to a booking page, and the identifier of the referral. */
export type Referral = ParametersOf<'followBookingLink'>

/** The filters of counted slots, and the time zone of the days. */
export type FacetQuery = ParametersOf<'listFacets'>

/** The filters of changes: use those of the export. */
export type ChangeFilters = Omit<ParametersOf<'listChanges'>, Paging | 'since'>

/** Any query; undefined values are omitted. */
export type Query = Readonly<Record<string, Value | readonly Value[] | undefined>>

type Paging = 'limit' | 'offset' | 'cursor'

type Value = string | number | boolean | Date

/** The parameters of an operation: one value or a list, and times as `Date` or text. */
type ParametersOf<Id extends keyof operations> = QueryInput<NonNullable<operations[Id]['parameters']['query']>>

type QueryInput<Parameters> = {
  readonly [Name in keyof Parameters]?:
    | (NonNullable<Parameters[Name]> extends readonly (infer Each)[]
        ? Each | readonly Each[]
        : Name extends 'startAfter' | 'startBefore'
          ? string | Date
          : Parameters[Name])
    | undefined
}

/** The query string of a URL. An empty list becomes an empty value, which the service rejects: without it, all slots would match. */
export function searchOf(query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) && value.length > 0 ? value : [value]
    for (const each of values)
      if (each !== undefined) search.append(name, each instanceof Date ? each.toISOString() : String(each))
  }
  return String(search)
}
