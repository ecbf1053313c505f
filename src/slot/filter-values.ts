import { defined } from '../lib/optional.ts'
import { GeoRadius } from './geo-radius.ts'
import { actorKeyOf } from './ids.ts'
import { cityKey, postalKey } from './place-keys.ts'
import type { AcceptingPatients, Coding, Identifier, Modality, Offering } from './slot.ts'
import type { SlotFilters } from './slot-filters.ts'

/** The values of an offering that filters test. */
export interface FilterValues {
  readonly publisher: string
  readonly scheduleId: string
  /** The licensed states, then that of the location, without duplicates. */
  readonly states: readonly string[]
  readonly modeStates?: NonNullable<Offering['details']>['modeStates']
  /** Never empty: in person if the publisher does not specify. */
  readonly modes: readonly Modality[]
  readonly serviceTypeCodes: readonly string[]
  /** Codes, and texts without a code. */
  readonly appointmentTypes: readonly string[]
  readonly acceptingPatients: AcceptingPatients | undefined
  /** See `cityKey()`. */
  readonly city: string | undefined
  /** Lower case, as is the next one. */
  readonly postalCode: string | undefined
  readonly specialties: readonly string[]
  readonly npis: readonly string[]
  /** Lower case. */
  readonly languages: readonly string[]
  /** `system|value` of the resources behind it; slots may have more. */
  readonly identifiers: readonly string[]
  /** See `actorKeyOf()`. */
  readonly actorKey: string
  /** Decimal degrees; both NaN if one is absent. */
  readonly latitude: number
  readonly longitude: number
}

/** Whether the slots of an offering match. */
export type Matcher = (values: FilterValues) => boolean

const MODES = {
  virtual: ['virtual'],
  inPerson: ['in-person'],
} as const satisfies Record<string, readonly Modality[]>

/** The states that find a slot: of its location and of its service; those of one way to attend it, if it has several. */
export function statesOf(
  { location, serviceStates, details }: Pick<Offering, 'location' | 'serviceStates' | 'details'>,
  mode?: 'in-person' | 'virtual',
): ReadonlySet<string> {
  const { modeStates } = details ?? {}
  if (mode !== undefined && modeStates !== undefined)
    return new Set(mode === 'virtual' ? modeStates.virtual : modeStates.inPerson)
  const states = new Set(serviceStates)
  if (location?.state !== undefined) states.add(location.state)
  return states
}

export function filterValuesOf(offering: Offering): FilterValues {
  const { location } = offering
  const { latitude, longitude } = location ?? {}
  const isPlaced = latitude !== undefined && longitude !== undefined
  return {
    publisher: offering.publisher,
    scheduleId: offering.scheduleId,
    states: [...statesOf(offering)],
    ...(offering.details?.modeStates && { modeStates: offering.details.modeStates }),
    modes: offering.modalities ?? (offering.isVirtual ? MODES.virtual : MODES.inPerson),
    serviceTypeCodes: codesOf(serviceTypesOf(offering)),
    appointmentTypes: appointmentTypesOf(offering),
    acceptingPatients: offering.acceptingPatients,
    city: location?.city === undefined ? undefined : cityKey(location.city),
    postalCode: location?.postalCode === undefined ? undefined : postalKey(location.postalCode),
    specialties: [...new Set(specialtiesOf(offering).map((text) => text.toLowerCase()))],
    npis: npisOf(offering),
    languages: languagesOf(offering),
    identifiers: identifiersOf(offering),
    actorKey: actorKeyOf(offering),
    latitude: isPlaced ? latitude : Number.NaN,
    longitude: isPlaced ? longitude : Number.NaN,
  }
}

/** All service types, the first one first. */
export function serviceTypesOf({ serviceTypes, serviceTypeCode, serviceTypeText }: Offering): readonly Coding[] {
  if (serviceTypes !== undefined) return serviceTypes
  if (serviceTypeCode === undefined && serviceTypeText === undefined) return NONE
  return [defined({ code: serviceTypeCode, display: serviceTypeText })]
}

/** All specialties as texts, the first one first. A specialty without a text has its code. */
export function specialtiesOf({ provider, details }: Offering): readonly string[] {
  const others = details?.specialties?.map(({ display, code }) => display ?? code) ?? NONE
  return distinct([provider?.specialty, ...others])
}

