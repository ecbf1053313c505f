import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { ask } from '../../../../test/support/http/sample-server.ts'
import { OPERATIONS } from '../operations.ts'
import { DESCRIBED } from './described-operations.ts'

test('describes every operation and no other, with each form that it answers in', () => {
  assert.deepEqual(Object.keys(DESCRIBED).sort(), OPERATIONS.map(({ path }) => path).sort())
  for (const { path, read, relayed, streams } of OPERATIONS) {
    const types = [
      ...(read !== undefined || relayed ? ['application/json'] : []),
      ...Object.keys(streams ?? {}),
    ]
    assert.deepEqual(Object.keys(DESCRIBED[path].answers).sort(), types.sort(), path)
  }
})

test('gives the document to everybody, and 304 to whoever has it', async () => {
  const { status, headers, json } = await ask('/openapi.json', {})
  assert.deepEqual([status, headers['content-type'], json.openapi], [200, 'application/json', '3.1.1'])
  assert.deepEqual(json.servers, [{ url: 'https://slots.example' }])
  const held = await ask('/openapi.json', { 'if-none-match': `W/${headers.etag}` })
  assert.deepEqual([held.status, held.text], [304, ''])
})

test('has no fault by the recommended rules of Redocly', async () => {
  const { text } = await ask('/openapi.json', {})
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off' })
  const found = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  assert.deepEqual(
    found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    [],
  )
})
