import { asObject, type Json } from '../../../src/lib/json.ts'
import type { Published } from './republisher.ts'

// The constraints of the profiles and extensions of SMART Scheduling Links STU1, with those of FHIR R4 that they build on.
// As data, so that `npm test` checks them without packages; foreign-validator.full.test.ts has a validator from npm check them, too.

const GUIDE = 'http://hl7.org/fhir/uv/smart-scheduling-links'
const PHYSICAL_TYPE = 'http://terminology.hl7.org/CodeSystem/location-physical-type'

interface Constraint {
  /** Elements below the resource, or below the extension. */
  readonly path: string
  /** How many there are for each parent that exists. */
  readonly count: '0..1' | '1..1' | '0..*' | '1..*'
  readonly is?: string
  readonly oneOf?: readonly string[]
  /** The types of resources that it may refer to. */
  readonly refersTo?: readonly string[]
}

interface ExtensionConstraint {
  readonly url: string
  readonly count: Constraint['count']
  readonly value: readonly Constraint[]
}

interface ProfileConstraints {
  readonly elements: readonly Constraint[]
  readonly extensions: readonly ExtensionConstraint[]
}

const extension = (name: string) => `${GUIDE}/StructureDefinition/${name}`

const LICENSED_STATES: ExtensionConstraint = {
  url: extension('licensed-states'),
  count: '0..*',
  value: [{ path: 'valueString', count: '1..1' }],
}

const VIRTUAL_SERVICE: ExtensionConstraint = {
  url: 'http://hl7.org/fhir/5.0/StructureDefinition/extension-Location.virtualService',
  count: '0..*',
  value: [
    { path: 'extension', count: '1..*' },
    {
      path: 'extension.url',
      count: '1..1',
      oneOf: ['channelType', 'address', 'additionalInfo', 'maxParticipants', 'sessionKey'],
    },
    { path: 'extension.valueUrl', count: '0..1' },
  ],
}

const LOCATION: ProfileConstraints = {
  elements: [
    { path: 'name', count: '1..1' },
    { path: 'telecom', count: '1..*' },
    { path: 'telecom.system', count: '1..1', oneOf: ['phone', 'fax', 'email', 'pager', 'url', 'sms', 'other'] },
    { path: 'telecom.value', count: '1..1' },
    { path: 'address', count: '0..1' },
    { path: 'physicalType', count: '0..1' },
    { path: 'position', count: '0..1' },
    { path: 'position.latitude', count: '1..1' },
    { path: 'position.longitude', count: '1..1' },
  ],
  extensions: [LICENSED_STATES, VIRTUAL_SERVICE],
}

const VIRTUAL_LOCATION: ProfileConstraints = {
  elements: [
    ...LOCATION.elements,
    { path: 'physicalType.coding.0.system', count: '1..1', is: PHYSICAL_TYPE },
    { path: 'physicalType.coding.0.code', count: '1..1', is: 'vi' },
  ],
  extensions: [{ ...LICENSED_STATES, count: '1..*' }, VIRTUAL_SERVICE],
}

const PROFILES: Readonly<Record<string, ProfileConstraints>> = {
  Slot: {
    elements: [
      { path: 'schedule', count: '1..1', refersTo: ['Schedule'] },
      { path: 'status', count: '1..1', oneOf: ['free', 'busy', 'busy-unavailable', 'busy-tentative'] },
      { path: 'start', count: '1..1' },
      { path: 'end', count: '1..1' },
      { path: 'appointmentType', count: '0..1' },
    ],
    extensions: [
      { url: extension('booking-deep-link'), count: '0..1', value: [{ path: 'valueUrl', count: '1..1' }] },
      {
        url: extension('booking-phone'),
        count: '0..1',
        value: [
          { path: 'valueContactPoint', count: '1..1' },
          { path: 'valueContactPoint.system', count: '1..1', is: 'phone' },
          { path: 'valueContactPoint.value', count: '1..1' },
        ],
      },
      {
        url: extension('patient-type'),
        count: '1..1',
        value: [
          { path: 'valueCoding', count: '1..1' },
          { path: 'valueCoding.system', count: '1..1', is: 'http://terminology.hl7.org/CodeSystem/accepting-patients' },
          { path: 'valueCoding.code', count: '1..1', oneOf: ['newpt', 'nopt', 'existptonly', 'existptfam'] },
        ],
      },
    ],
  },
  Schedule: {
    elements: [
      { path: 'actor', count: '1..*', refersTo: ['Location', 'PractitionerRole', 'Practitioner', 'HealthcareService'] },
      { path: 'actor.reference', count: '1..1' },
      { path: 'serviceType', count: '1..*' },
    ],
    extensions: [
      {
        url: extension('schedule-specialty'),
        count: '0..*',
        value: [
          { path: 'valueCoding', count: '1..1' },
          { path: 'valueCoding.system', count: '1..1' },
          { path: 'valueCoding.code', count: '1..1' },
        ],
      },
    ],
  },
  PractitionerRole: {
    elements: [
      { path: 'active', count: '0..1' },
      { path: 'practitioner', count: '0..1', refersTo: ['Practitioner'] },
      { path: 'organization', count: '0..1' },
      { path: 'location', count: '0..*', refersTo: ['Location'] },
      { path: 'healthcareService', count: '0..*', refersTo: ['HealthcareService'] },
    ],
    extensions: [],
  },
  Practitioner: {
    elements: [
      { path: 'identifier', count: '1..1' },
      { path: 'identifier.system', count: '0..1' },
      { path: 'identifier.value', count: '0..1' },
    ],
    extensions: [],
  },
  HealthcareService: {
    elements: [
      { path: 'active', count: '1..1' },
      { path: 'name', count: '1..1' },
      { path: 'type', count: '1..1' },
      { path: 'specialty', count: '1..1' },
      { path: 'location', count: '1..1', refersTo: ['Location'] },
    ],
    extensions: [],
  },
}

