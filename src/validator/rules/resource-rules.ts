import { asObject, asText, type Json, objectsIn } from '../../lib/json.ts'
import type { StructureErrorKind, StructureErrors } from '../r4-structure.ts'
import { errorRule, hintRule, quote, quoteIf, quoteUnless, type Rule, type RuleHead, warningRule } from '../rule.ts'

/** A resource of a supported type. */
export interface ResourceSubject {
  readonly type: string
  readonly resource: Json
  /** Violations of its FHIR R4 definition. */
  readonly structureErrors: StructureErrors
  /** The types under which its file is listed. */
  readonly types: readonly string[]
  readonly nowMs: number
}

const structure = (kind: StructureErrorKind) => (subject: ResourceSubject) => subject.structureErrors[kind]

/** Rules for all resources. */
export const RESOURCE_RULES: readonly Rule<ResourceSubject>[] = [
  warningRule('resource-type-missing', {
    right: '`resourceType` names the type of the resource',
    source: 'FHIR R4: JSON representation',
    find: ({ resource: { resourceType } }) =>
      quoteIf(resourceType === undefined || resourceType === null, 'resourceType', resourceType),
  }),
  errorRule('resource-id', {
    right: '`id` is a text without spaces of at most 256 characters; a resource without one is rejected',
    source: 'FHIR R4: Resource.id',
    find: ({ resource: { id } }) => quoteUnless(isUsableId(id), 'id', id),
  }),
  warningRule('resource-id-form', {
    right: '`id` has 1 to 64 letters, digits, "-" or "."',
    source: 'FHIR R4: id',
    find: ({ resource: { id } }) =>
      quoteIf(isUsableId(id) && !(typeof id === 'string' && /^[A-Za-z0-9\-.]{1,64}$/.test(id)), 'id', id),
  }),
  warningRule('r4-required', {
    right: 'elements required by FHIR R4 are present',
    source: 'FHIR R4: cardinality',
    // Slots have separate rules for these elements.
    find: ({ type, structureErrors: { required } }) =>
      type === 'Slot'
        ? nonEmpty(required?.filter((found) => !/^(?:schedule|status|start|end):/.test(found)))
        : required,
  }),
  warningRule('r4-array', {
    right: 'a repeatable element is an array, also with one item',
    source: 'FHIR R4: JSON representation',
    find: structure('array'),
  }),
  warningRule('r4-single', {
    right: 'a single element is not an array',
    source: 'FHIR R4: JSON representation',
    find: structure('single'),
  }),
  warningRule('r4-type', {
    right: 'each value has the JSON type of its element: text, number, true or false, object',
    source: 'FHIR R4: data types',
    find: structure('type'),
  }),
  warningRule('r4-form', {
    right: 'each text and number has the form of its data type',
    source: 'FHIR R4: primitive types',
    find: ({ type, structureErrors: { form } }) =>
      // Slots have separate rules for these elements.
      type === 'Slot' ? nonEmpty(form?.filter((found) => !/^(?:start|end):/.test(found))) : form,
  }),
  warningRule('r4-code', {
    right: 'a code is one of those that FHIR R4 allows there',
    source: 'FHIR R4: required bindings',
    find: structure('code'),
  }),
  hintRule('r4-unknown', {
    right: 'only elements of FHIR R4 are used; others are not read',
    source: 'FHIR R4: resource definitions',
    find: structure('unknown'),
  }),
  warningRule('r4-null', {
    right: 'unknown values are left out, not null',
    source: 'FHIR R4: JSON representation',
    find: structure('null'),
  }),
  warningRule('r4-empty', {
    right: 'no text, array or object is empty',
    source: 'FHIR R4: JSON representation',
    find: structure('empty'),
  }),
  warningRule('r4-reference-target', {
    right: 'a reference has an allowed target type that matches its `type`',
    source: 'FHIR R4: Reference',
    find: structure('target'),
  }),
  warningRule('r4-period', {
    right: 'a period does not end before it starts',
    source: 'FHIR R4: Period, per-1',
    find: structure('order'),
  }),
  warningRule('r4-reference-form', {
    right: 'a reference is `Type/id`, or an absolute URL that ends with it',
    source: 'FHIR R4: Reference.reference',
    find: ({ type, resource }) => nonEmpty(referencesOf(type, resource).filter(isLoose).map(quoteReference)),
  }),
  errorRule('npi-form', {
    right: 'a National Provider Identifier has ten digits; others are dropped',
    source: 'CMS: NPI; FHIR R4: Identifier',
    find: ({ resource }) =>
      nonEmpty(
        npis(resource)
          .filter((npi) => !/^\d{10}$/.test(npi))
          .map((npi) => quote('identifier', npi)),
      ),
  }),
  warningRule('npi-check-digit', {
    right: 'the last digit of a National Provider Identifier is its check digit',
    source: 'CMS: NPI check digit',
    find: ({ resource }) =>
      nonEmpty(
        npis(resource)
          .filter((npi) => /^\d{10}$/.test(npi) && !hasCheckDigit(npi))
          .map((npi) => quote('identifier', npi)),
      ),
  }),
]

