import { asText, type Json, objectsIn } from '../../lib/json.ts'
import { got } from '../quoted-value.ts'
import type { Shape, ShapeFault } from '../r4-structure.ts'
import type { Rule, RuleHead } from '../rule.ts'

/** A resource of a type that is read. */
export interface ResourceSubject {
  readonly type: string
  readonly resource: Json
  /** How it differs from FHIR R4. */
  readonly shape: Shape
  /** The types that its file is listed under. */
  readonly types: readonly string[]
  readonly nowMs: number
}

const shape = (fault: ShapeFault) => (subject: ResourceSubject) => subject.shape[fault]

/** What every resource must be. */
export const RESOURCE_RULES: readonly Rule<ResourceSubject>[] = [
  {
    id: 'resource-type-missing',
    severity: 'warning',
    right: '`resourceType` names the type of the resource',
    source: 'FHIR R4: JSON representation',
    find: ({ resource: { resourceType } }) =>
      resourceType === undefined || resourceType === null ? got('resourceType', resourceType) : undefined,
  },
  {
    id: 'resource-id',
    severity: 'error',
    right: '`id` is a text without spaces of at most 256 characters; a resource without one is rejected',
    source: 'FHIR R4: Resource.id',
    find: ({ resource: { id } }) => (isUsableId(id) ? undefined : got('id', id)),
  },
  {
    id: 'resource-id-form',
    severity: 'warning',
    right: '`id` has 1 to 64 letters, digits, "-" or "."',
    source: 'FHIR R4: id',
    find: ({ resource: { id } }) =>
      isUsableId(id) && !(typeof id === 'string' && /^[A-Za-z0-9\-.]{1,64}$/.test(id))
        ? got('id', id)
        : undefined,
  },
  {
    id: 'r4-required',
    severity: 'warning',
    right: 'elements required by FHIR R4 are present',
    source: 'FHIR R4: cardinality',
    // What slots need has rules of its own.
    find: ({ type, shape: { required } }) =>
      type === 'Slot'
        ? some(required?.filter((found) => !/^(?:schedule|status|start|end):/.test(found)))
        : required,
  },
  {
    id: 'r4-array',
    severity: 'warning',
    right: 'a repeatable element is an array, also with one item',
    source: 'FHIR R4: JSON representation',
    find: shape('array'),
  },
  {
    id: 'r4-single',
    severity: 'warning',
    right: 'a single element is not an array',
    source: 'FHIR R4: JSON representation',
    find: shape('single'),
  },
  {
    id: 'r4-type',
    severity: 'warning',
    right: 'each value has the JSON type of its element: text, number, true or false, object',
    source: 'FHIR R4: data types',
    find: shape('type'),
  },
  {
    id: 'r4-form',
    severity: 'warning',
    right: 'each text and number has the form of its data type',
    source: 'FHIR R4: primitive types',
    find: ({ type, shape: { form } }) =>
      // Rules of their own tell what these lead to.
      type === 'Slot' ? some(form?.filter((found) => !/^(?:start|end):/.test(found))) : form,
  },
  {
    id: 'r4-code',
    severity: 'warning',
    right: 'a code is one of those that FHIR R4 allows there',
    source: 'FHIR R4: required bindings',
    find: shape('code'),
  },
  {
    id: 'r4-unknown',
    severity: 'hint',
    right: 'only elements of FHIR R4 are used; others are not read',
    source: 'FHIR R4: resource definitions',
    find: shape('unknown'),
  },
  {
    id: 'r4-null',
    severity: 'warning',
    right: 'unknown values are left out, not null',
    source: 'FHIR R4: JSON representation',
    find: shape('null'),
  },
  {
    id: 'r4-empty',
    severity: 'warning',
    right: 'no text, array or object is empty',
    source: 'FHIR R4: JSON representation',
    find: shape('empty'),
  },
  {
    id: 'r4-reference-target',
    severity: 'warning',
    right: 'a reference has an allowed target type that matches its `type`',
    source: 'FHIR R4: Reference',
    find: shape('target'),
  },
  {
    id: 'r4-period',
    severity: 'warning',
    right: 'a period does not end before it starts',
    source: 'FHIR R4: Period, per-1',
    find: shape('order'),
  },
  {
    id: 'r4-reference-form',
    severity: 'warning',
    right: 'a reference is `Type/id`, or an absolute URL that ends with it',
    source: 'FHIR R4: Reference.reference',
    find: ({ type, resource }) => some(referencesOf(type, resource).filter(isLoose).map(toFound)),
  },
  {
    id: 'npi-form',
    severity: 'error',
    right: 'a National Provider Identifier has ten digits; others are dropped',
    source: 'CMS: NPI; FHIR R4: Identifier',
    find: ({ resource }) =>
      some(
        npis(resource)
          .filter((npi) => !/^\d{10}$/.test(npi))
          .map((npi) => got('identifier', npi)),
      ),
  },
  {
    id: 'npi-check-digit',
    severity: 'warning',
    right: 'the last digit of a National Provider Identifier is its check digit',
    source: 'CMS: NPI check digit',
    find: ({ resource }) =>
      some(
        npis(resource)
          .filter((npi) => /^\d{10}$/.test(npi) && !hasCheckDigit(npi))
          .map((npi) => got('identifier', npi)),
      ),
  },
]