/** What violates the constraints in a publication: references that lead nowhere, too. */
export function stu1Violations(resources: readonly Published[]): string[] {
  const known = new Set(resources.map(({ resourceType, id }) => `${resourceType}/${id}`))
  return resources.flatMap((resource) => {
    const { resourceType, id } = resource
    const { elements, extensions } = profileOf(resource)
    const own = elements.flatMap((constraint) => violations([resource], constraint, known))
    const inExtensions = extensions.flatMap((one) => extensionViolations(resource, one))
    const isId = /^[A-Za-z0-9\-.]{1,64}$/.test(id)
    return [...(isId ? [] : ['id']), ...own, ...inExtensions].map((text) => `${resourceType}/${id}: ${text}`)
  })
}

function profileOf(resource: Published): ProfileConstraints {
  const isVirtual = JSON.stringify(resource.physicalType ?? '').includes('"code":"vi"')
  const profile =
    resource.resourceType === 'Location' ? (isVirtual ? VIRTUAL_LOCATION : LOCATION) : PROFILES[resource.resourceType]
  if (profile === undefined) throw new Error(`No profile: got "${resource.resourceType}"`)
  return profile
}

function extensionViolations(resource: Json, { url, count, value }: ExtensionConstraint): string[] {
  const found = listOf(resource.extension).filter((one) => asObject(one)?.url === url)
  const name = url.split('/').at(-1)
  const inValues = value.flatMap((constraint) => violations(found, constraint, new Set()))
  return [...(isCount(found.length, count) ? [] : [`${count}, got ${found.length}`]), ...inValues].map(
    (text) => `${name}: ${text}`,
  )
}

function violations(roots: readonly unknown[], constraint: Constraint, known: ReadonlySet<string>): string[] {
  const names = constraint.path.split('.')
  const last = names.pop() ?? ''
  const parents = names.reduce<readonly unknown[]>((all, name) => all.flatMap((one) => below(one, name)), roots)
  return parents
    .flatMap((parent) => {
      if (saysWhy(parent)) return []
      const found = below(parent, last)
      const wrong = found.filter((one) => !isAllowed(one, constraint, known)).map((one) => JSON.stringify(one))
      return [
        ...(isCount(found.length, constraint.count) ? [] : [`${constraint.count}, got ${found.length}`]),
        ...wrong,
      ]
    })
    .map((text) => `${constraint.path}: ${text}`)
}

/** The values of an element. One that is absent for a stated reason counts as present. */
function below(parent: unknown, name: string): readonly unknown[] {
  if (Array.isArray(parent)) return [parent[Number(name)]]
  const json = asObject(parent) ?? {}
  if (name === 'coding') return [json.coding]
  if (json[name] !== undefined) return listOf(json[name])
  return listOf(json[`_${name}`])
}

function isAllowed(value: unknown, { is, oneOf, refersTo }: Constraint, known: ReadonlySet<string>): boolean {
  if (saysWhy(value)) return is === undefined
  if (refersTo !== undefined) {
    const { reference, display } = asObject(value) ?? {}
    if (reference === undefined) return display !== undefined
    return known.has(String(reference)) && refersTo.includes(String(reference).split('/')[0])
  }
  return (is === undefined || value === is) && (oneOf === undefined || oneOf.includes(String(value)))
}

function saysWhy(value: unknown): boolean {
  return JSON.stringify(asObject(value)?.extension ?? '').includes('/data-absent-reason"')
}

function isCount(found: number, count: Constraint['count']): boolean {
  return found >= Number(count[0]) && (count.endsWith('*') || found <= 1)
}

function listOf(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value].flat()
}