/** Checked on reading. */
export const WRONG_TYPE: RuleHead = errorRule('resource-type', {
  right: 'a file contains only resources of the types under which it is listed; others are rejected',
  source: 'Manifest: output.type',
})

/** Checked on reading. */
export const TYPE_NOT_LISTED: RuleHead = warningRule('resource-type-elsewhere', {
  right: 'a resource is in a file that is listed under its type; it is read anyway',
  source: 'Manifest: output.type',
})

/** Checked on reading. */
export const PUBLISHED_TWICE: RuleHead = errorRule('resource-published-twice', {
  right: 'a resource is published once; a different one with the same type and id is rejected',
  source: 'FHIR R4: Resource.id',
})

/** Checked on reading. */
export const REPEATED: RuleHead = hintRule('resource-repeated', {
  right: 'a resource is published once; identical copies are read once',
  source: 'FHIR R4: Resource.id',
})

/** Reported if no other rule explains a rejection. */
export const REJECTED: RuleHead = errorRule('line-rejected', {
  right: 'a line can be read; this one was rejected for the given reason',
  source: 'How lines are read',
})

/** A reference and its path. */
interface ReferenceAtPath {
  readonly path: string
  readonly reference: Json
}

/** The references that connect slots with the directory. */
export function referencesOf(type: string, resource: Json): ReferenceAtPath[] {
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

function isLoose({ reference: { reference, display, identifier } }: ReferenceAtPath): boolean {
  if (reference === undefined) return display === undefined && identifier === undefined
  return typeof reference !== 'string' || !PLAIN_REFERENCE.test(reference)
}

function quoteReference({ path, reference }: ReferenceAtPath): string {
  return quote(path, reference.reference)
}

function isUsableId(id: unknown): boolean {
  if (typeof id === 'number') return true
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected
  return typeof id === 'string' && id.length <= 256 && /^[^\x00-\x20\x7f]+$/.test(id)
}

function npis(resource: Json): string[] {
  return objectsIn(resource.identifier)
    .filter(({ system }) => system === 'http://hl7.org/fhir/sid/us-npi')
    .map((identifier) => asText(identifier.value) ?? '')
}

/** The Luhn algorithm over 80840 and the first nine digits. */
function hasCheckDigit(npi: string): boolean {
  let sum = 24
  for (let at = 0; at < 10; at++) {
    const digit = Number(npi[at])
    const doubled = at % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The list, or undefined if it is empty. */
function nonEmpty(found: readonly string[] | undefined): readonly string[] | undefined {
  return found === undefined || found.length === 0 ? undefined : found
}

/** Rules for elements that are ignored or shown literally. */
export const CONTENT_RULES: readonly Rule<ResourceSubject>[] = [
  warningRule('r4-modifier', {
    right: '`modifierExtension` is absent: it can change the meaning of other elements, and it is not read',
    source: 'FHIR R4: Extensibility, modifier extensions',
    find: ({ resource: { modifierExtension } }) =>
      quoteUnless(
        modifierExtension === undefined,
        'modifierExtension',
        objectsIn(modifierExtension)[0]?.url ?? modifierExtension,
      ),
  }),
  hintRule('resource-contained', {
    right: 'each resource is a separate line: `contained` is not read',
    source: 'FHIR R4: contained resources; Manifest: output',
    find: ({ resource: { contained } }) =>
      quoteUnless(contained === undefined, 'contained', objectsIn(contained)[0]?.resourceType ?? contained),
  }),
  hintRule('text-markup', {
    right: 'texts are plain: HTML tags and entities are shown literally',
    source: 'FHIR R4: string',
    find: ({ resource }) => {
      const [found] = textsOf(resource).filter(([, text]) => MARKUP.test(text))
      return found === undefined ? undefined : quote(...found)
    },
  }),
]

const MARKUP = /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|&(?:[a-z]{2,8}|#\d{1,6}|#x[0-9a-f]{1,6});/i

/** The texts shown to people, with their paths. */
function textsOf(resource: Json): [string, string][] {
  const [address] = objectsIn(resource.address)
  const lines = Array.isArray(address?.line) ? address.line.slice(0, 5) : [address?.line]
  const [named] = objectsIn(resource.name)
  const texts: [string, unknown][] = [
    ['name', resource.name],
    ['name.text', named?.text],
    ['description', resource.description],
    ['comment', resource.comment],
    ...lines.map((line, at): [string, unknown] => [`address.line[${at}]`, line]),
    ['address.city', address?.city],
    ['serviceType.text', asObject(objectsIn(resource.serviceType)[0])?.text],
  ]
  return texts.filter((one): one is [string, string] => typeof one[1] === 'string')
}
