// Hot path

import { STEP_MASK, type Steps } from '../lib/steps.ts'
import { BUCKETS_END, bucketFor, bucketsByState, groupNumber } from './buckets.ts'
import type { ListPart } from './filtered-lists.ts'
import type { IndexState } from './index-state.ts'
import type { OfferingCounts } from './offering-counts.ts'
import type { OfferingTable, ServiceType } from './offering-table.ts'
import type { RowOrder } from './posting-list.ts'
import type { StringTable } from './string-table.ts'

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
  readonly serviceType: readonly ServiceTypeCount[]
  /** Case-insensitive, in the most frequent spelling. */
  readonly specialty: readonly ValueCount[]
  /** Days on which slots start, ascending. */
  readonly day: readonly DayCount[]
  /** How many slots the values have in sum that are left out, because there are too many of them. */
  readonly others: Readonly<Record<'state' | 'serviceType' | 'specialty' | 'day', number>>
}

/** Maximum number of values of a facet; for days see `DAYS_MAX`. */
export const VALUES_MAX = 100

/** The facets of a part of a list, from the counts of its offerings. */
export function* countFacets(
  { rows, offerings }: IndexState,
  part: ListPart,
  counted: OfferingCounts,
  calendar: Calendar,
): Steps<FacetCounts> {
  const { serviceTypes, serviceTypeOf, specialties, specialtyOf } = offerings.terms
  const buckets = yield* sumByBucket(offerings, counted)
  const state = mostOf(yield* groupTerms(stateTerms(buckets)), VALUES_MAX)
  const serviceType = mostOf(
    yield* groupTerms(serviceTypeTerms(serviceTypes, yield* sumBy(serviceTypeOf, serviceTypes.end, counted))),
    VALUES_MAX,
  )
  const specialty = mostOf(
    yield* groupTerms(specialtyTerms(specialties, yield* sumBy(specialtyOf, specialties.end, counted))),
    VALUES_MAX,
  )
  const { days, later } = yield* countDays(part, rows, calendar)
  return {
    total: counted.total,
    state: state.most.map(({ key: value, count }) => ({ value, count })),
    isVirtual: {
      true: buckets[bucketFor({ isVirtual: true })],
      false: buckets[bucketFor({ isVirtual: false })],
    },
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

/** Sums the counts by a column's numbers. */
function* sumBy(column: Uint32Array, end: number, { offerings, counts }: OfferingCounts): Steps<Uint32Array> {
  const sums = new Uint32Array(end)
  for (let n = 0; n < offerings.length; n++) {
    sums[column[offerings[n]]] += counts[n]
    if ((n & STEP_MASK) === 0) yield
  }
  return sums
}

function* sumByBucket({ buckets }: OfferingTable, { offerings, counts }: OfferingCounts): Steps<Uint32Array> {
  const sums = new Uint32Array(BUCKETS_END)
  for (let n = 0; n < offerings.length; n++) {
    for (const bucket of buckets[offerings[n]]) sums[bucket] += counts[n]
    if ((n & STEP_MASK) === 0) yield
  }
  return sums
}

/** Counts by state, in any mode. */
function* stateTerms(buckets: Uint32Array): Generator<Term> {
  const groups = [...buckets.keys()].filter((bucket) => buckets[bucket] > 0).map((bucket) => groupNumber(bucket, 0))
  for (const [state, bucket] of bucketsByState(groups, {})) {
    if (state !== undefined) yield { key: state, count: buckets[bucket] }
  }
}

/** Leaves out service types without a code, which cannot be filtered by. */
function* serviceTypeTerms(texts: StringTable, sums: Uint32Array): Generator<Term> {
  for (let number = 1; number < sums.length; number++) {
    if (sums[number] === 0) continue
    const { code, display }: ServiceType = JSON.parse(texts.textOf(number))
    if (code !== undefined) yield { key: code, text: display, count: sums[number] }
  }
}

function* specialtyTerms(texts: StringTable, sums: Uint32Array): Generator<Term> {
  for (let number = 1; number < sums.length; number++) {
    if (sums[number] === 0) continue
    const text = texts.textOf(number)
    yield { key: text.toLowerCase(), text, count: sums[number] }
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
  const groups = new Map<string, { key: string; text: string | undefined; texts: number; count: number }>()
  let seen = 0
  for (const { key, text, count } of terms) {
    if ((seen++ & TERM_STEP_MASK) === 0) yield
    const group = groups.get(key) ?? { key, text: undefined, texts: 0, count: 0 }
    groups.set(key, group)
    group.count += count
    if (text === undefined || count < group.texts) continue
    if (count === group.texts && group.text !== undefined && group.text < text) continue
    group.text = text
    group.texts = count
  }
  return [...groups.values()].map(({ key, text, count }) => ({ key, text, count }))
}

/** The `max` largest terms by descending count, then by key, and the summed count of the others. */
export function mostOf(terms: readonly Term[], max: number): { most: Term[]; others: number } {
  const sorted = terms.toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
  const others = sorted.slice(max).reduce((sum, { count }) => sum + count, 0)
  return { most: sorted.slice(0, max), others }
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
 * Counts the slots of a part, which is sorted by start, for the first `DAYS_MAX` days that have any, and the rest as
 * `later`. One binary search per day.
 */
export function* countDays(
  { list, from, to }: ListPart,
  order: RowOrder,
  calendar: Calendar,
): Steps<{ days: DayCount[]; later: number }> {
  const days: DayCount[] = []
  let position = from
  while (position < to && days.length < DAYS_MAX) {
    const { date, endMs } = calendar(order.startOf(list.at(position) as number))
    const end = Math.min(list.countBefore(endMs, order), to)
    days.push({ date, count: end - position })
    position = end
    yield
  }
  return { days, later: to - position }
}
