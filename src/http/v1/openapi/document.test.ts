import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApiFindings } from '../../../../test/support/http/openapi-rules.ts'
import { ask } from '../../../../test/support/http/sample-server.ts'
import { JSON_TYPE } from '../../negotiation.ts'
import { OPERATIONS } from '../operations.ts'
import { openApiDocument } from './document.ts'

test('documents every operation with each media type of its responses', async () => {
  const { json } = await ask('/openapi.json', {})
  assert.deepEqual(Object.keys(json.paths).sort(), [...new Set(OPERATIONS.map(({ path }) => path))].sort())
  for (const operation of OPERATIONS) {
    const { method = 'GET', status = 200 } = operation
    const { responses } = json.paths[operation.path][method.toLowerCase()]
    const content = responses[status]?.content ?? {}
    const streamed = Object.keys(operation.streams ?? {})
    const others = Object.keys(content).filter((type) => !streamed.includes(type))
    assert.equal(Object.keys(content).length, others.length + streamed.length, operation.path)
    assert.ok(
      others.every((type) => type === JSON_TYPE),
      `${operation.path}: ${others}`,
    )
    assert.equal(Object.hasOwn(responses, 302), operation.sendRedirect !== undefined)
    assert.equal(Object.hasOwn(responses, 413), operation.body !== undefined, operation.path)
  }
})

test('documents Content-Range of a range and of a range beyond the file', async () => {
  const { paths, components } = (await ask('/openapi.json', {})).json
  for (const path of ['/v1/fhir/{file}', '/v1/fhir/update-files/{updateFile}'])
    assert.ok(paths[path].get.responses[206].headers['Content-Range'], path)
  assert.ok(components.responses.RangeNotSatisfiableOutcome.headers['Content-Range'])
  const form = new RegExp(components.headers['Content-Range'].schema.pattern)
  for (const value of ['bytes 10-19/700', 'bytes */700']) assert.match(value, form)
})

test('serves the document without a key and returns 304 if the caller has it', async () => {
  const { status, headers, json } = await ask('/openapi.json', {})
  assert.deepEqual([status, headers['content-type'], json.openapi], [200, 'application/json', '3.1.1'])
  assert.deepEqual(json.servers, [{ url: 'https://slots.example' }])
  const held = await ask('/openapi.json', { 'if-none-match': `W/${headers.etag}` })
  assert.deepEqual([held.status, held.text], [304, ''])
})

test('follows the OpenAPI rules, and its examples match their schemas', async () => {
  const { json } = await ask('/openapi.json', {})
  assert.deepEqual(await openApiFindings(json), [])
})

test('names the service, its terms and its contact in the form of OpenAPI', async () => {
  const base = 'https://slots.example'
  const addresses = { baseUrl: base, docsUrl: `${base}/docs`, dashboardUrl: `${base}/`, version: '1.2.3' }
  const infoOf = (contact: string) => {
    const service = { name: 'Acme Slots', contact, termsUrl: 'https://acme.example/terms' }
    return (openApiDocument({ ...addresses, service }) as { info: Record<string, unknown> }).info
  }
  const { title, termsOfService, contact } = infoOf('mailto:help@acme.example?subject=Slots')
  assert.deepEqual([title, termsOfService], ['Acme Slots', 'https://acme.example/terms'])
  assert.deepEqual(contact, { name: 'Acme Slots', email: 'help@acme.example' })
  assert.deepEqual(infoOf('https://acme.example/help').contact, {
    name: 'Acme Slots',
    url: 'https://acme.example/help',
  })
  const { json } = await ask('/openapi.json', {})
  assert.deepEqual(
    [json.info.title, 'contact' in json.info, 'termsOfService' in json.info],
    ['Scheduling Slots', false, false],
  )
})
