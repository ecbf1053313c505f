import { GeoRadius } from './geo-radius.ts'
import { actorKeyOf } from './ids.ts'
import type { AcceptingPatients, Modality, Offering } from './slot.ts'
import type { SlotFilters } from './slot-filters.ts'

/** The values of an offering that filters test. */
export interface FilterValues {
  readonly publisher: string
  readonly scheduleId: string
  /** The licensed states, then that of the location, without duplicates. */
  readonly states: readonly string[]
  /** Never empty: in person if the publisher does not specify. */
  readonly modes: readonly Modality[]
  readonly serviceTypeCode: string | undefined
  readonly appointmentType: string | undefined
  readonly acceptingPatients: AcceptingPatients | undefined
  /** Lower case, as are the next two. */
  readonly city: string | undefined
  readonly postalCode: string | undefined
  readonly specialty: string | undefined
  readonly npi: string | undefined
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

export function filterValuesOf(offering: Offering): FilterValues {
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

/** Tests an offering against all filters on offerings; undefined without any. Status, times and durations belong to the slot. */
export function matcherOf(filters: SlotFilters): Matcher | undefined {
  const { states, isVirtual, near, publishers, serviceTypeCodes, appointmentType, acceptingPatients } = filters
  const { city, postalCodePrefix, specialty, providerNpi, scheduleId, actorKey } = filters
  const tests: Matcher[] = []
  if (actorKey !== undefined) tests.push((values) => values.actorKey === actorKey)
  if (providerNpi !== undefined) tests.push((values) => values.npi === providerNpi)
  if (scheduleId !== undefined) tests.push((values) => values.scheduleId === scheduleId)
  if (publishers !== undefined) tests.push((values) => publishers.includes(values.publisher))
  if (city !== undefined) tests.push(equalTo('city', city))
  if (specialty !== undefined) tests.push(equalTo('specialty', specialty))
  if (postalCodePrefix !== undefined) {
    const prefix = postalCodePrefix.toLowerCase()
    tests.push(({ postalCode }) => postalCode?.startsWith(prefix) ?? false)
  }
  if (serviceTypeCodes !== undefined)
    tests.push(({ serviceTypeCode: code }) => code !== undefined && serviceTypeCodes.includes(code))
  if (appointmentType !== undefined) tests.push((values) => values.appointmentType === appointmentType)
  if (acceptingPatients !== undefined)
    tests.push(({ acceptingPatients: accepted }) => accepted === undefined || accepted === acceptingPatients)
  if (isVirtual !== undefined) {
    const mode = isVirtual ? 'virtual' : 'in-person'
    tests.push((values) => values.modes.includes(mode))
  }
  if (states !== undefined) tests.push((values) => values.states.some((state) => states.includes(state)))
  if (near !== undefined) {
    const radius = new GeoRadius(near)
    tests.push(({ latitude, longitude }) => radius.covers(latitude, longitude))
  }
  const [first] = tests
  return tests.length < 2 ? first : (values) => tests.every((test) => test(values))
}

function equalTo(name: 'city' | 'specialty', value: string): Matcher {
  const wanted = value.toLowerCase()
  return (values) => values[name] === wanted
}
