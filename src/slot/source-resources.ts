import type { Coding, Identifier, Location, ResourceDetails } from './slot.ts'

/** The resources behind an offering by type. The first of each is the one whose fields are served. They refer to each other by position. */
export interface SourceResources {
  readonly Slot?: readonly ResourceDetails[]
  readonly Schedule?: readonly ScheduleDetails[]
  readonly Location?: readonly LocationDetails[]
  readonly PractitionerRole?: readonly RoleDetails[]
  readonly Practitioner?: readonly PractitionerDetails[]
  readonly HealthcareService?: readonly ServiceDetails[]
}

export interface ScheduleDetails extends ResourceDetails {
  /** Absent if only the identity of the resources is known. */
  readonly actors?: Actors
}

/** Positions in the lists of resources. A Practitioner who is an actor is in a role without other data. */
export interface Actors {
  readonly Location?: readonly number[]
  readonly PractitionerRole?: readonly number[]
  readonly HealthcareService?: readonly number[]
}

export interface LocationDetails extends ResourceDetails {
  readonly location?: Location
  readonly physicalType?: readonly Coding[]
  readonly licensedStates?: readonly string[]
  /** Those of its web addresses that are video visits. */
  readonly virtualService?: readonly string[]
}

export interface RoleDetails extends ResourceDetails {
  /** No longer active; its Locations and services still count. */
  readonly isFormer?: true
  readonly practitioner?: number
  /** The display text of the reference to the practitioner, if that is not in the feed. */
  readonly practitionerName?: string
  readonly organization?: StatedOrganization
  readonly specialty?: StatedConcept
  readonly locations?: readonly number[]
  readonly services?: readonly number[]
}

export interface PractitionerDetails extends ResourceDetails {
  readonly isFormer?: true
  readonly name?: string
  readonly languages?: readonly Coding[]
}

export interface ServiceDetails extends ResourceDetails {
  readonly name?: string
  readonly organization?: StatedOrganization
  readonly type?: StatedConcept
  readonly specialty?: StatedConcept
  readonly locations?: readonly number[]
  readonly languages?: readonly Coding[]
}

/** Organizations themselves are not read. */
export interface StatedOrganization {
  /** The source's id of the Organization. */
  readonly id?: string
  readonly identifier?: Identifier
  readonly display?: string
}

/** One or several concepts: all codings, and the words for the first one. */
export interface StatedConcept {
  readonly codings: readonly Coding[]
  readonly text?: string
}
