import { conceptOf, parseReference } from '../../feeds/fhir/data-types.ts'
import { hasEnded } from '../../feeds/fhir/period.ts'
import { parsePractitioner } from '../../feeds/fhir/resources.ts'
import { asObject, asText, objectsIn } from '../../lib/json.ts'
import { hintRule, quote, quoteIf, type Rule, saysWhyAbsent, warningRule } from '../rule.ts'
import { type ResourceSubject, resourceElement } from './resource-rules.ts'

/** Actors that provide a location or a practitioner. */
const ACTOR_TYPES = ['Location', 'PractitionerRole', 'Practitioner', 'HealthcareService']

/** Rules for Schedules. */
export const SCHEDULE_RULES: readonly Rule<ResourceSubject>[] = [
  warningRule('schedule-actor-location', {
    generations: ['vaccine-2021'],
    right: 'the only actor of a Schedule is its Location',
    source: 'Schedule file: actor',
    find: ({ resource: { actor } }) => {
      const types = objectsIn(actor).map((one) => parseReference(one)?.type)
      return quoteIf(types.length !== 1 || types[0] !== 'Location', 'actor', types.join(', ') || actor)
    },
  }),
  hintRule('schedule-actor-followed', {
    right: 'the actors are Locations, roles, practitioners or services; others are ignored',
    source: 'Schedule file: actor',
    find: ({ resource: { actor } }) => {
      const types = objectsIn(actor).map((one) => parseReference(one)?.type)
      const other = types.find((type) => type !== undefined && !ACTOR_TYPES.includes(type))
      return quoteIf(other !== undefined, 'actor.reference', other)
    },
  }),
  warningRule('schedule-service-type', {
    generations: ['vaccine-2021', 'stu1'],
    right: '`serviceType` specifies the service',
    source: 'Schedule file: serviceType; guide: Schedule profile',
    find: resourceElement(
      'serviceType',
      (serviceType) => conceptOf(serviceType) === undefined && !objectsIn(serviceType).some(saysWhyAbsent),
    ),
  }),
  warningRule('schedule-service-type-coding', {
    right: 'a `serviceType` has its codes in `coding`',
    source: 'FHIR R4: CodeableConcept',
    find: ({ resource: { serviceType } }) => {
      const bare = objectsIn(serviceType).find(({ coding, code }) => coding === undefined && code !== undefined)
      return quoteIf(bare !== undefined, 'serviceType', bare)
    },
  }),
  hintRule('schedule-inactive', {
    right: 'an inactive Schedule is removed from the feed; its slots are served anyway',
    source: 'FHIR R4: Schedule.active',
    find: resourceElement('active', (active) => active === false),
  }),
]

/** Rules for practitioners, roles and services. */
export const PEOPLE_RULES: readonly Rule<ResourceSubject>[] = [
  hintRule('role-practitioner', {
    right: 'a PractitionerRole has a `practitioner` with a reference or a display',
    source: 'PractitionerRole file: practitioner',
    find: resourceElement('practitioner', (practitioner, { type }) => {
      const { reference, display } = asObject(practitioner) ?? {}
      return type === 'PractitionerRole' && asText(reference) === undefined && asText(display) === undefined
    }),
  }),
  hintRule('role-ended', {
    right: 'a PractitionerRole whose `period` has ended is removed from the feed',
    source: 'FHIR R4: PractitionerRole.period',
    find: ({ type, resource: { period }, nowMs }) =>
      quoteIf(type === 'PractitionerRole' && hasEnded(period, nowMs), 'period.end', asObject(period)?.end),
  }),
  hintRule('people-inactive', {
    right: 'an inactive PractitionerRole, Practitioner or HealthcareService is removed from the feed',
    source: 'FHIR R4: PractitionerRole.active, Practitioner.active, HealthcareService.active',
    find: resourceElement('active', (active) => active === false),
  }),
  warningRule('practitioner-name', {
    right: 'a Practitioner has a name',
    source: 'FHIR R4: Practitioner.name',
    find: resourceElement('name', (_, { type, resource }) => {
      const isAbsent = objectsIn(resource.name).some(saysWhyAbsent)
      return type === 'Practitioner' && parsePractitioner(resource).name === undefined && !isAbsent
    }),
  }),
  warningRule('practitioner-identifier', {
    generations: ['stu1'],
    right: 'a Practitioner has exactly one `identifier`',
    source: 'Guide: Practitioner profile',
    find: ({ type, resource: { identifier } }) => {
      const count = objectsIn(identifier).length
      return quoteIf(type === 'Practitioner' && count !== 1, 'identifier', count)
    },
  }),
  warningRule('service-profile', {
    generations: ['stu1'],
    right: 'a HealthcareService has `active`, `name`, and one `type`, `specialty` and `location` each',
    source: 'Guide: HealthcareService profile',
    find: ({ type, resource }) => {
      if (type !== 'HealthcareService') return undefined
      const wrong = [
        ...['active', 'name'].filter((name) => resource[name] === undefined && !saysWhyAbsent(resource[`_${name}`])),
        ...['type', 'specialty', 'location'].filter((name) => objectsIn(resource[name]).length !== 1),
      ]
      return wrong.map((name) => quote(name, resource[name]))
    },
  }),
]

/** Rules that are checked when the whole directory or feed is read. */
export const NOTED_DIRECTORY_RULES = {
  dangling: warningRule('reference-dangling', {
    right: 'referenced resources are in the feed; slots are served without missing ones',
    source: 'Schedule file: actor; PractitionerRole file',
  }),
  displayElsewhere: warningRule('schedule-actor-display', {
    right: '`display` of an actor is the name of the Location that it refers to',
    source: 'Schedule file: actor.display',
  }),
  withoutLocation: warningRule('schedule-without-place', {
    right:
      'a Schedule has a Location, directly or through its role or service; otherwise its slots have no location and no state',
    source: 'Schedule file: actor',
  }),
  scheduleUnused: hintRule('schedule-unused', {
    right: 'a Schedule has slots',
    source: 'Schedule file',
  }),
  resourceUnused: hintRule('resource-unused', {
    right: 'a Location, role, practitioner or service is referred to',
    source: 'Location file',
  }),
}
