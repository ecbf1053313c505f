import { shortHash } from '../../../slot/short-hash.ts'
import type { Location, Offering } from '../../../slot/slot.ts'
import { LICENSED_STATES, NPI, PHYSICAL_TYPE } from './canonical.ts'

/** What an offering becomes beside its slots. */
export const DIRECTORY_TYPES = ['Location', 'Schedule', 'PractitionerRole', 'Practitioner'] as const
export type DirectoryType = (typeof DIRECTORY_TYPES)[number]

/** A resource without `resourceType` and `meta`. */
export interface Resource {
  readonly id: string
  readonly [element: string]: unknown
}

/**
 * What an offering says, as resources: reading them gives the offering back, less what each slot says itself (appointment
 * type, patients, booking phone). Ids are hashes of the content, so what is equal has one id, and a reference never leads to
 * something else than it did.
 */
export function resourcesOf(offering: Offering, type: DirectoryType): readonly Resource[] {
  switch (type) {
    case 'Location':
      return locationsOf(offering)
    case 'Schedule':
      return [scheduleOf(offering)]
    case 'PractitionerRole':
      return roleOf(offering)
    case 'Practitioner':
      return practitionerOf(offering)
  }
}

export function scheduleIdOf(offering: Offering): string {
  const { appointmentType: _type, acceptingPatients: _patients, bookingPhone: _phone, ...shared } = offering
  return idOf('Schedule', offering, shared)
}

/**
 * A place to go to, and beside it, or alone, a virtual one. An offering at a place that can be attended virtually only is
 * told of by its slots: see `isVirtualAtPlace()`.
 */
function locationsOf(offering: Offering): readonly Resource[] {
  const { location, modalities = [] } = offering
  const places: Resource[] = []
  if (location !== undefined || modalities.includes('in-person')) places.push(physicalPlace(offering))
  if (modalities.includes('virtual') && !isVirtualAtPlace(offering)) places.push(virtualPlace(offering))
  return places
}

/** Locations alone could not say so: one that is a place means that one can go there. */
export function isVirtualAtPlace({ location, modalities = [] }: Offering): boolean {
  return location !== undefined && modalities.length > 0 && !modalities.includes('in-person')
}

function physicalPlace(offering: Offering): Resource {
  const { location = {}, serviceStates = [] } = offering
  return {
    id: idOf('Location', offering, ['ph', location, serviceStates]),
    ...said({ name: location.name, telecom: some(telecomOf(location)), address: addressOf(location) }),
    physicalType: physicalType('ph'),
    ...said({ position: positionOf(location), extension: some(licencesOf(serviceStates)) }),
  }
}

/** Licences stand where there is a place to go to, if there is one. */
function virtualPlace(offering: Offering): Resource {
  const { modalities = [], serviceStates = [] } = offering
  const licences = modalities.includes('in-person') ? [] : serviceStates
  return {
    id: idOf('Location', offering, ['vi', licences]),
    physicalType: physicalType('vi'),
    ...said({ extension: some(licencesOf(licences)) }),
  }
}

function physicalType(code: 'ph' | 'vi'): unknown {
  return { coding: [{ system: PHYSICAL_TYPE, code }] }
}

function telecomOf({ phone = [], website = [] }: Location): unknown[] {
  return [
    ...phone.map((value) => ({ system: 'phone', value })),
    ...website.map((value) => ({ system: 'url', value })),
  ]
}

function addressOf({ addressLine: line, city, state, postalCode }: Location): unknown {
  const address = said({ line, city, state, postalCode })
  return Object.keys(address).length > 0 ? address : undefined
}

function positionOf({ latitude, longitude }: Location): unknown {
  return latitude === undefined || longitude === undefined ? undefined : { longitude, latitude }
}

function licencesOf(states: readonly string[]): unknown[] {
  return states.map((state) => ({ url: LICENSED_STATES, valueString: state }))
}

function scheduleOf(offering: Offering): Resource {
  const { scheduleId, serviceTypeCode: code, serviceTypeText: text } = offering
  const coding = code === undefined ? undefined : [{ code }]
  const actors = [
    ...locationsOf(offering).map(({ id }) => ({ reference: `Location/${id}` })),
    ...roleOf(offering).map(({ id }) => ({ reference: `PractitionerRole/${id}` })),
  ]
  return {
    id: scheduleIdOf(offering),
    identifier: [{ value: scheduleId }],
    ...said({
      serviceType: coding === undefined && text === undefined ? undefined : [said({ coding, text })],
      actor: some(actors),
    }),
  }
}

function roleOf(offering: Offering): readonly Resource[] {
  const { provider } = offering
  if (provider === undefined) return []
  const { specialty: text } = provider
  const [practitioner] = practitionerOf(offering)
  return [
    {
      id: idOf('PractitionerRole', offering, provider),
      ...said({
        practitioner: practitioner && { reference: `Practitioner/${practitioner.id}` },
        specialty: text === undefined ? undefined : [{ text }],
      }),
    },
  ]
}

function practitionerOf(offering: Offering): readonly Resource[] {
  const { name, npi } = offering.provider ?? {}
  if (name === undefined && npi === undefined) return []
  return [
    {
      id: idOf('Practitioner', offering, [name ?? null, npi ?? null]),
      ...said({
        identifier: npi === undefined ? undefined : [{ system: NPI, value: npi }],
        name: name === undefined ? undefined : [{ text: name }],
      }),
    },
  ]
}

/** Publishers are kept apart, as each resource names its own. */
function idOf(type: DirectoryType, { publisher }: Offering, content: unknown): string {
  return shortHash(JSON.stringify([type, publisher, content]))
}

function some<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length > 0 ? values : undefined
}

function said(elements: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(elements).filter(([, value]) => value !== undefined))
}
