/** Slot.status of FHIR R4, less `entered-in-error`, which is never held. The order is part of stored numbers: append only. */
export const SLOT_STATUSES = ['free', 'busy', 'busy-unavailable', 'busy-tentative'] as const
export type SlotStatus = (typeof SLOT_STATUSES)[number]

export type Modality = 'in-person' | 'virtual'

/** The SMART extension `patient-type`, less `nopt`, which is never held. */
export type AcceptingPatients = 'newpt' | 'existptonly' | 'existptfam'

/**
 * One bookable time as its source publishes it. A key is absent when the source does not say it.
 *
 * What belongs to this time alone stands here; what it shares with its neighbours stands once in `offering`.
 */
export interface Slot {
  /** 24 characters of base32hex, stable across syncs: see `slotId()`. */
  readonly id: string
  readonly status: SlotStatus
  /** RFC 3339, the source's own offset kept. */
  readonly start: string
  readonly end: string
  /** The same two instants in milliseconds since 1970-01-01T00:00:00Z; `endMs` is never before `startMs`. */
  readonly startMs: number
  readonly endMs: number
  /** An absolute http or https URL. */
  readonly bookingDeepLink?: string
  /** How many can book this time: an integer from 0. */
  readonly capacity?: number
  readonly offering: Offering
}

/**
 * What many slots share: who offers what, where, and how it can be attended.
 *
 * A connector hands out the same object for all slots that share it, so that it is encoded and stored once.
 */
export interface Offering {
  /** The slug of the source. */
  readonly publisher: string
  readonly scheduleId: string
  readonly serviceTypeCode?: string
  readonly serviceTypeText?: string
  readonly appointmentType?: string
  readonly acceptingPatients?: AcceptingPatients
  /** Said by each Slot, and the same for all that share a Schedule. */
  readonly bookingPhone?: string
  /** True if and only if it can be attended virtually; a source that says nothing means in person. */
  readonly isVirtual: boolean
  /** All ways to attend it, `in-person` first. Absent when no Location and no channel says anything. */
  readonly modalities?: readonly Modality[]
  readonly location?: Location
  /** Two-letter codes in alphabetical order: where the service is licensed beside its location's own state. */
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
