// Hot path

import { STEP_MASK, type Steps } from '../../lib/steps.ts'
import { FILTER_PARAMETERS, type SuggestedFilter } from '../../slot/filter-parameters.ts'
import { filterValuesOf } from '../../slot/filter-values.ts'
import { cityKey } from '../../slot/place-keys.ts'
import type { Offering } from '../../slot/slot.ts'
import type { OfferingTable } from '../offerings/offering-table.ts'
import { term } from '../offerings/term-names.ts'
import { sumOfferings } from './column-sums.ts'
import { groupTerms, mostOf, serviceTypeTerms, specialtyTerms, type Term } from './facet-counts.ts'
import type { OfferingCounts } from './offering-counts.ts'

/** A value of a filter with its number of slots. */
export interface SuggestedValue {
  readonly value: string
  /** For people, if the value alone says little. */
  readonly label?: string
  readonly count: number
}

/** The values with the most slots first. */
export interface Suggestions {
  readonly values: readonly SuggestedValue[]
  /** More values match than are listed. */
  readonly hasMore: boolean
  /** Only a part of the slots was read, because they are too many for a filter without posting lists. */
  readonly isPartial: boolean
}

/** Maximum number of values. */
const SUGGESTIONS_MAX = 20
/** Offerings that are parsed for one answer: some 100 ms in slices. */
const PARSED_MAX = 10_000
/** An offering is parsed in some 10 microseconds. */
const PARSED_PER_STEP = 16

/** Counts the values of a filter among matching slots. Keeps those with a word that begins with the text, in any case. */
export function* countValues(
  table: OfferingTable,
  counted: OfferingCounts,
  filter: SuggestedFilter,
  text: string,
): Steps<Suggestions> {
  const { read, isPartial } = yield* termsFor(table, counted, filter)
  const terms = yield* groupTerms(acceptedTerms(read, filter))
  const wanted = cityKey(text)
  const found = wanted === '' ? terms : yield* matchingTerms(terms, wanted)
  const { most, others } = yield* mostOf(found, SUGGESTIONS_MAX)
  return { values: most.map((one) => suggestionOf(table, filter, one)), hasMore: others > 0, isPartial }
}

/** Without those that cannot be filtered by. */
function* acceptedTerms(terms: Iterable<Term>, filter: SuggestedFilter): Generator<Term> {
  for (const one of terms) if (FILTER_PARAMETERS[filter].accepts(one.key)) yield one
}

/** The spelling is the value of what is found in any case. */
function suggestionOf(table: OfferingTable, filter: SuggestedFilter, { key, text, count }: Term): SuggestedValue {
  if (filter === 'city') return { value: spellingOf(table, key), count }
  if (filter === 'specialty') return { value: text ?? key, count }
  return { value: key, ...(text !== undefined && text !== key && { label: text }), count }
}

/** A city as its first offering spells it. */
function spellingOf(table: OfferingTable, key: string): string {
  const [first] = table.withTerm(table.terms.find(term.city(key)) ?? 0).flatMap((list) => [...list.subarray(0, 1)])
  return (first === undefined ? undefined : table.offeringOf(first).location?.city) ?? key
}

function* matchingTerms(terms: readonly Term[], wanted: string): Steps<Term[]> {
  const found: Term[] = []
  for (const [n, one] of terms.entries()) {
    if (n % MATCHED_PER_STEP === 0) yield
    if (matches(one, wanted)) found.push(one)
  }
  return found
}

/** Some 100 microseconds. */
const MATCHED_PER_STEP = 64

function matches({ key, text = '' }: Term, wanted: string): boolean {
  return [key, text].some((one) => {
    const folded = cityKey(one)
    return folded.startsWith(wanted) || WORD_STARTS.some((before) => folded.includes(before + wanted))
  })
}

const WORD_STARTS = [' ', '-', '(', '/']

