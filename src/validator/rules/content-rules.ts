import { asObject, asText, type Json, objectsIn, textsIn } from '../../lib/json.ts'
import { hintRule, quote, type Rule, warningRule } from '../rule.ts'
import type { ResourceSubject } from './resource-rules.ts'

/** The HL7 code system of service types. */
const SERVICE_TYPE_SYSTEM = 'http://terminology.hl7.org/CodeSystem/service-type'

/** Rules for the labels and texts of all resources. */
export const CONTENT_RULES: readonly Rule<ResourceSubject>[] = [
  warningRule('resource-test-data', {
    right: 'a public feed has no test data: no resource is labeled `HTEST`',
    source: 'FHIR R4: Resource.meta; v3 ActReason',
    find: ({ resource }) => quoteLabel(resource, ['security', 'tag'], ({ code }) => code === 'HTEST'),
  }),
  warningRule('resource-restricted', {
    right: 'a public feed has no restricted resources: no security label says `R` or `V`',
    source: 'FHIR R4: security labels, v3 Confidentiality',
    find: ({ resource }) => quoteLabel(resource, ['security'], ({ code }) => code === 'R' || code === 'V'),
  }),
  hintRule('text-markup', {
    right: 'texts are plain: HTML tags and entities are shown literally',
    source: 'FHIR R4: string',
    find: ({ resource }) => quoteText(resource, MARKUP),
  }),
  hintRule('text-misencoded', {
    right: 'texts are correct Unicode: "Ã±" is "ñ" read in the wrong encoding, and "�" is a lost character',
    source: 'RFC 8259, 8.1',
    find: ({ resource }) => quoteText(resource, MISENCODED),
  }),
  warningRule('comment-personal', {
    right: 'a comment has no personal data: a feed is public',
    source: 'Access control considerations; FHIR R4: Slot.comment',
    find: ({ type, resource: { comment } }) =>
      (type === 'Slot' || type === 'Schedule') && typeof comment === 'string' && PERSONAL.test(comment)
        ? quote('comment', comment)
        : undefined,
  }),
  hintRule('service-type-code', {
    right: 'a code of the HL7 system of service types is one of its codes',
    source: 'HL7 Terminology: service-type',
    find: ({ resource: { serviceType } }) => {
      const codings = objectsIn(serviceType).flatMap(({ coding }) => objectsIn(coding))
      const unknown = codings.find(
        ({ system, code }) =>
          system === SERVICE_TYPE_SYSTEM && asText(code) !== undefined && !isServiceTypeCode(String(code)),
      )
      return unknown === undefined ? undefined : quote('serviceType.coding.code', unknown.code)
    },
  }),
]

/** The first label of a resource that matches. */
function quoteLabel({ meta }: Json, names: readonly string[], matches: (coding: Json) => boolean): string | undefined {
  if (meta === undefined) return undefined
  for (const name of names) {
    const found = objectsIn(asObject(meta)?.[name]).find(matches)
    if (found !== undefined) return quote(`meta.${name}.code`, found.code)
  }
  return undefined
}

/** The first text of a resource that matches. */
function quoteText(resource: Json, pattern: RegExp): string | undefined {
  const found = textsOf(resource).find(([, text]) => pattern.test(text))
  return found === undefined ? undefined : quote(...found)
}

const MARKUP = /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|&(?:[a-z]{2,8}|#\d{1,6}|#x[0-9a-f]{1,6});/i

/** UTF-8 that was decoded as Latin-1 or Windows-1252, and the replacement character. */
const MISENCODED = /\ufffd|[ÃÂ][\u0080-\u00bf]|â€/

/** Social security numbers, dates of birth, record numbers, email addresses and names of patients. */
const PERSONAL =
  /\b\d{3}-\d{2}-\d{4}\b|\b(?:DOB|MRN|SSN)\b|\bdate of birth\b|\bmedical record (?:number|no)|(?<![\w.+-])[\w.+-]+@[\w-]+\.\w{2,}|\bpatient(?: name)?\s*[:=]|\b(?:Patient|patient|Pt|pt|Mr|Mrs|Ms)\.?,? [A-Z][a-z]+ [A-Z][a-z]+/

/** The texts shown to people, with their paths. */
function textsOf(resource: Json): [string, string][] {
  const [address] = objectsIn(resource.address)
  const lines = Array.isArray(address?.line) ? address.line.slice(0, 5) : [address?.line]
  const [named] = objectsIn(resource.name)
  const texts: [string, unknown][] = [
    ['name', resource.name],
    ...['text', 'family', 'given', 'prefix', 'suffix'].map((part): [string, unknown] => [
      `name.${part}`,
      asText(named?.[part]) ?? textsIn(named?.[part])[0],
    ]),
    ['description', resource.description],
    ['comment', resource.comment],
    ...lines.map((line, at): [string, unknown] => [`address.line[${at}]`, line]),
    ['address.city', address?.city],
    ['serviceType.text', asObject(objectsIn(resource.serviceType)[0])?.text],
  ]
  return texts.filter((one): one is [string, string] => typeof one[1] === 'string')
}

/** True for a code of the system: 1 to 629 with gaps. */
function isServiceTypeCode(code: string): boolean {
  const number = Number(code)
  return /^[1-9]\d{0,2}$/.test(code) && number <= LAST && !GAPS.some(([from, to]) => number >= from && number <= to)
}

const LAST = 629

const GAPS: readonly (readonly [from: number, to: number])[] = [
  [329, 329],
  [363, 363],
  [487, 487],
  [499, 499],
  [511, 512],
  [515, 529],
  [549, 549],
  [578, 579],
  [586, 588],
  [592, 592],
  [594, 598],
]
