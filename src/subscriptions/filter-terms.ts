import type { FilterValues } from '../slot/filter-values.ts'
import { cityKey } from '../slot/place-keys.ts'
import type { SlotFilters } from '../slot/slot-filters.ts'
import { cellsAt, cellsCovering } from './geo-cells.ts'

/** A value by which filters are found, such as `city boston`; cells of a grid are numbers. */
export type FilterTerm = string | number

/** A condition of filters: a slot that matches has at least one of the terms. */
export interface IndexedCondition {
  readonly terms: readonly FilterTerm[]
  /** Further terms, of which it has at least one as well. */
  readonly within?: readonly FilterTerm[]
  /** The filters that every offering with these terms matches: they need no further test. */
  readonly implied: readonly (keyof SlotFilters)[]
}

/** A condition, and the estimated share of offerings that meet it. */
interface EstimatedCondition {
  readonly kind: TermKind | 'cell'
  readonly terms: readonly FilterTerm[]
  readonly share: number
}

/** Estimated shares of the offerings that have one value; only their order matters. */
const SHARES = {
  identifier: 1e-6,
  schedule: 1e-5,
  actor: 1e-5,
  npi: 1e-5,
  city: 1e-3,
  specialty: 0.02,
  state: 0.03,
  serviceType: 0.05,
  publisher: 0.1,
  appointmentType: 0.1,
  language: 0.1,
  mode: 0.5,
} as const

type TermKind = keyof typeof SHARES | 'postal'

/** Terms of a pair: those of the state times the others. */
const PAIRS_MAX = 64

/**
 * The most selective condition of filters, together with the state if both are given; undefined without any. Identifiers stay alone: a
 * slot may have others than its offering.
 */
export function mostSelective(filters: SlotFilters): IndexedCondition | undefined {
  const [best, ...others] = conditionsOf(filters).sort((a, b) => a.share - b.share)
  if (best === undefined) return undefined
  const single = { terms: best.terms, implied: impliedBy(filters, best) }
  if (best.kind === 'identifier') return single
  const state = [best, ...others].find(({ kind }) => kind === 'state')
  const other = best === state ? others[0] : best
  if (state === undefined || other === undefined) return single
  if (state.terms.length * other.terms.length > PAIRS_MAX) return single
  return { terms: state.terms, within: other.terms, implied: impliedBy(filters, state, other) }
}

/** A cell contains more than the circle. A slot may have other states in person than virtually, so the two filters are tested together. */
function impliedBy(
  { states, isVirtual }: SlotFilters,
  ...conditions: readonly EstimatedCondition[]
): (keyof SlotFilters)[] {
  const kinds = conditions.map(({ kind }) => kind)
  const isPaired = states !== undefined && isVirtual !== undefined
  const certain = kinds.filter((kind) => !isPaired || (kind !== 'state' && kind !== 'mode'))
  return certain.flatMap((kind) => IMPLIED[kind] ?? [])
}

const IMPLIED: Readonly<Partial<Record<TermKind | 'cell', keyof SlotFilters>>> = {
  schedule: 'scheduleId',
  actor: 'actorKey',
  npi: 'providerNpi',
  city: 'city',
  specialty: 'specialty',
  state: 'states',
  serviceType: 'serviceTypeCodes',
  publisher: 'publishers',
  appointmentType: 'appointmentType',
  language: 'languages',
  mode: 'isVirtual',
  postal: 'postalCodePrefix',
}

function conditionsOf(filters: SlotFilters): EstimatedCondition[] {
  const { near, postalCodePrefix, city, specialty, isVirtual, states, publishers, languages } = filters
  const conditions: EstimatedCondition[] = []
  const add = (kind: keyof typeof SHARES, values: readonly string[] | undefined) => {
    if (values === undefined) return
    conditions.push({ kind, terms: values.map((value) => termOf(kind, value)), share: SHARES[kind] * values.length })
  }
  const one = (value: string | undefined) => (value === undefined ? undefined : [value])
  add('identifier', filters.identifiers)
  add('schedule', one(filters.scheduleId))
  add('actor', one(filters.actorKey))
  add('npi', one(filters.providerNpi))
  add('city', one(city === undefined ? undefined : cityKey(city)))
  add('specialty', one(specialty?.toLowerCase()))
  add('state', states)
  add('serviceType', filters.serviceTypeCodes)
  add('publisher', publishers)
  add('appointmentType', one(filters.appointmentType))
  add('language', languages)
  add('mode', one(isVirtual === undefined ? undefined : isVirtual ? 'virtual' : 'in-person'))
  if (postalCodePrefix !== undefined)
    conditions.push({
      kind: 'postal',
      terms: [termOf('postal', postalCodePrefix)],
      share: 0.2 ** postalCodePrefix.length,
    })
  if (near !== undefined)
    conditions.push({ kind: 'cell', terms: cellsCovering(near), share: (near.radiusKm / 1000) ** 2 })
  return conditions
}

/** All terms of an offering, those of its states apart: they may begin pairs. */
export function filterTermsOf(values: FilterValues): { states: readonly FilterTerm[]; others: readonly FilterTerm[] } {
  const others: FilterTerm[] = [
    ...values.identifiers.map(identifierTerm),
    termOf('schedule', values.scheduleId),
    termOf('actor', values.actorKey),
    ...values.npis.map((npi) => termOf('npi', npi)),
    ...values.specialties.map((specialty) => termOf('specialty', specialty)),
    ...values.serviceTypeCodes.map((code) => termOf('serviceType', code)),
    termOf('publisher', values.publisher),
    ...values.appointmentTypes.map((type) => termOf('appointmentType', type)),
    ...new Set(values.languages.flatMap(languageTerms)),
    ...values.modes.map((mode) => termOf('mode', mode)),
    ...cellsAt(values.latitude, values.longitude),
  ]
  if (values.city !== undefined) others.push(termOf('city', values.city))
  const { postalCode } = values
  if (postalCode !== undefined)
    for (let length = 0; length <= Math.min(POSTAL_PREFIX_MAX, postalCode.length); length++)
      others.push(termOf('postal', postalCode.slice(0, length)))
  return { states: values.states.map((state) => termOf('state', state)), others }
}

/** The longest prefix that the filter allows. */
const POSTAL_PREFIX_MAX = 10

/** Of `system|value`. */
export function identifierTerm(name: string): FilterTerm {
  return termOf('identifier', name)
}

/** A tag and its beginnings: `es-mx` is found by `es`. */
function languageTerms(tag: string): FilterTerm[] {
  const terms = [termOf('language', tag)]
  for (let at = tag.indexOf('-'); at !== -1; at = tag.indexOf('-', at + 1))
    terms.push(termOf('language', tag.slice(0, at)))
  return terms
}

function termOf(kind: TermKind, value: string): FilterTerm {
  return `${kind} ${value}`
}