/** The terms that were read, and whether of some offerings only: see `Suggestions`. */
interface ReadTerms {
  readonly read: Iterable<Term>
  readonly isPartial: boolean
}

function* termsFor(table: OfferingTable, counted: OfferingCounts, filter: SuggestedFilter): Steps<ReadTerms> {
  if (isParsed(filter)) return yield* parsedTerms(table, counted, PARSED[filter])
  return { read: yield* columnTerms(table, counted, filter), isPartial: false }
}

function* columnTerms(table: OfferingTable, counted: OfferingCounts, filter: ColumnFilter): Steps<Iterable<Term>> {
  if (filter === 'serviceTypeCode')
    return serviceTypeTerms(table.serviceTypes, (yield* sumOfferings(table, counted)).serviceTypes)
  if (filter === 'specialty')
    return specialtyTerms(table.specialties, (yield* sumOfferings(table, counted)).specialties)
  return namedTerms(table, yield* sumTerms(table, counted), filter)
}

/** Number of slots by term. */
function* sumTerms(table: OfferingTable, counted: OfferingCounts): Steps<Uint32Array> {
  const { terms, ends, termsEnd } = table.groups
  const sums = new Uint32Array(termsEnd)
  for (const { length, offerings, counts } of counted.blocks()) {
    for (let n = 0; n < length; n++) {
      if ((n & STEP_MASK) === 0) yield
      const offering = offerings[n]
      for (let at = offering === 0 ? 0 : ends[offering - 1]; at < ends[offering]; at++) sums[terms[at]] += counts[n]
    }
  }
  return sums
}

function* namedTerms(
  table: OfferingTable,
  sums: Uint32Array,
  filter: 'city' | 'appointmentType' | 'publisher',
): Generator<Term> {
  const prefix = term[filter]('')
  for (let number = 1; number < sums.length; number++) {
    if (sums[number] === 0) continue
    const name = table.terms.textOf(number)
    if (!name.startsWith(prefix)) continue
    yield { key: name.slice(prefix.length), count: sums[number] }
  }
}

/** Filters without posting lists, with the values of an offering. */
const PARSED = {
  scheduleId: (offering) => [{ key: offering.scheduleId, text: personAt(offering) }],
  actorKey: (offering) => [{ key: filterValuesOf(offering).actorKey, text: personAt(offering) }],
  providerNpi: (offering) =>
    filterValuesOf(offering).npis.map((key) => ({
      key,
      text: key === offering.provider?.npi ? offering.provider.name : undefined,
    })),
  language: (offering) => filterValuesOf(offering).languages.map((key) => ({ key })),
} as const satisfies Partial<Record<SuggestedFilter, (offering: Offering) => Omit<Term, 'count'>[]>>

type ParsedFilter = keyof typeof PARSED
type ColumnFilter = Exclude<SuggestedFilter, ParsedFilter>

function isParsed(filter: SuggestedFilter): filter is ParsedFilter {
  return filter in PARSED
}

function* parsedTerms(
  table: OfferingTable,
  counted: OfferingCounts,
  termsOf: (offering: Offering) => readonly Omit<Term, 'count'>[],
): Steps<ReadTerms> {
  const read: Term[] = []
  let parsed = 0
  for (const { length, offerings, counts } of counted.blocks()) {
    for (let n = 0; n < length; n++) {
      if (parsed === PARSED_MAX) return { read, isPartial: true }
      if (parsed++ % PARSED_PER_STEP === 0) yield
      for (const one of termsOf(table.offeringOf(offerings[n]))) read.push({ ...one, count: counts[n] })
    }
  }
  return { read, isPartial: false }
}

/** `Dr. Ada Lind · Fernwood Clinic, Boston`. */
function personAt({ provider, location }: Offering): string | undefined {
  const place = [location?.name, location?.city].filter((one) => one !== undefined)
  const label = [provider?.name, place.join(', ')].filter((one) => one !== undefined && one !== '').join(' · ')
  return label === '' ? undefined : label
}
