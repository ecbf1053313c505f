// Canonical URLs of FHIR and of the implementation guide SMART Scheduling Links (HL7, STU1).

const GUIDE = 'http://hl7.org/fhir/uv/smart-scheduling-links'

export const BOOKING_DEEP_LINK = `${GUIDE}/StructureDefinition/booking-deep-link`
export const BOOKING_PHONE = `${GUIDE}/StructureDefinition/booking-phone`
export const PATIENT_TYPE = `${GUIDE}/StructureDefinition/patient-type`
export const LICENSED_STATES = `${GUIDE}/StructureDefinition/licensed-states`
export const SCHEDULE_SPECIALTY = `${GUIDE}/StructureDefinition/schedule-specialty`
export const HAS_AVAILABILITY = `${GUIDE}/StructureDefinition/has-availability`

/** `Location.virtualService` of FHIR R5 as an extension of R4. */
export const VIRTUAL_SERVICE = 'http://hl7.org/fhir/5.0/StructureDefinition/extension-Location.virtualService'

/** A FHIR extension of `meta`. */
export const LAST_SOURCE_SYNC = 'http://hl7.org/fhir/StructureDefinition/lastSourceSync'

export const ACCEPTING_PATIENTS = 'http://terminology.hl7.org/CodeSystem/accepting-patients'
export const NPI = 'http://hl7.org/fhir/sid/us-npi'

const PHYSICAL_TYPE = 'http://terminology.hl7.org/CodeSystem/location-physical-type'

/** A Location without a place. */
export const VIRTUAL = { system: PHYSICAL_TYPE, code: 'vi', display: 'Virtual' } as const

/** FHIR's code system has no code for any physical place, so the guide defines one. */
export const PHYSICAL = { system: `${GUIDE}/CodeSystem/temporary`, code: 'ph', display: 'Physical' } as const

/** An element, or the `_name` of one, whose value the source does not provide. */
export const UNKNOWN = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
} as const
