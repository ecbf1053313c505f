// Hot path

import { type Steps, sortInSteps } from '../../lib/steps.ts'
import { FILTER_PARAMETERS } from '../../slot/filter-parameters.ts'
import type { Coding } from '../../slot/slot.ts'
import type { SlotFilters } from '../../slot/slot-filters.ts'
import { stateTerm } from '../matching/filter-plan.ts'
import type { SlotMatches } from '../matching/slot-matches.ts'
import type { OfferingTable } from '../offerings/offering-table.ts'
import { term } from '../offerings/term-names.ts'
import type { TextTable } from '../offerings/text-table.ts'
import { sumOfferings } from './column-sums.ts'
import type { OfferingCounts } from './offering-counts.ts'

/** Number of slots that have a value. */
export interface ValueCount {
  readonly value: string
  readonly count: number
}

/** Number of slots that have a code; `display` is the most frequent display text, if any. */
export interface ServiceTypeCount {
  readonly code: string
  readonly display?: string
  readonly count: number
}

/** Facets of matching slots: values by descending count, then by value. Slots without a value are not counted in that facet. */
export interface FacetCounts {
  readonly total: number
  /** A slot of several states counts in each. */
  readonly state: readonly ValueCount[]
  /** A slot that can be attended both ways counts in both. */
  readonly isVirtual: { readonly true: number; readonly false: number }
  /** A slot of several service types counts in each. */
  readonly serviceType: readonly ServiceTypeCount[]
  /** Case-insensitive, in the most frequent spelling. A slot of several specialties counts in each. */
  readonly specialty: readonly ValueCount[]
  /** Days on which slots start, ascending. */
  readonly day: readonly DayCount[]
  /** How many slots the values have in sum that are left out, because there are too many of them. */
  readonly others: Readonly<Record<'state' | 'serviceType' | 'specialty' | 'day', number>>
}

/** Maximum number of values of a facet; for days see `DAYS_MAX`. */
export const VALUES_MAX = 100

/** The input of the counts: matches, how many each offering has, and the filters that they match. */
export interface FacetSource {
  readonly matches: SlotMatches
  readonly counts: OfferingCounts
  readonly filters: SlotFilters
}

/** The facets of matches. */
export function* countFacets(
  table: OfferingTable,
  { matches, counts: counted, filters }: FacetSource,
  calendar: Calendar,
): Steps<FacetCounts> {
  const sums = yield* sumOfferings(table, counted)
  const places = yield* sumPlaces(table, sums.places, filters)
  const most = function* (terms: Iterable<Term>) {
    return yield* mostOf(yield* groupTerms(terms), VALUES_MAX)
  }
  const state = yield* most(stateTerms(table, filters, places.byTerm))
  const serviceType = yield* most(serviceTypeTerms(table.serviceTypes, sums.serviceTypes))
  const specialty = yield* most(specialtyTerms(table.specialties, sums.specialties))
  const { days, later } = yield* countDays(matches, calendar)
  return {
    total: matches.count,
    state: state.most.map(({ key: value, count }) => ({ value, count })),
    isVirtual: { true: places.virtual, false: places.inPerson },
    serviceType: serviceType.most.map(({ key: code, text, count }) => ({
      code,
      ...(text !== undefined && { display: text }),
      count,
    })),
    specialty: specialty.most.map(({ key, text: value = key, count }) => ({ value, count })),
    day: days,
    others: {
      state: state.others,
      serviceType: serviceType.others,
      specialty: specialty.others,
      day: later,
    },
  }
}

/** Slots by their states and modes. */
interface PlaceSums {
  /** Number of slots that have a term of `OfferingTable.placeOf`. */
  readonly byTerm: Uint32Array
  virtual: number
  inPerson: number
}

/** Sums places by what they have. */
function* sumPlaces(table: OfferingTable, sums: Uint32Array, filters: SlotFilters): Steps<PlaceSums> {
  const { placeLists } = table
  const marks = new Uint8Array(placeLists.termsEnd)
  for (const name of modeTerms(true, filters)) marks[table.terms.find(name) ?? 0] |= VIRTUAL
  for (const name of modeTerms(false, filters)) marks[table.terms.find(name) ?? 0] |= IN_PERSON
  const total = { byTerm: new Uint32Array(placeLists.termsEnd), virtual: 0, inPerson: 0 }
  for (let from = 1; from < sums.length; from += PLACES_PER_STEP) {
    addPlaces(placeLists, { sums, marks, from }, total)
    yield
  }
  return total
}

const VIRTUAL = 1
const IN_PERSON = 2
/** Some 50 microseconds. */
const PLACES_PER_STEP = 4096

interface PlacesPart {
  /** Number of slots by place. */
  readonly sums: Uint32Array
  /** Modes by term. */
  readonly marks: Uint8Array
  readonly from: number
}

function addPlaces(
  { terms, ends }: OfferingTable['placeLists'],
  { sums, marks, from }: PlacesPart,
  total: PlaceSums,
): void {
  const { byTerm } = total
  const to = Math.min(sums.length, from + PLACES_PER_STEP)
  let [virtual, inPerson] = [0, 0]
  for (let place = from; place < to; place++) {
    const sum = sums[place]
    if (sum === 0) continue
    let modes = 0
    for (let at = ends[place - 1]; at < ends[place]; at++) {
      byTerm[terms[at]] += sum
      modes |= marks[terms[at]]
    }
    virtual += (modes & VIRTUAL) * sum
    inPerson += (modes >>> 1) * sum
  }
  total.virtual += virtual
  total.inPerson += inPerson
}

