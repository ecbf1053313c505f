import { conceptOf } from '../../feeds/fhir/concept.ts'
import { parsePractitioner } from '../../feeds/fhir/practitioner.ts'
import { parseReference } from '../../feeds/fhir/reference.ts'
import { asObject, asText, objectsIn } from '../../lib/json.ts'
import { got } from '../quoted-value.ts'
import type { Rule, RuleHead } from '../rule.ts'
import type { ResourceSubject } from './resource-rules.ts'

/** Those that lead to a place or a person. */
const FOLLOWED = ['Location', 'PractitionerRole', 'Practitioner', 'HealthcareService']

/** What a Schedule must be. */
export const SCHEDULE_RULES: readonly Rule<ResourceSubject>[] = [
  {
    id: 'schedule-actor-location',
    severity: 'warning',
    generations: ['vaccine-2021'],
    right: 'the only actor of a Schedule is its Location',
    source: 'Schedule file: actor',
    find: ({ resource: { actor } }) => {
      const types = objectsIn(actor).map((one) => parseReference(one)?.type)
      return types.length === 1 && types[0] === 'Location'
        ? undefined
        : got('actor', types.join(', ') || actor)
    },
  },
  {
    id: 'schedule-actor-followed',
    severity: 'hint',
    right: 'the actors are Locations, roles, practitioners or services; others are ignored',
    source: 'Schedule file: actor',
    find: ({ resource: { actor } }) => {
      const types = objectsIn(actor).map((one) => parseReference(one)?.type)
      const other = types.find((type) => type !== undefined && !FOLLOWED.includes(type))
      return other === undefined ? undefined : got('actor.reference', other)
    },
  },
  {
    id: 'schedule-service-type',
    severity: 'warning',
    generations: ['vaccine-2021', 'stu1'],
    right: '`serviceType` specifies the service',
    source: 'Schedule file: serviceType; guide: Schedule profile',
    find: ({ resource: { serviceType } }) =>
      conceptOf(serviceType) === undefined ? got('serviceType', serviceType) : undefined,
  },
  {
    id: 'schedule-service-type-coding',
    severity: 'warning',
    right: 'a `serviceType` has its codes in `coding`',
    source: 'FHIR R4: CodeableConcept',
    find: ({ resource: { serviceType } }) => {
      const bare = objectsIn(serviceType).find(
        ({ coding, code }) => coding === undefined && code !== undefined,
      )
      return bare === undefined ? undefined : got('serviceType', bare)
    },
  },
  {
    id: 'schedule-inactive',
    severity: 'hint',
    right: 'an inactive Schedule is removed from the feed; its slots are served anyway',
    source: 'FHIR R4: Schedule.active',
    find: ({ resource: { active } }) => (active === false ? got('active', active) : undefined),
  },
]

/** What those whom slots are with must be, and what they do. */
export const PEOPLE_RULES: readonly Rule<ResourceSubject>[] = [
  {
    id: 'role-practitioner',
    severity: 'hint',
    right: 'a PractitionerRole has a `practitioner` with a reference or a display',
    source: 'PractitionerRole file: practitioner',
    find: ({ type, resource: { practitioner } }) => {
      const { reference, display } = asObject(practitioner) ?? {}
      return type === 'PractitionerRole' && asText(reference) === undefined && asText(display) === undefined
        ? got('practitioner', practitioner)
        : undefined
    },
  },
  {
    id: 'practitioner-name',
    severity: 'warning',
    right: 'a Practitioner has a name',
    source: 'FHIR R4: Practitioner.name',
    find: ({ type, resource }) =>
      type === 'Practitioner' && parsePractitioner(resource).name === undefined
        ? got('name', resource.name)
        : undefined,
  },
  {
    id: 'practitioner-identifier',
    severity: 'warning',
    generations: ['stu1'],
    right: 'a Practitioner has exactly one `identifier`',
    source: 'Guide: Practitioner profile',
    find: ({ type, resource: { identifier } }) =>
      type === 'Practitioner' && objectsIn(identifier).length !== 1
        ? got('identifier', objectsIn(identifier).length)
        : undefined,
  },
  {
    id: 'service-profile',
    severity: 'warning',
    generations: ['stu1'],
    right: 'a HealthcareService has `active`, `name`, and one `type`, `specialty` and `location` each',
    source: 'Guide: HealthcareService profile',
    find: ({ type, resource }) => {
      if (type !== 'HealthcareService') return undefined
      const wrong = [
        ...['active', 'name'].filter((name) => resource[name] === undefined),
        ...['type', 'specialty', 'location'].filter((name) => objectsIn(resource[name]).length !== 1),
      ]
      return wrong.length === 0 ? undefined : wrong.map((name) => got(name, resource[name]))
    },
  },
]

/** Found once the directory is whole. */
export const DANGLING: RuleHead = {
  id: 'reference-dangling',
  severity: 'warning',
  right: 'referenced resources are in the feed; slots are served without missing ones',
  source: 'Schedule file: actor; PractitionerRole file',
}

/** Found once the directory is whole. */
export const SCHEDULE_WITHOUT_PLACE: RuleHead = {
  id: 'schedule-without-place',
  severity: 'warning',
  right:
    'a Schedule has a Location, directly or through its role or service; otherwise its slots have no location and no state',
  source: 'Schedule file: actor',
}

/** Found at the end. */
export const SCHEDULE_UNUSED: RuleHead = {
  id: 'schedule-unused',
  severity: 'hint',
  right: 'a Schedule has slots',
  source: 'Schedule file',
}

/** Found at the end. */
export const RESOURCE_UNUSED: RuleHead = {
  id: 'resource-unused',
  severity: 'hint',
  right: 'a Location, role, practitioner or service is referred to',
  source: 'Location file',
}
