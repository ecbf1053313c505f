import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApiDocument } from '../../../src/http/v1/openapi/document.ts'
import { openApiFindings } from './openapi-rules.ts'

// biome-ignore lint/suspicious/noExplicitAny: the faults go where the types forbid it.
type Json = any

const LIST = '/v1/scheduling/slots'

/** Faults, each with the finding that reports it. */
const FAULTS: readonly (readonly [fault: (document: Json) => void, finding: RegExp])[] = [
  [(document) => delete document.info.title, /OpenAPI schema/],
  [(document) => Object.assign(listOf(document), { sumary: 'List' }), /OpenAPI schema/],
  [({ components }) => Object.assign(components.schemas, { 'a b': {} }), /OpenAPI schema/],
  [({ components }) => delete components.schemas.Provider, /nothing is at #\/components\/schemas\/Provider/],
  [({ components }) => Object.assign(components.schemas.Slot.properties.provider, { type: 'object' }), /has siblings/],
  [({ components }) => Object.assign(components.schemas, { Unused: { type: 'string' } }), /Unused: is not used/],
  [({ info }) => delete info.license.identifier, /license: is not identified/],
  [(document) => delete document.servers, /servers: is empty/],
  [({ servers }) => Object.assign(servers[0], { url: 'https://slots.example/' }), /ends with a slash/],
  [({ tags }) => tags.push(tags[0]), /Slots is there twice/],
  [({ tags }) => delete tags[0].description, /Slots has no description/],
  [({ security }) => security.push({ other: [] }), /security: other is not defined/],
  [(document) => delete document.security, /security: is not defined/],
  [({ paths }) => Object.assign(paths, { '/v1/a/': paths[LIST] }), /\/v1\/a\/: is no path/],
  [({ paths }) => Object.assign(paths, { '/v1/a?b': paths[LIST] }), /is no path/],
  [({ paths }) => Object.assign(paths, { [`${LIST}/{other}`]: paths[`${LIST}/{id}`] }), /matches the same URLs/],
  [({ paths }) => Object.assign(paths, { '/v1/{a}/slots/b': { get: listOf({ paths }) } }), /matches the same URLs/],
  [
    ({ paths }) => Object.assign(paths['/v1/scheduling/actors'].get, { operationId: 'listSlots' }),
    /id of two operations/,
  ],
  [(document) => Object.assign(listOf(document), { operationId: 'list slots' }), /no id that is safe/],
  [(document) => delete listOf(document).summary, /has no summary/],
  [(document) => delete listOf(document).responses[200], /no 2xx response/],
  [(document) => listOf(document).parameters.push(listOf(document).parameters[0]), /parameter query state twice/],
  [({ paths }) => paths[`${LIST}/{id}`].get.parameters.pop(), /other path parameters/],
  [({ components }) => statusOf(components).enum.push('free'), /allows free twice/],
  [({ components }) => statusOf(components).enum.push(1), /values of another type/],
  [({ components }) => components.schemas.Change.oneOf.pop(), /leaves no choice/],
  [(document) => Object.assign(parameterOf(document, 'limit').schema, { exclusiveMinimum: 0 }), /two bounds/],
  [(document) => Object.assign(parameterOf(document, 'limit'), { example: 'many' }), /example: data must be integer/],
  [(document) => Object.assign(parameterOf(document, 'status'), { example: 'taken' }), /example: data must be equal/],
  [({ components }) => components.schemas.Slot.required.push('color'), /strict mode: required property "color"/],
  [({ components }) => Object.assign(components.schemas.Slot.properties.id, { minimum: 1 }), /missing type "number/],
  [
    ({ components }) => Object.assign(components.schemas.Slot.properties.id, { patern: 'a' }),
    /unknown keyword: "patern"/,
  ],
  [({ components }) => Object.assign(components.schemas.Slot.properties.id, { examples: [1] }), /must be string/],
  [({ components }) => delete components.schemas.SlotPage.properties.total, /example|strict mode/],
  [(document) => Object.assign(document.info, { description: '<script>' }), /description is unsafe/],
]

test('finds nothing wrong with our document, and each fault in it', async () => {
  assert.deepEqual(await openApiFindings(ourDocument()), [])
  for (const [fault, finding] of FAULTS) {
    const document = ourDocument()
    fault(document)
    assert.match((await openApiFindings(document)).join('\n'), finding, String(fault))
  }
})

function ourDocument(): Json {
  const url = 'https://slots.example'
  const document = openApiDocument({ baseUrl: url, docsUrl: `${url}/docs`, dashboardUrl: `${url}/app`, version: '0' })
  return JSON.parse(JSON.stringify(document))
}

function listOf({ paths }: Json): Json {
  return paths[LIST].get
}

function parameterOf(document: Json, wanted: string): Json {
  return listOf(document).parameters.find(({ name }: Json) => name === wanted)
}

function statusOf(components: Json): Json {
  return components.schemas.Slot.properties.status
}
