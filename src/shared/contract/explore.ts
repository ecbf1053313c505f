import { z } from 'zod'
import type { Offering, Slot } from '../../slot/slot.ts'
import type { Contract } from './contract.ts'

/** A slot as `/v1` serves it, with the fields of its offering. */
export type ServedSlot = Omit<Slot, 'startMs' | 'endMs' | 'offering'> & Offering

/** A page of `/v1/scheduling/slots`. */
const SLOT_PAGE = z.looseObject({ slots: z.array(z.custom<ServedSlot>()), total: z.number() })

/** Open slots by state and day in the requested time zone: at most 14 days, and the 15 states with the most slots or all. */
const DAYS = z.strictObject({
  /** `YYYY-MM-DD`. */
  days: z.array(z.string()),
  /** `counts[n]` is the number on `days[n]`. `XX` is for slots without a state. */
  states: z.array(z.strictObject({ state: z.string(), counts: z.array(z.number()) })),
  /** Of all states with slots, `XX` included. */
  stateCount: z.number(),
  total: z.number(),
})
export type DaysView = z.infer<typeof DAYS>

/** The response of `/v1/scheduling/facets`. */
const FACETS = z.looseObject({
  total: z.number(),
  /** A slot of several states counts in each. By descending count; at most 100. */
  state: z.array(z.strictObject({ value: z.string(), count: z.number() })),
})
export type FacetsView = z.infer<typeof FACETS>

/** The values of a filter among the slots that match the others, those with the most slots first. */
const SUGGESTIONS = z.strictObject({
  values: z.array(
    z.strictObject({
      value: z.string(),
      /** For people, if the value alone says little. */
      label: z.string().optional(),
      count: z.number(),
    }),
  ),
  /** More values match than are listed. */
  hasMore: z.boolean(),
  /** The slots are too many to read all values. */
  isPartial: z.boolean(),
})
export type SuggestionsView = z.infer<typeof SUGGESTIONS>

/** Places with the middle of their area, as `near` takes it. */
const PLACES = z.strictObject({
  /** `slots`: the open ones of a city, not within the radius. */
  places: z.array(z.strictObject({ name: z.string(), near: z.string(), slots: z.number().exactOptional() })),
  /** What to enter instead, if there is none. */
  hint: z.string().optional(),
})
const PLACE_SEARCH = z.strictObject({ text: z.string().trim().min(1).max(100) })

/**
 * The query parameters are those of `/v1/scheduling/slots`; `slots.csv` has no page; `days` has none either, but a `zone`, and `states=all`. Those of `facets` are of
 * `/v1/scheduling/facets`; `suggestions` has the filters, a `filter` and a `text`.
 */
export const EXPLORE_CONTRACT = {
  'GET /api/explore/slots': { access: 'session', response: SLOT_PAGE },
  'GET /api/explore/slots.csv': { access: 'session', response: z.string() },
  'GET /api/explore/days': { access: 'session', response: DAYS },
  'GET /api/explore/facets': { access: 'session', response: FACETS },
  'GET /api/explore/suggestions': { access: 'session', response: SUGGESTIONS },
  'GET /api/explore/places': { access: 'session', query: PLACE_SEARCH, response: PLACES },
} as const satisfies Contract
