// Hot path
import { actorKeyOf } from './actor-key.ts'
import { Circle } from './geo-radius.ts'
import type { AcceptingPatients, Modality, Offering } from './slot.ts'
import type { SlotFilters } from './slot-filters.ts'

/** What filters ask of an offering. */
export interface Traits {
  readonly publisher: string
  readonly scheduleId: string
  /** Where its service is licensed, then that of its location: each once. */
  readonly states: readonly string[]
  /** Never empty: who says nothing is there in person. */
  readonly modes: readonly Modality[]
  readonly serviceTypeCode: string | undefined
  readonly appointmentType: string | undefined
  readonly acceptingPatients: AcceptingPatients | undefined
  /** In lower case, as are the next two. */
  readonly city: string | undefined
  readonly postalCode: string | undefined
  readonly specialty: string | undefined
  readonly npi: string | undefined
  /** See `actorKeyOf()`. */
  readonly actorKey: string
  /** Decimal degrees; NaN, both, where one is absent. */
  readonly latitude: number
  readonly longitude: number
}

/** Whether an offering's slots match. */
export type Matcher = (traits: Traits) => boolean

const MODES = {
  virtual: ['virtual'],
  inPerson: ['in-person'],
} as const satisfies Record<string, readonly Modality[]>

export function traitsOf(offering: Offering): Traits {
  const { location, provider } = offering
  const { latitude, longitude } = location ?? {}
  const states = new Set(offering.serviceStates)
  if (location?.state !== undefined) states.add(location.state)
  const isPlaced = latitude !== undefined && longitude !== undefined
  return {
    publisher: offering.publisher,
    scheduleId: offering.scheduleId,
    states: [...states],
    modes: offering.modalities ?? (offering.isVirtual ? MODES.virtual : MODES.inPerson),
    serviceTypeCode: offering.serviceTypeCode,
    appointmentType: offering.appointmentType,
    acceptingPatients: offering.acceptingPatients,
    city: location?.city?.toLowerCase(),
    postalCode: location?.postalCode?.toLowerCase(),
    specialty: provider?.specialty?.toLowerCase(),
    npi: provider?.npi,
    actorKey: actorKeyOf(offering),
    latitude: isPlaced ? latitude : Number.NaN,
    longitude: isPlaced ? longitude : Number.NaN,
  }
}

/** What all filters together ask of an offering; undefined if they ask nothing. Status, times and durations are the slot's own. */
export function matcherOf(filters: SlotFilters): Matcher | undefined {
  const { states, isVirtual, near } = filters
  const tests = rareTests(filters)
  if (isVirtual !== undefined) {
    const mode = isVirtual ? 'virtual' : 'in-person'
    tests.push((traits) => traits.modes.includes(mode))
  }
  if (states !== undefined) tests.push(statesTest(states))
  if (near !== undefined) {
    const circle = new Circle(near)
    tests.push(({ latitude, longitude }) => circle.covers(latitude, longitude))
  }
  return allOf(tests)
}

/** The same of those filters alone for which the index has neither lists nor columns: all but states, mode and near. */
export function rareMatcherOf(filters: SlotFilters): Matcher | undefined {
  return allOf(rareTests(filters))
}

/** Whether an offering is in any of some states. */
export function statesTest(states: readonly string[]): Matcher {
  return (traits) => traits.states.some((state) => states.includes(state))
}

function rareTests(filters: SlotFilters): Matcher[] {
  const { publishers, serviceTypeCodes, appointmentType, acceptingPatients } = filters
  const { city, postalCodePrefix, specialty, providerNpi, scheduleId, actorKey } = filters
  const tests: Matcher[] = []
  if (actorKey !== undefined) tests.push((traits) => traits.actorKey === actorKey)
  if (providerNpi !== undefined) tests.push((traits) => traits.npi === providerNpi)
  if (scheduleId !== undefined) tests.push((traits) => traits.scheduleId === scheduleId)
  if (publishers !== undefined) tests.push((traits) => publishers.includes(traits.publisher))
  if (city !== undefined) tests.push(equalTo('city', city))
  if (specialty !== undefined) tests.push(equalTo('specialty', specialty))
  if (postalCodePrefix !== undefined) {
    const prefix = postalCodePrefix.toLowerCase()
    tests.push(({ postalCode }) => postalCode?.startsWith(prefix) ?? false)
  }
  if (serviceTypeCodes !== undefined)
    tests.push(({ serviceTypeCode: code }) => code !== undefined && serviceTypeCodes.includes(code))
  if (appointmentType !== undefined) tests.push((traits) => traits.appointmentType === appointmentType)
  if (acceptingPatients !== undefined)
    tests.push(({ acceptingPatients: said }) => said === undefined || said === acceptingPatients)
  return tests
}

function equalTo(trait: 'city' | 'specialty', value: string): Matcher {
  const wanted = value.toLowerCase()
  return (traits) => traits[trait] === wanted
}

function allOf(tests: readonly Matcher[]): Matcher | undefined {
  const [first] = tests
  if (tests.length < 2) return first
  return (traits) => tests.every((test) => test(traits))
}
