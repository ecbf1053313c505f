import { asObject, type Json, objectsIn } from '../../lib/json.ts'
import { got } from '../quoted-value.ts'
import type { Rule } from '../rule.ts'
import type { ResourceSubject } from './resource-rules.ts'

/** What a resource of any type should not hold, though readers go on without it. */
export const CONTENT_RULES: readonly Rule<ResourceSubject>[] = [
  {
    id: 'r4-modifier',
    severity: 'warning',
    right: '`modifierExtension` is absent: it can change the meaning of other elements, and it is not read',
    source: 'FHIR R4: Extensibility, modifier extensions',
    find: ({ resource: { modifierExtension } }) =>
      modifierExtension === undefined
        ? undefined
        : got('modifierExtension', objectsIn(modifierExtension)[0]?.url ?? modifierExtension),
  },
  {
    id: 'resource-contained',
    severity: 'hint',
    right: 'each resource is a separate line: `contained` is not read',
    source: 'FHIR R4: contained resources; Manifest: output',
    find: ({ resource: { contained } }) =>
      contained === undefined
        ? undefined
        : got('contained', objectsIn(contained)[0]?.resourceType ?? contained),
  },
  {
    id: 'text-markup',
    severity: 'hint',
    right: 'texts are plain: HTML tags and entities are shown literally',
    source: 'FHIR R4: string',
    find: ({ resource }) => {
      const [found] = textsOf(resource).filter(([, text]) => MARKUP.test(text))
      return found === undefined ? undefined : got(...found)
    },
  },
]

const MARKUP = /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|&(?:[a-z]{2,8}|#\d{1,6}|#x[0-9a-f]{1,6});/i

/** Those that people get to read. */
function textsOf(resource: Json): [string, string][] {
  const [address] = objectsIn(resource.address)
  const lines = Array.isArray(address?.line) ? address.line.slice(0, 5) : [address?.line]
  const [named] = objectsIn(resource.name)
  const said: [string, unknown][] = [
    ['name', resource.name],
    ['name.text', named?.text],
    ['description', resource.description],
    ['comment', resource.comment],
    ...lines.map((line, at): [string, unknown] => [`address.line[${at}]`, line]),
    ['address.city', address?.city],
    ['serviceType.text', asObject(objectsIn(resource.serviceType)[0])?.text],
  ]
  return said.filter((one): one is [string, string] => typeof one[1] === 'string')
}
