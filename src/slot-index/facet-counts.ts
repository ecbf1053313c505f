// Hot path

import { BUCKETS_END, bucketFor, bucketsByState, groupNumber } from './buckets.ts'
import { type Calendar, countDays, type DayCount } from './day-counts.ts'
import type { ListPart } from './filtered-lists.ts'
import type { IndexState } from './index-state.ts'
import type { OfferingCounts } from './offering-counts.ts'
import type { OfferingTable } from './offering-table.ts'
import type { ServiceType } from './offering-terms.ts'
import type { StringTable } from './string-table.ts'
import { groupTerms, mostOf, type Term } from './term-groups.ts'

/** How many slots have a value. */
export interface ValueCount {
  readonly value: string
  readonly count: number
}

/** How many slots have a code; `display` is what most of them call it, absent if none does. */
export interface ServiceTypeCount {
  readonly code: string
  readonly display?: string
  readonly count: number
}

/** How matching slots are spread: values by descending count, then by value. Those that say nothing of a facet are not in it. */
export interface FacetCounts {
  readonly total: number
  /** A slot of several states counts in each. */
  readonly state: readonly ValueCount[]
  /** A slot that can be attended both ways counts in both. */
  readonly isVirtual: { readonly true: number; readonly false: number }
  readonly serviceType: readonly ServiceTypeCount[]
  /** Without regard to case, and written as most of them write it. */
  readonly specialty: readonly ValueCount[]
  /** Days on which slots begin, ascending, from the first. */
  readonly day: readonly DayCount[]
  /** How many slots the values have in sum that are left out, because there are too many of them. */
  readonly others: Readonly<Record<'state' | 'serviceType' | 'specialty' | 'day', number>>
}

/** How many values a facet has at most; days: see `DAYS_MAX`. */
export const VALUES_MAX = 100

/** The facets of a part of a list, whose offerings were counted. */
export function countFacets(
  { rows, offerings }: IndexState,
  part: ListPart,
  counted: OfferingCounts,
  calendar: Calendar,
): FacetCounts {
  const { serviceTypes, serviceTypeOf, specialties, specialtyOf } = offerings.terms
  const buckets = sumByBucket(offerings, counted)
  const state = mostOf(groupTerms(stateTerms(buckets)), VALUES_MAX)
  const serviceType = mostOf(
    groupTerms(serviceTypeTerms(serviceTypes, sumBy(serviceTypeOf, serviceTypes.end, counted))),
    VALUES_MAX,
  )
  const specialty = mostOf(
    groupTerms(specialtyTerms(specialties, sumBy(specialtyOf, specialties.end, counted))),
    VALUES_MAX,
  )
  const { days, later } = countDays(part, rows, calendar)
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

/** By the numbers that stand in a column. */
function sumBy(column: Uint32Array, end: number, { offerings, counts }: OfferingCounts): Uint32Array {
  const sums = new Uint32Array(end)
  for (let n = 0; n < offerings.length; n++) sums[column[offerings[n]]] += counts[n]
  return sums
}

function sumByBucket({ buckets }: OfferingTable, { offerings, counts }: OfferingCounts): Uint32Array {
  const sums = new Uint32Array(BUCKETS_END)
  for (let n = 0; n < offerings.length; n++) {
    for (const bucket of buckets[offerings[n]]) sums[bucket] += counts[n]
  }
  return sums
}

/** In any mode. */
function* stateTerms(buckets: Uint32Array): Generator<Term> {
  const groups = [...buckets.keys()]
    .filter((bucket) => buckets[bucket] > 0)
    .map((bucket) => groupNumber(bucket, 0))
  for (const [state, bucket] of bucketsByState(groups, {})) {
    if (state !== undefined) yield { key: state, count: buckets[bucket] }
  }
}

/** Without a code there is nothing to ask for. */
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
