/** Slot.status of FHIR R4 without `entered-in-error`, which is never stored. Stored numbers depend on the order: append only. */
export const SLOT_STATUSES = ['free', 'busy', 'busy-unavailable', 'busy-tentative'] as const
export type SlotStatus = (typeof SLOT_STATUSES)[number]

export type Modality = 'in-person' | 'virtual'

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
  readonly offering: Offering
}

/**
 * The fields that many slots share: provider, service, location and service mode. A connector uses the same object for all slots that
 * share it, so that it is encoded and stored once.
 */
export interface Offering {
  /** The slug of the source. */
  readonly publisher: string
  readonly scheduleId: string
  readonly serviceTypeCode?: string
  readonly serviceTypeText?: string
  readonly appointmentType?: string
  readonly acceptingPatients?: AcceptingPatients
  /** From the Slot resource; the same for all slots of a schedule. */
  readonly bookingPhone?: string
  /** True if and only if it can be attended virtually; false if the source does not specify. */
  readonly isVirtual: boolean
  /** All service modes, `in-person` first. Absent if the source does not specify any. */
  readonly modalities?: readonly Modality[]
  readonly location?: Location
  /** Two-letter codes in alphabetical order: the licensed states beside the state of the location. */
  readonly serviceStates?: readonly string[]
  readonly provider?: Provider
}

export interface Location {
  readonly name?: string
  readonly phone?: readonly string[]
  readonly website?: readonly string[]
  readonly addressLine?: readonly string[]
  readonly city?: string
  /** Two-letter code. */
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
  return json
}

/** The shared fields, as the rest of that object: `,"publisher":"…",…}`. */
export function encodeOffering(offering: Offering): string {
  return `,${JSON.stringify(offering).slice(1)}`
}
