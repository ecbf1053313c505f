import { NPI_SYSTEMS } from '../../feeds/fhir/data-types.ts'
import { asText, type Json, objectsIn } from '../../lib/json.ts'
import type { StructureErrorKind, StructureErrors } from '../r4-structure.ts'
import { elementChecks, errorRule, hintRule, quote, quoteIf, type Rule, saysWhyAbsent, warningRule } from '../rule.ts'

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

/** The check of one element of a resource. */
export const resourceElement = elementChecks<ResourceSubject>(({ resource }) => resource)

/** Elements of FHIR R5 that are read, as violations of R4. */
const OF_R5 = /^(?:[\w[\].]+\.concept|virtualService):/

/** Violations that Slots have separate rules for. */
const SLOT_STRUCTURE: { readonly [Kind in StructureErrorKind]?: RegExp } = {
  required: /^(?:schedule|status|start|end):/,
  form: /^(?:start|end):/,
}

/** A rule about one kind of violation of the FHIR R4 definition. */
function r4Rule(kind: StructureErrorKind, right: string, source: string): Rule<ResourceSubject> {
  const separate = SLOT_STRUCTURE[kind]
  return warningRule(`r4-${kind}`, {
    right,
    source: `FHIR R4: ${source}`,
    find: ({ type, structureErrors: { [kind]: found } }: ResourceSubject) =>
      type === 'Slot' && separate !== undefined ? found?.filter((one) => !separate.test(one)) : found,
  })
}

/** Rules for all resources. */
export const RESOURCE_RULES: readonly Rule<ResourceSubject>[] = [
  warningRule('resource-type-missing', {
    right: '`resourceType` names the type of the resource',
    source: 'FHIR R4: JSON representation',
    find: resourceElement('resourceType', (resourceType) => resourceType === undefined || resourceType === null),
  }),
  errorRule('resource-id', {
    right: '`id` is a text without spaces of at most 256 characters; a resource without one is rejected',
    source: 'FHIR R4: Resource.id',
    find: resourceElement('id', (id) => !isUsableId(id)),
  }),
  warningRule('resource-id-form', {
    right: '`id` has 1 to 64 letters, digits, "-" or "."',
    source: 'FHIR R4: id',
    find: resourceElement(
      'id',
      (id) => isUsableId(id) && !(typeof id === 'string' && /^[A-Za-z0-9\-.]{1,64}$/.test(id)),
    ),
  }),
  r4Rule('required', 'elements required by FHIR R4 are present', 'cardinality'),
  r4Rule('array', 'a repeatable element is an array, also with one item', 'JSON representation'),
  r4Rule('single', 'a single element is not an array', 'JSON representation'),
  r4Rule('type', 'each value has the JSON type of its element: text, number, true or false, object', 'data types'),
  r4Rule('form', 'each text and number has the form of its data type', 'primitive types'),
  r4Rule('code', 'a code is one of those that FHIR R4 allows there', 'required bindings'),
  hintRule('r4-unknown', {
    right: 'only elements of FHIR R4 are used; others are not read',
    source: 'FHIR R4: resource definitions',
    find: ({ structureErrors: { unknown } }) => unknown?.filter((one) => !OF_R5.test(one)),
  }),
  hintRule('r5-shape', {
    right: 'elements have the shape of FHIR R4; `concept` and `virtualService` of R5 are read, but not by every client',
    source: 'FHIR R5: CodeableReference, Location.virtualService',
    find: ({ structureErrors: { unknown } }) => unknown?.filter((one) => OF_R5.test(one)),
  }),
  r4Rule('null', 'unknown values are left out, not null', 'JSON representation'),
  r4Rule('empty', 'no text, array or object is empty', 'JSON representation'),
  r4Rule('reference-target', 'a reference has an allowed target type that matches its `type`', 'Reference'),
  r4Rule('period', 'a period does not end before it starts', 'Period, per-1'),
  warningRule('r4-reference-form', {
    right: 'a reference is `Type/id`, or an absolute URL that ends with it',
    source: 'FHIR R4: Reference.reference',
    find: ({ type, resource }) => referencesOf(type, resource).filter(isLoose).map(quoteReference),
  }),
  errorRule('npi-form', {
    right: 'a National Provider Identifier has ten digits; others are dropped',
    source: 'CMS: NPI; FHIR R4: Identifier',
    find: quoteNpis((npi) => !/^\d{10}$/.test(npi)),
  }),
  warningRule('npi-check-digit', {
    right: 'the last digit of a National Provider Identifier is its check digit',
    source: 'CMS: NPI check digit',
    find: quoteNpis((npi) => /^\d{10}$/.test(npi) && !hasCheckDigit(npi)),
  }),
  warningRule('r4-modifier', {
    right:
      '`modifierExtension` and `implicitRules` are absent: they can change the meaning of other elements, and are not read',
    source: 'FHIR R4: Extensibility, modifier extensions; Resource.implicitRules',
    find: ({ resource: { modifierExtension: found, implicitRules: rules } }) =>
      quoteIf(found !== undefined, 'modifierExtension', objectsIn(found)[0]?.url ?? found) ??
      quoteIf(rules !== undefined, 'implicitRules', rules),
  }),
  hintRule('resource-contained', {
    right: 'each resource is a separate line: `contained` is not read',
    source: 'FHIR R4: contained resources; Manifest: output',
    find: ({ resource: { contained } }) =>
      quoteIf(contained !== undefined, 'contained', objectsIn(contained)[0]?.resourceType ?? contained),
  }),
]

/** Rules that are checked while resources are read. */
export const NOTED_RESOURCE_RULES = {
  /** Reported if no other rule explains a rejection. */
  rejected: errorRule('line-rejected', {
    right: 'a line can be read; this one was rejected for the given reason',
    source: 'How lines are read',
  }),
  wrongType: errorRule('resource-type', {
    right: 'a file contains only resources of the types under which it is listed; others are rejected',
    source: 'Manifest: output.type',
  }),
  typeNotListed: warningRule('resource-type-elsewhere', {
    right: 'a resource is in a file that is listed under its type; it is read anyway, except by Bulk Publish 4',
    source: 'Manifest: output.type',
  }),
  publishedTwice: errorRule('resource-published-twice', {
    right: 'a resource is published once; a different one with the same type and id is rejected',
    source: 'FHIR R4: Resource.id',
  }),
  repeated: hintRule('resource-repeated', {
    right: 'a resource is published once; identical copies are read once',
    source: 'FHIR R4: Resource.id',
  }),
}

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
  Location: ['partOf'],
}

const PLAIN_REFERENCE =
  /^(?:https?:\/\/\S+\/)?[A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64}(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/

function isLoose({ reference: whole }: ReferenceAtPath): boolean {
  const { reference, display, identifier } = whole
  if (reference === undefined) return display === undefined && identifier === undefined && !saysWhyAbsent(whole)
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

/** The check of National Provider Identifiers. */
function quoteNpis(violates: (npi: string) => boolean) {
  return ({ resource }: ResourceSubject) =>
    objectsIn(resource.identifier)
      .filter(({ system }) => NPI_SYSTEMS.has(asText(system) ?? ''))
      .map(({ value }) => asText(value) ?? '')
      .filter(violates)
      .map((npi) => quote('identifier', npi))
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
