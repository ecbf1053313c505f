import type { SamplePractitioner, SampleSchedule, SampleSite, SampleState } from './sample-schedules.ts'
import type { Coding } from './sample-words.ts'

/** The resources that slots refer to, which do not change with time. */
export const DIRECTORY_TYPES = [
  'Location',
  'Schedule',
  'PractitionerRole',
  'Practitioner',
  'HealthcareService',
] as const
export type DirectoryType = (typeof DIRECTORY_TYPES)[number]

/** The root of the HL7 guide's extension URLs (STU 1, 2026). */
export const GUIDE = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition'

/** The NDJSON lines of one type, without line breaks. */
export function* directoryLines(type: DirectoryType, states: readonly SampleState[]): Generator<string> {
  const written = new Set<string>()
  for (const { schedules } of states) {
    for (const schedule of schedules) {
      for (const resource of RESOURCES[type](schedule)) {
        if (written.has(resource.id)) continue
        written.add(resource.id)
        yield JSON.stringify({ resourceType: type, ...resource })
      }
    }
  }
}

type Resource = { readonly id: string; readonly [field: string]: unknown }

const RESOURCES: Record<DirectoryType, (schedule: SampleSchedule) => Resource[]> = {
  Location: (schedule) => [
    ...(schedule.modality === 'virtual' ? [] : [physicalLocation(schedule.site)]),
    ...(schedule.modality === 'physical' ? [] : [virtualLocation(schedule.site)]),
  ],
  Schedule: (schedule) => [scheduleResource(schedule)],
  PractitionerRole: (schedule) =>
    schedule.practitioner === undefined ? [] : [practitionerRole(schedule, schedule.practitioner)],
  Practitioner: ({ practitioner }) => (practitioner === undefined ? [] : [practitionerResource(practitioner)]),
  HealthcareService: (schedule) => (schedule.practitioner === undefined ? [healthcareService(schedule)] : []),
}

function physicalLocation(site: SampleSite): Resource {
  return {
    id: `site-${site.id}`,
    status: 'active',
    name: site.name,
    telecom: telecom(site),
    address: {
      line: [site.addressLine],
      city: site.city.name,
      state: site.state.code,
      postalCode: site.postalCode,
    },
    physicalType: physicalType('bu', 'Building'),
    position: { latitude: site.latitude, longitude: site.longitude },
  }
}

function virtualLocation(site: SampleSite): Resource {
  return {
    id: `virtual-${site.id}`,
    status: 'active',
    name: `${site.name}, virtual visits`,
    telecom: telecom(site),
    physicalType: physicalType('vi', 'Virtual'),
    extension: site.licensedStates.map((state) => ({ url: `${GUIDE}/licensed-states`, valueString: state })),
  }
}

function physicalType(code: string, display: string): unknown {
  return {
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/location-physical-type', code, display }],
  }
}

function telecom(site: SampleSite): unknown[] {
  return [
    { system: 'phone', value: site.phone, use: 'work' },
    { system: 'url', value: `https://${site.id.toLowerCase()}.clinics.example` },
  ]
}

function scheduleResource(schedule: SampleSchedule): Resource {
  return {
    id: schedule.id,
    actor: actors(schedule),
    serviceType: [concept(schedule.serviceType)],
    extension: [{ url: `${GUIDE}/schedule-specialty`, valueCoding: schedule.specialty }],
  }
}

function actors({ modality, site, practitioner }: SampleSchedule): unknown[] {
  const physical = { reference: `Location/site-${site.id}`, display: site.name }
  const virtual = { reference: `Location/virtual-${site.id}`, display: `${site.name}, virtual visits` }
  return [
    ...(modality === 'virtual' ? [] : [physical]),
    ...(modality === 'physical' ? [] : [virtual]),
    practitioner === undefined
      ? { reference: `HealthcareService/service-${site.id}` }
      : { reference: `PractitionerRole/role-${practitioner.id}`, display: fullName(practitioner) },
  ]
}

function practitionerRole({ site, modality, specialty }: SampleSchedule, practitioner: SamplePractitioner): Resource {
  return {
    id: `role-${practitioner.id}`,
    active: true,
    practitioner: { reference: `Practitioner/${practitioner.id}`, display: fullName(practitioner) },
    specialty: [concept(specialty)],
    location: [{ reference: modality === 'virtual' ? `Location/virtual-${site.id}` : `Location/site-${site.id}` }],
    telecom: [{ system: 'phone', value: site.phone }],
  }
}

function practitionerResource(practitioner: SamplePractitioner): Resource {
  return {
    id: practitioner.id,
    active: true,
    identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: practitioner.npi }],
    name: [{ use: 'official', family: practitioner.family, given: [practitioner.given], prefix: ['Dr.'] }],
  }
}

function healthcareService({ site, serviceType, specialty }: SampleSchedule): Resource {
  return {
    id: `service-${site.id}`,
    active: true,
    name: `${serviceType.display} at ${site.name}`,
    type: [concept(serviceType)],
    specialty: [concept(specialty)],
    location: [{ reference: `Location/site-${site.id}` }],
    telecom: [{ system: 'phone', value: site.phone }],
  }
}

function concept(coding: Coding): unknown {
  return { coding: [coding], text: coding.display }
}

function fullName(practitioner: SamplePractitioner): string {
  return `Dr. ${practitioner.given} ${practitioner.family}`
}