/** Only states in the mode that is asked for: a slot that can be attended both ways has states of each. */
function* stateTerms({ states, terms }: OfferingTable, filters: SlotFilters, sums: Uint32Array): Generator<Term> {
  for (const state of [...states.keys()]) {
    // The term may have been added since the sums were made.
    const count = state === undefined ? 0 : (sums[terms.find(stateTerm(state, filters)) ?? 0] ?? 0)
    if (state !== undefined && count > 0) yield { key: state, count }
  }
}

/** Number 0 is no term. */
function modeTerms(isVirtual: boolean, { states }: SlotFilters): readonly string[] {
  return states?.map((state) => stateTerm(state, { isVirtual })) ?? [term.mode(isVirtual)]
}

/** Service types by code. Leaves out those that cannot be filtered by: without a code, or with one that is too long. */
export function* serviceTypeTerms(texts: TextTable, sums: Uint32Array): Generator<Term> {
  for (let number = 1; number < sums.length; number++) {
    if (sums[number] === 0) continue
    const codings: readonly Coding[] = JSON.parse(texts.textOf(number))
    const displays = new Map<string, string | undefined>()
    for (const { code, display } of codings)
      if (code !== undefined && FILTER_PARAMETERS.serviceTypeCode.accepts(code))
        displays.set(code, displays.get(code) ?? display)
    for (const [key, text] of displays) yield { key, text, count: sums[number] }
  }
}

/** Specialties in lower case, each with its spelling. Leaves out those that are too long for the filter. */
export function* specialtyTerms(texts: TextTable, sums: Uint32Array): Generator<Term> {
  for (let number = 1; number < sums.length; number++) {
    if (sums[number] === 0) continue
    const all: readonly string[] = JSON.parse(texts.textOf(number))
    const published = all.filter(FILTER_PARAMETERS.specialty.accepts)
    const spellings = new Map(published.toReversed().map((text) => [text.toLowerCase(), text]))
    for (const [key, text] of spellings) yield { key, text, count: sums[number] }
  }
}

/** A term is parsed, which takes some microseconds. */
const TERM_STEP_MASK = 31

/** A number of slots that have a value, with its spelling. */
export interface Term {
  readonly key: string
  /** Absent if only the key is provided. */
  readonly text?: string | undefined
  readonly count: number
}

/** Sums terms by key and keeps the most frequent text; ties go to the first in text order. */
export function* groupTerms(terms: Iterable<Term>): Steps<Term[]> {
  const groups = new Map<string, { count: number; readonly texts: Map<string, number> }>()
  let seen = 0
  for (const { key, text, count } of terms) {
    if ((seen++ & TERM_STEP_MASK) === 0) yield
    const group = groups.get(key) ?? { count: 0, texts: new Map<string, number>() }
    groups.set(key, group)
    group.count += count
    if (text !== undefined) group.texts.set(text, (group.texts.get(text) ?? 0) + count)
  }
  const grouped: Term[] = []
  for (const [key, { count, texts }] of groups) {
    if ((grouped.length & TERM_STEP_MASK) === 0) yield
    grouped.push({ key, text: mostFrequent(texts), count })
  }
  return grouped
}

function mostFrequent(texts: ReadonlyMap<string, number>): string | undefined {
  let best: string | undefined
  for (const [text, count] of texts) {
    const more = best === undefined ? 1 : count - (texts.get(best) ?? 0)
    if (more > 0 || (more === 0 && best !== undefined && text < best)) best = text
  }
  return best
}

/** The `max` largest terms by descending count, then by key, and the summed count of the others. */
export function* mostOf(terms: readonly Term[], max: number): Steps<{ most: Term[]; others: number }> {
  const order = yield* sortInSteps(Uint32Array.from(terms.keys()), (n, m) => compareTerms(terms[n], terms[m]))
  let others = 0
  for (let at = max; at < order.length; at++) others += terms[order[at]].count
  return { most: Array.from(order.subarray(0, max), (n) => terms[n]), others }
}

function compareTerms(a: Term, b: Term): number {
  return b.count - a.count || (a.key < b.key ? -1 : 1)
}

/** Maps an instant (Unix milliseconds) to its date and to the end of that day. */
export type Calendar = (ms: number) => { readonly date: string; readonly endMs: number }

/** Number of slots that start on a day. */
export interface DayCount {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly count: number
}

/** Maximum number of days. */
export const DAYS_MAX = 60

/**
 * Counts the matches of the first `DAYS_MAX` days that have any, and the rest as `later`, like those of the year 10000, whose dates RFC
 * 3339 cannot write. One binary search per day.
 */
export function* countDays(
  matches: Pick<SlotMatches, 'count' | 'countBefore' | 'startFrom'>,
  calendar: Calendar,
): Steps<{ days: DayCount[]; later: number }> {
  const days: DayCount[] = []
  let counted = 0
  let startMs = matches.startFrom(Number.NEGATIVE_INFINITY)
  while (startMs !== undefined && days.length < DAYS_MAX) {
    const { date, endMs } = calendar(startMs)
    if (date.length > 10) break
    const before = matches.countBefore(endMs)
    days.push({ date, count: before - counted })
    counted = before
    startMs = matches.startFrom(endMs)
    yield
  }
  return { days, later: matches.count - counted }
}
