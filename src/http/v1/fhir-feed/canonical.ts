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
