import type { SourceResources } from './source-resources.ts'

/** Slot.status of FHIR R4 without `entered-in-error`, which is never stored. Stored numbers depend on the order: append only. */
export const SLOT_STATUSES = ['free', 'busy', 'busy-unavailable', 'busy-tentative'] as const
export type SlotStatus = (typeof SLOT_STATUSES)[number]

/** `phone` and `video` detail `virtual` and never occur without it. In the order in which a slot lists them. */
export const MODALITIES = ['in-person', 'virtual', 'phone', 'video'] as const
export type Modality = (typeof MODALITIES)[number]

/** The SMART extension `patient-type` without `nopt`, which is never stored. */
export type AcceptingPatients = 'newpt' | 'existptonly' | 'existptfam'

/**
 * An appointment slot as its source publishes it. Fields that the source does not provide are absent. Fields that many slots share are
 * in `offering`.
 */
export interface Slot {
  /** 24 characters of base32hex, stable across syncs: see `slotId()`. */
  readonly id: string
  readonly status: SlotStatus
  /** RFC 3339, with the UTC offset of the source. */
  readonly start: string
  readonly end: string
  /** The same two instants in milliseconds since 1970-01-01T00:00:00Z; `endMs` is never before `startMs`. */
  readonly startMs: number
  readonly endMs: number
  /** An absolute http or https URL. */
  readonly bookingDeepLink?: string
  /** Number of bookings that the slot can take: an integer from 0. */
  readonly capacity?: number
  /** Identifiers of the slot in systems of its source. */
  readonly identifier?: readonly Identifier[]
  readonly offering: Offering
}

/** A slot whose own fields are encoded, as stores keep it. `json`: see `encodeSlot()`. */
export interface EncodedSlot extends Pick<Slot, 'id' | 'status' | 'startMs' | 'endMs' | 'offering'> {
  readonly json: string
}

/**
 * The fields that many slots share: provider, service, location and service mode. A connector uses the same object for all slots that
 * share it, so that it is encoded and stored once.
 */
export interface Offering {
  /** The slug of the source. */
  readonly publisher: string
  readonly scheduleId: string
  /** Of the first service type. */
  readonly serviceTypeCode?: string
  readonly serviceTypeText?: string
  /** All service types, the first included. */
  readonly serviceTypes?: readonly Coding[]
  readonly appointmentType?: string
  readonly acceptingPatients?: AcceptingPatients
  /** From the Slot resource; the same for all slots of a schedule. */
  readonly bookingPhone?: string
  /** True if and only if it can be attended virtually; false if the source does not specify. */
  readonly isVirtual: boolean
  /** All service modes in the order of `MODALITIES`. Absent if the source does not specify any, or none that is understood. */
  readonly modalities?: readonly Modality[]
  readonly location?: Location
  /** Codes as in `Location.state`, in alphabetical order: where the service is offered beside the state of the location. */
  readonly serviceStates?: readonly string[]
  readonly provider?: Provider
  readonly details?: OfferingDetails
}

/** The details of an offering beyond the fields of a slot in `/v1`. Stored and filtered by; actors show a part of it. */
export interface OfferingDetails {
  /** All appointment types; `Offering.appointmentType` is the first. */
  readonly appointmentTypes?: readonly Coding[]
  /** All specialties; `Provider.specialty` is the first. */
  readonly specialties?: readonly Coding[]
  /** The providers besides `Offering.provider`. */
  readonly providers?: readonly Provider[]
  /** In which one can communicate: BCP 47. */
  readonly languages?: readonly Coding[]
  /** Of slots that can be attended both ways: the states of each way, if they differ. Together they are those of the offering. */
  readonly modeStates?: { readonly inPerson: readonly string[]; readonly virtual: readonly string[] }
  readonly resources?: SourceResources
}

/** The types of the FHIR resources that a slot is made of; others are not read. */
export const RESOURCE_TYPES = [
  'Slot',
  'Schedule',
  'Location',
  'PractitionerRole',
  'Practitioner',
  'HealthcareService',
] as const

/** The identity and the labels of a resource of a source. */
export interface ResourceDetails {
  /** The source's id of the resource. */
  readonly id?: string
  readonly identifier?: readonly Identifier[]
  /** `meta.tag` and `meta.security`. */
  readonly tag?: readonly Coding[]
  readonly security?: readonly Coding[]
  /** The extension `has-availability` of a Schedule: `some`, `none` or what the source says. */
  readonly availability?: string
}

/** A value that is unique in its system. */
export interface Identifier {
  /** URI of the naming system. */
  readonly system?: string
  readonly value: string
}

/** A code of a code system with its name; at least a code or a display. */
export interface Coding {
  /** URI of the code system. */
  readonly system?: string
  readonly code?: string
  readonly display?: string
}

/** A location that is virtual only has no address and no position. */
export interface Location {
  readonly name?: string
  readonly phone?: readonly string[]
  readonly website?: readonly string[]
  readonly addressLine?: readonly string[]
  readonly city?: string
  /** See `regionCode()`. */
  readonly state?: string
  readonly postalCode?: string
  readonly latitude?: number
  readonly longitude?: number
}

export interface Provider {
  readonly name?: string
  readonly specialty?: string
  /** National Provider Identifier: ten digits. */
  readonly npi?: string
}

/**
 * The slot's own fields as a JSON object without its closing brace: `{"id":"…","status":"free",…`. Together with
 * `encodeOffering(slot.offering)` it is the slot as `/v1` serves it.
 */
export function encodeSlot(slot: Slot): string {
  let json = `{"id":"${slot.id}","status":"${slot.status}","start":"${slot.start}","end":"${slot.end}"`
  if (slot.bookingDeepLink !== undefined) json += `,"bookingDeepLink":${JSON.stringify(slot.bookingDeepLink)}`
  if (slot.capacity !== undefined) json += `,"capacity":${slot.capacity}`
  if (slot.identifier !== undefined) json += `,"identifier":${JSON.stringify(slot.identifier)}`
  return json
}

/** The slot with its own fields encoded. */
export function encoded(slot: Slot): EncodedSlot {
  const { id, status, startMs, endMs, offering } = slot
  return { id, status, startMs, endMs, json: encodeSlot(slot), offering }
}

/** The id in what `encodeSlot()` returned. */
export function encodedId(json: string): string {
  return json.slice('{"id":"'.length, '{"id":"'.length + ID_LENGTH)
}

const ID_LENGTH = 24

/** The shared fields without details, as the rest of that object: `,"publisher":"…",…}`. */
export function encodeOffering({ details: _, ...served }: Offering): string {
  return `,${JSON.stringify(served).slice(1)}`
}