/** Found by reading. */
export const WRONG_TYPE: RuleHead = {
  id: 'resource-type',
  severity: 'error',
  right: 'a file contains only resources of the types under which it is listed; others are rejected',
  source: 'Manifest: output.type',
}

/** Found by reading. */
export const ELSEWHERE: RuleHead = {
  id: 'resource-type-elsewhere',
  severity: 'warning',
  right: 'a resource is in a file that is listed under its type; it is read anyway',
  source: 'Manifest: output.type',
}

/** Found by reading. */
export const PUBLISHED_TWICE: RuleHead = {
  id: 'resource-published-twice',
  severity: 'error',
  right: 'a resource is published once; a different one with the same type and id is rejected',
  source: 'FHIR R4: Resource.id',
}

/** Found by reading. */
export const REPEATED: RuleHead = {
  id: 'resource-repeated',
  severity: 'hint',
  right: 'a resource is published once; identical copies are read once',
  source: 'FHIR R4: Resource.id',
}

/** Found by reading: whatever no other rule explains. */
export const REJECTED: RuleHead = {
  id: 'line-rejected',
  severity: 'error',
  right: 'a line can be read; this one was rejected for the given reason',
  source: 'How lines are read',
}

/** What refers to what, of the types that are read. */
export interface FoundReference {
  readonly path: string
  readonly reference: Json
}

/** The references that slots are joined by. */
export function referencesOf(type: string, resource: Json): FoundReference[] {
  return (REFERENCES[type] ?? []).flatMap((name) =>
    objectsIn(resource[name]).map((reference, at) => ({
      path: Array.isArray(resource[name]) ? `${name}[${at}].reference` : `${name}.reference`,
      reference,
    })),
  )
}

const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  Slot: ['schedule'],
  Schedule: ['actor'],
  PractitionerRole: ['practitioner', 'location', 'healthcareService'],
  HealthcareService: ['location'],
}

const PLAIN_REFERENCE =
  /^(?:https?:\/\/\S+\/)?[A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64}(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/

function isLoose({ reference: { reference, display, identifier } }: FoundReference): boolean {
  if (reference === undefined) return display === undefined && identifier === undefined
  return typeof reference !== 'string' || !PLAIN_REFERENCE.test(reference)
}

function toFound({ path, reference }: FoundReference): string {
  return got(path, reference.reference)
}

function isUsableId(id: unknown): boolean {
  if (typeof id === 'number') return true
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  return typeof id === 'string' && id.length <= 256 && /^[^\x00-\x20\x7f]+$/.test(id)
}

function npis(resource: Json): string[] {
  return objectsIn(resource.identifier)
    .filter(({ system }) => system === 'http://hl7.org/fhir/sid/us-npi')
    .map((identifier) => asText(identifier.value) ?? '')
}

/** Luhn's, over 80840 and the nine digits before it. */
function hasCheckDigit(npi: string): boolean {
  let sum = 24
  for (let at = 0; at < 10; at++) {
    const digit = Number(npi[at])
    const doubled = at % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** A list that has something in it. */
function some(found: readonly string[] | undefined): readonly string[] | undefined {
  return found === undefined || found.length === 0 ? undefined : found
}
