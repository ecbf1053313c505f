import type { components, operations } from './api.ts'

type Schemas = components['schemas']

/** A slot as the API serves it. Fields that its publisher says nothing of are absent. */
export type Slot = Schemas['Slot']

/** A provider at a location, and what slots they have. */
export type Actor = Schemas['Actor']

/** A publisher, and how fresh what is held of it is. */
export type Publisher = Schemas['Publisher']

/** How slots are spread over states, ways to attend, service types, specialties and days. */
export type Facets = Schemas['Facets']

/** A slot that came or changed, as it is now; or one that went. */
export type Change = Schemas['Change']

/** Changes in their order, and the revision from which to go on after them. */
export type ChangePage = Schemas['ChangePage']

/** Which slots: the filters of the list, and its order. Several values of one filter mean any of them. */
export type SlotFilters = Omit<SlotPageQuery, Paging>

/** One page of slots. */
export type SlotPageQuery = Asked<'listSlots'>

/** Which actors: the filters of the list, and their order. */
export type ActorFilters = Omit<ActorPageQuery, Paging>

/** One page of actors. */
export type ActorPageQuery = Asked<'listActors'>

/** One page of publishers. */
export type PublisherPageQuery = Asked<'listPublishers'>

/** Which slots are counted, and for which zone's days. */
export type FacetQuery = Asked<'listFacets'>

/** The filters of an export, which its changes are to have as well. */
export type ChangeFilters = Omit<Asked<'listChanges'>, Paging | 'since'>

/** Any query: what is undefined is left out. */
export type Query = Readonly<Record<string, Value | readonly Value[] | undefined>>

type Paging = 'limit' | 'offset' | 'cursor'

type Value = string | number | boolean | Date

/** The parameters of an operation, as a program has them: a list or one value, and times as `Date` or as text. */
type Asked<Id extends keyof operations> = Written<NonNullable<operations[Id]['parameters']['query']>>

type Written<Parameters> = {
  readonly [Name in keyof Parameters]?:
    | (NonNullable<Parameters[Name]> extends readonly (infer Each)[]
        ? Each | readonly Each[]
        : Name extends 'startAfter' | 'startBefore'
          ? string | Date
          : Parameters[Name])
    | undefined
}

/** The search part of a URL. */
export function searchOf(query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value]
    for (const each of values)
      if (each !== undefined) search.append(name, each instanceof Date ? each.toISOString() : String(each))
  }
  return String(search)
}
