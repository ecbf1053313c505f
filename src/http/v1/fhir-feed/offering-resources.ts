import { defined } from '../../../lib/optional.ts'
import { shortHash } from '../../../slot/ids.ts'
import type { Location, Offering } from '../../../slot/slot.ts'
import type { KnownSources } from '../../../slot-index/known-sources.ts'
import { SLOTS_PATH } from '../list-slots/list-slots.ts'

/** The resource types beside Slot. */
export const DIRECTORY_TYPES = ['Location', 'Schedule', 'PractitionerRole', 'Practitioner'] as const
export type FeedDirectoryType = (typeof DIRECTORY_TYPES)[number]

/** A resource without `resourceType` and `meta`. */
export interface Resource {
  readonly id: string
  readonly [element: string]: unknown
}

/**
 * An offering as FHIR resources of one type. Reading them restores the offering, except for what each Slot resource has itself
 * (appointment type, patients, booking phone). Ids are hashes of the content, so equal resources share an id and a reference never
 * changes its meaning.
 */
export function resourcesOf(offering: Offering, type: FeedDirectoryType): readonly Resource[] {
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

/** A physical location, a virtual one, or both. The slots state the service mode of a physical location that is virtual only. */
function locationsOf(offering: Offering): readonly Resource[] {
  const { location, modalities = [] } = offering
  const locations: Resource[] = []
  if (location !== undefined || modalities.includes('in-person')) locations.push(physicalLocation(offering))
  if (modalities.includes('virtual') && !isVirtualOnlyAtLocation(offering)) locations.push(virtualLocation(offering))
  return locations
}

/** FHIR locations cannot express this: a physical location implies in-person service. */
export function isVirtualOnlyAtLocation({ location, modalities = [] }: Offering): boolean {
  return location !== undefined && modalities.length > 0 && !modalities.includes('in-person')
}

function physicalLocation(offering: Offering): Resource {
  const { location = {}, serviceStates = [] } = offering
  return {
    id: idOf('Location', offering, ['ph', location, serviceStates]),
    ...defined({ name: location.name, telecom: nonEmpty(telecomOf(location)), address: addressOf(location) }),
    physicalType: physicalType('ph'),
    ...defined({ position: positionOf(location), extension: nonEmpty(licensesOf(serviceStates)) }),
  }
}

/** The licensed states are on the physical location if there is one. */
function virtualLocation(offering: Offering): Resource {
  const { modalities = [], serviceStates = [] } = offering
  const licenses = modalities.includes('in-person') ? [] : serviceStates
  return {
    id: idOf('Location', offering, ['vi', licenses]),
    physicalType: physicalType('vi'),
    ...defined({ extension: nonEmpty(licensesOf(licenses)) }),
  }
}

function physicalType(code: 'ph' | 'vi'): unknown {
  return { coding: [{ system: PHYSICAL_TYPE, code }] }
}

function telecomOf({ phone = [], website = [] }: Location): unknown[] {
  return [...phone.map((value) => ({ system: 'phone', value })), ...website.map((value) => ({ system: 'url', value }))]
}

function addressOf({ addressLine: line, city, state, postalCode }: Location): unknown {
  const address = defined({ line, city, state, postalCode })
  return Object.keys(address).length > 0 ? address : undefined
}

function positionOf({ latitude, longitude }: Location): unknown {
  return latitude === undefined || longitude === undefined ? undefined : { longitude, latitude }
}

function licensesOf(states: readonly string[]): unknown[] {
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
    ...defined({
      serviceType: coding === undefined && text === undefined ? undefined : [defined({ coding, text })],
      actor: nonEmpty(actors),
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
      ...defined({
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
      ...defined({
        identifier: npi === undefined ? undefined : [{ system: NPI, value: npi }],
        name: name === undefined ? undefined : [{ text: name }],
      }),
    },
  ]
}

/** Ids differ between publishers, because each resource names its publisher. */
function idOf(type: FeedDirectoryType, { publisher }: Offering, content: unknown): string {
  return shortHash(JSON.stringify([type, publisher, content]))
}

function nonEmpty<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length > 0 ? values : undefined
}

// Canonical URLs of FHIR and of the implementation guide SMART Scheduling Links (HL7, STU1).

const GUIDE = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition'

export const BOOKING_DEEP_LINK = `${GUIDE}/booking-deep-link`
export const BOOKING_PHONE = `${GUIDE}/booking-phone`
export const PATIENT_TYPE = `${GUIDE}/patient-type`
export const LICENSED_STATES = `${GUIDE}/licensed-states`

/** From the specification of 2021; the guide has no extension for this. */
export const SLOT_CAPACITY = 'http://fhir-registry.smarthealthit.org/StructureDefinition/slot-capacity'

/** A FHIR extension of `meta`. */
export const LAST_SOURCE_SYNC = 'http://hl7.org/fhir/StructureDefinition/lastSourceSync'

export const ACCEPTING_PATIENTS = 'http://terminology.hl7.org/CodeSystem/accepting-patients'
export const PHYSICAL_TYPE = 'http://terminology.hl7.org/CodeSystem/location-physical-type'
export const NPI = 'http://hl7.org/fhir/sid/us-npi'

/** The provenance of resources: their publisher and its last sync. */
export class FeedProvenance {
  readonly #baseUrl: string
  readonly #sources: KnownSources

  constructor(baseUrl: string, sources: KnownSources) {
    this.#baseUrl = baseUrl
    this.#sources = sources
  }

  /** A URI that identifies the publisher and resolves to its slots. */
  sourceOf(publisher: string): string {
    return `${this.#baseUrl}${SLOTS_PATH}?publisher=${encodeURIComponent(publisher)}`
  }

  /** `meta` of a directory resource: the publisher and its last sync. */
  metaOf(publisher: string): unknown {
    const syncedAtMs = this.#sources.find(publisher)?.lastCheckedAtMs
    const source = this.sourceOf(publisher)
    if (syncedAtMs === undefined) return { source }
    const valueDateTime = new Date(syncedAtMs).toISOString()
    return { extension: [{ url: LAST_SOURCE_SYNC, valueDateTime }], source }
  }

  /** The canonical URL of this service's extension for the service mode of a slot. */
  get channelUrl(): string {
    return `${this.#baseUrl}/fhir/StructureDefinition/channel`
  }
}
