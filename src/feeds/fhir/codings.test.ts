import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../lib/json.ts'
import { filterValuesOf, matcherOf } from '../../slot/filter-values.ts'
import type { Offering } from '../../slot/slot.ts'
import type { SlotFilters } from '../../slot/slot-filters.ts'
import { Directory } from './directory.ts'
import { readSlot } from './read-slot.ts'
import type { DirectoryResourceType } from './resources.ts'

const GENERAL = {
  system: 'http://terminology.hl7.org/CodeSystem/service-type',
  code: '124',
  display: 'General Practice',
}
const SNOMED = { system: 'http://snomed.info/sct', code: '788007007', display: 'General practice service' }
const IMMUNIZATION = {
  system: 'http://terminology.hl7.org/CodeSystem/service-type',
  code: '57',
  display: 'Immunization',
}
const NUCC = { system: 'http://nucc.org/provider-taxonomy', code: '207RC0000X', display: 'Cardiovascular Disease' }
const CARDIOLOGY = { system: 'http://snomed.info/sct', code: '394579002', display: 'Cardiology' }
const DERMATOLOGY = { system: 'http://snomed.info/sct', code: '394582007', display: 'Dermatology' }

const TIMES = { start: '2026-03-21T10:00:00-04:00', end: '2026-03-21T10:15:00-04:00' }

/** The offering of a slot of the Schedule `s`. */
function offeringOf({ slot = {}, schedule = {}, ...others }: Readonly<Record<string, Json | undefined>>): Offering {
  const directory = new Directory('clinic', false)
  directory.put('Schedule', { id: 's', ...schedule })
  for (const [type, resource] of Object.entries(others)) directory.put(type as DirectoryResourceType, resource ?? {})
  const read = readSlot(
    { id: 'x', schedule: { reference: 'Schedule/s' }, status: 'free', ...TIMES, ...slot },
    directory,
  )
  assert.ok(read)
  return read.offering
}

function finds(offering: Offering, filters: Omit<SlotFilters, 'status'>): boolean {
  return matcherOf({ status: 'free', ...filters })?.(filterValuesOf(offering)) ?? true
}

test('keeps every service type of a Schedule with its system and finds the slot by each', () => {
  const offering = offeringOf({
    schedule: { serviceType: [{ coding: [IMMUNIZATION, SNOMED] }, { coding: [GENERAL] }] },
  })
  assert.equal(offering.serviceTypeCode, '57')
  assert.equal(offering.serviceTypeText, 'Immunization')
  assert.deepEqual(offering.serviceTypes, [IMMUNIZATION, SNOMED, GENERAL])
  for (const code of ['57', '788007007', '124']) assert.ok(finds(offering, { serviceTypeCodes: [code] }), code)
  assert.ok(!finds(offering, { serviceTypeCodes: ['47'] }))
})

test('keeps the words of a local code 57', () => {
  const local = { system: 'https://clinic.example/types', code: '57', display: 'Cardiology follow-up' }
  const offering = offeringOf({ slot: { serviceType: [{ coding: [local] }, { coding: [{ code: 'VT-9' }] }] } })
  assert.deepEqual([offering.serviceTypeCode, offering.serviceTypeText], ['57', 'Cardiology follow-up'])
  assert.deepEqual(offering.serviceTypes, [local, { code: 'VT-9' }])
})

test('finds a slot of the first generation by 57 and by covid19-immunization', () => {
  const covid = {
    system: 'http://fhir-registry.smarthealthit.org/CodeSystem/service-type',
    code: 'covid19-immunization',
  }
  const offering = offeringOf({ schedule: { serviceType: [{ coding: [IMMUNIZATION, covid] }] } })
  assert.deepEqual([offering.serviceTypeCode, offering.serviceTypes], [covid.code, [covid, IMMUNIZATION]])
  assert.ok(finds(offering, { serviceTypeCodes: ['57'] }))
  assert.ok(finds(offering, { serviceTypeCodes: ['covid19-immunization'] }))
})

test('keeps the types of all HealthcareServices of a Schedule without its own', () => {
  const schedule = { actor: [{ reference: 'HealthcareService/h' }, { reference: 'PractitionerRole/r' }] }
  const PractitionerRole = { id: 'r', healthcareService: [{ reference: 'HealthcareService/h' }] }
  const HealthcareService = { id: 'h', type: [{ coding: [GENERAL] }, { coding: [SNOMED] }] }
  const offering = offeringOf({ schedule, PractitionerRole, HealthcareService })
  assert.deepEqual(offering.serviceTypes, [GENERAL, SNOMED])
})

test('keeps every specialty with its system and finds the slot by the words of each', () => {
  const schedule = { actor: [{ reference: 'PractitionerRole/r' }] }
  const PractitionerRole = { id: 'r', specialty: [{ coding: [CARDIOLOGY, NUCC] }, { coding: [DERMATOLOGY] }] }
  const offering = offeringOf({ schedule, PractitionerRole })
  assert.equal(offering.provider?.specialty, 'Cardiology')
  assert.deepEqual(offering.details?.specialties, [CARDIOLOGY, NUCC, DERMATOLOGY])
  for (const specialty of ['cardiology', 'Cardiovascular Disease', 'DERMATOLOGY'])
    assert.ok(finds(offering, { specialty }), specialty)
  assert.ok(!finds(offering, { specialty: 'surgery' }))
})

test('reads all extensions for the specialties of a Schedule', () => {
  const url = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/schedule-specialty'
  const extension = [CARDIOLOGY, DERMATOLOGY].map((valueCoding) => ({ url, valueCoding }))
  assert.deepEqual(offeringOf({ schedule: { extension } }).details?.specialties, [CARDIOLOGY, DERMATOLOGY])
})

test('prefers the specialty of the Slot over that of the role', () => {
  const schedule = { actor: [{ reference: 'PractitionerRole/r' }] }
  const PractitionerRole = { id: 'r', specialty: [{ coding: [CARDIOLOGY] }] }
  const slot = { specialty: [{ coding: [DERMATOLOGY] }] }
  const offering = offeringOf({ slot, schedule, PractitionerRole })
  assert.equal(offering.provider?.specialty, 'Dermatology')
  assert.deepEqual(offering.details?.specialties, [DERMATOLOGY])
})

test('keeps every coding of the appointment type and finds the slot by each code', () => {
  const codings = [
    { system: 'http://terminology.hl7.org/CodeSystem/v2-0276', code: 'ROUTINE' },
    { system: 'https://clinic.example/types', code: 'NEW30', display: 'New patient, 30 minutes' },
  ]
  const offering = offeringOf({ slot: { appointmentType: { coding: codings } } })
  assert.equal(offering.appointmentType, 'ROUTINE')
  assert.deepEqual(offering.details?.appointmentTypes, codings)
  for (const appointmentType of ['ROUTINE', 'NEW30']) assert.ok(finds(offering, { appointmentType }))
  assert.ok(!finds(offering, { appointmentType: 'WALKIN' }))
})