function appointmentTypesOf({ appointmentType, details }: Offering): readonly string[] {
  const others = details?.appointmentTypes?.map(({ code, display }) => code ?? display) ?? NONE
  return distinct([appointmentType, ...others])
}

function npisOf({ provider, details }: Offering): readonly string[] {
  if (details?.providers !== undefined) return distinct([provider, ...details.providers].map((one) => one?.npi))
  return provider?.npi === undefined ? NONE : [provider.npi]
}

function languagesOf({ details }: Offering): readonly string[] {
  return distinct(details?.languages?.map(({ code, display }) => (code ?? display)?.toLowerCase()) ?? NONE)
}

function identifiersOf({ details }: Offering): readonly string[] {
  const resources = Object.values(details?.resources ?? {}).flat()
  return identifierNamesOf(resources.flatMap(({ identifier }) => identifier ?? NONE))
}

/** `system|value` of each, without duplicates. */
export function identifierNamesOf(identifiers: readonly Identifier[]): readonly string[] {
  return distinct(identifiers.map(({ system = '', value }) => `${system}|${value}`))
}

function codesOf(codings: readonly Coding[]): readonly string[] {
  return distinct(codings.map(({ code }) => code))
}

function distinct(texts: readonly (string | undefined)[]): readonly string[] {
  return texts.length === 0 ? NONE : [...new Set(texts)].filter((text) => text !== undefined)
}

/** Shared, because most offerings have no details. */
const NONE: readonly never[] = []

/** Tests an offering against all filters on offerings; undefined without any. Status, times and durations belong to the slot. */
export function matcherOf(filters: SlotFilters): Matcher | undefined {
  const { states, isVirtual, near, publishers, serviceTypeCodes, appointmentType, acceptingPatients } = filters
  const { city, postalCodePrefix, specialty, providerNpi, languages, identifiers, scheduleId, actorKey } = filters
  const tests: Matcher[] = []
  if (actorKey !== undefined) tests.push((values) => values.actorKey === actorKey)
  if (providerNpi !== undefined) tests.push(({ npis }) => npis.includes(providerNpi))
  if (identifiers !== undefined) tests.push((values) => values.identifiers.some((one) => identifiers.includes(one)))
  if (languages !== undefined) {
    const isWanted = (tag: string) => languages.some((wanted) => tag === wanted || tag.startsWith(`${wanted}-`))
    tests.push((values) => values.languages.some(isWanted))
  }
  if (scheduleId !== undefined) tests.push((values) => values.scheduleId === scheduleId)
  if (publishers !== undefined) tests.push((values) => publishers.includes(values.publisher))
  if (city !== undefined) {
    const wanted = cityKey(city)
    tests.push((values) => values.city === wanted)
  }
  if (specialty !== undefined) {
    const wanted = specialty.toLowerCase()
    tests.push(({ specialties }) => specialties.includes(wanted))
  }
  if (postalCodePrefix !== undefined) tests.push(({ postalCode }) => postalCode?.startsWith(postalCodePrefix) ?? false)
  if (serviceTypeCodes !== undefined)
    tests.push((values) => values.serviceTypeCodes.some((code) => serviceTypeCodes.includes(code)))
  if (appointmentType !== undefined) tests.push(({ appointmentTypes }) => appointmentTypes.includes(appointmentType))
  if (acceptingPatients !== undefined)
    tests.push(({ acceptingPatients: accepted }) => accepted === undefined || accepted === acceptingPatients)
  if (isVirtual !== undefined) {
    const mode = isVirtual ? 'virtual' : 'in-person'
    tests.push((values) => values.modes.includes(mode))
  }
  if (states !== undefined) tests.push((values) => statesIn(values, isVirtual).some((state) => states.includes(state)))
  if (near !== undefined) {
    const radius = new GeoRadius(near)
    tests.push(({ latitude, longitude }) => radius.covers(latitude, longitude))
  }
  const [first] = tests
  return tests.length < 2 ? first : (values) => tests.every((test) => test(values))
}

export function statesIn({ states, modeStates }: FilterValues, isVirtual: boolean | undefined): readonly string[] {
  if (isVirtual === undefined || modeStates === undefined) return states
  return isVirtual ? modeStates.virtual : modeStates.inPerson
}
