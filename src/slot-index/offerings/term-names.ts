import { type FilterValues, statesIn } from '../../slot/filter-values.ts'
import type { AcceptingPatients } from '../../slot/slot.ts'

/**
 * The names of terms: values of offerings by which slots are filtered. Terms with posting lists answer a filter by themselves. A pair of
 * a state and another value answers two.
 */
export const term = {
  state: (state: string) => `S${state}`,
  /** Of slots without a state, so that they can be counted. */
  noState: 'S-',
  mode: (isVirtual: boolean) => (isVirtual ? 'Mv' : 'Mp'),
  city: (key: string) => `C${key}`,
  /** The first characters of a postal code, in lower case: as many as `POSTAL_LENGTHS` says, or all. */
  postalCode: (prefix: string) => `P${prefix}`,
  serviceType: (code: string) => `T${code}`,
  specialty: (text: string) => `X${text}`,
  appointmentType: (text: string) => `A${text}`,
  patients: (code: AcceptingPatients) => `N${code}`,
  publisher: (slug: string) => `B${slug}`,
  /** Of slots that last at least so many minutes: see `DURATION_STEPS`. */
  atLeast: (minutes: number) => `D${minutes}`,
  pair: (state: string, other: string) => `${state} ${other}`,
} as const

/** Whether a term is a state, a mode, or a pair of both. */
export function isPlaceTerm(name: string): boolean {
  return /^(?:S[^ ]+(?: M[vp])?|M[vp])$/.test(name)
}

/** The names of values that are too many for posting lists: offerings are looked up by them. */
export const lookup = {
  schedule: (id: string) => `s${id}`,
  actor: (key: string) => `a${key}`,
  npi: (npi: string) => `n${npi}`,
  /** A tag in lower case, or its beginning. */
  language: (tag: string) => `l${tag}`,
  identifier: (identifier: string) => `i${identifier}`,
} as const

/** Prefixes that are asked for most: three digits for a region, five for a place. */
export const POSTAL_LENGTHS: readonly number[] = [3, 5]

const PATIENTS: readonly AcceptingPatients[] = ['newpt', 'existptonly', 'existptfam']

/**
 * Durations in minutes that have terms: a bit per slot if many slots are as long. As durations are few, a term also answers for the
 * minutes between the next shorter duration and its own.
 */
export const DURATION_STEPS: readonly number[] = [15, 20, 30, 45, 60]

/** Those that are asked for most are paired with states, too: another two bytes per slot that is as long, at most. */
const PAIRED_DURATIONS = new Set([30, 60].map(term.atLeast))

export function isPairedDuration(name: string): boolean {
  return PAIRED_DURATIONS.has(name)
}

/** The terms of the duration of an offering's slots, and pairs of them with its states. */
export function durationTermsOf(minutes: number, states: readonly string[]): string[] {
  const own = DURATION_STEPS.filter((step) => step <= minutes).map(term.atLeast)
  const paired = own.filter(isPairedDuration)
  return [...own, ...states.flatMap((state) => paired.map((name) => term.pair(term.state(state), name)))]
}

/** The terms of an offering that have posting lists apart from those of a duration, without duplicates. */
export function termsOf(values: FilterValues): string[] {
  const modes = ['virtual', 'in-person'] as const
  const paired = [
    ...modes.filter((mode) => values.modes.includes(mode)).map((mode) => term.mode(mode === 'virtual')),
    ...values.serviceTypeCodes.map(term.serviceType),
    ...values.specialties.map(term.specialty),
    ...values.appointmentTypes.map(term.appointmentType),
    // An offering that does not specify it matches every value.
    ...(values.acceptingPatients === undefined ? PATIENTS : [values.acceptingPatients]).map(term.patients),
  ]
  const states = values.states.length === 0 ? [term.noState] : values.states.map(term.state)
  const isOfMode = (state: string, other: string) =>
    !modes.some(
      (mode) => other === term.mode(mode === 'virtual') && !statesIn(values, mode === 'virtual').includes(state),
    )
  const pairs = values.states.flatMap((state) =>
    paired.filter((other) => isOfMode(state, other)).map((other) => term.pair(term.state(state), other)),
  )
  const city = values.city === undefined ? [] : [term.city(values.city)]
  const places = [...city, ...postalPrefixesOf(values.postalCode).map(term.postalCode)]
  return [...new Set([...states, ...paired, ...pairs, ...places, term.publisher(values.publisher)])]
}

function postalPrefixesOf(postalCode: string | undefined): string[] {
  if (postalCode === undefined) return []
  return [...POSTAL_LENGTHS.filter((length) => length < postalCode.length), postalCode.length].map((length) =>
    postalCode.slice(0, length),
  )
}

/** The values by which an offering is looked up. */
export function lookupsOf(values: FilterValues): string[] {
  return [
    lookup.schedule(values.scheduleId),
    lookup.actor(values.actorKey),
    ...values.npis.map(lookup.npi),
    ...values.languages.flatMap((tag) => prefixesOf(tag).map(lookup.language)),
    ...values.identifiers.map(lookup.identifier),
  ]
}

/** `es-mx` and `es` of `es-mx`. */
function prefixesOf(tag: string): string[] {
  const parts = tag.split('-')
  return parts.map((_, n) => parts.slice(0, n + 1).join('-'))
}
