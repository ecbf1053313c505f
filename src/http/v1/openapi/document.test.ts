import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApiFindings } from '../../../../test/support/http/openapi-rules.ts'
import { ask } from '../../../../test/support/http/sample-server.ts'
import { OPERATIONS, typesOf } from '../operations.ts'

test('documents every operation with each media type of its responses', async () => {
  const { json } = await ask('/openapi.json', {})
  assert.deepEqual(Object.keys(json.paths).sort(), OPERATIONS.map(({ path }) => path).sort())
  for (const operation of OPERATIONS) {
    const { responses } = json.paths[operation.path].get
    const content = responses[200]?.content ?? {}
    assert.deepEqual(Object.keys(content).sort(), typesOf(operation).sort(), operation.path)
    assert.equal(Object.hasOwn(responses, 302), operation.sendRedirect !== undefined)
  }
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
