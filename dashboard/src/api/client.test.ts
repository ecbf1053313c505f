import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSearch, operationUrl } from './client.ts'

test('escapes the variable parts of a path', () => {
  const params = { org: 'a/../b', key: 'c d?' }
  const url = operationUrl('GET /api/organizations/:org/keys/:key', { params })
  assert.equal(url, '/api/organizations/a%2F..%2Fb/keys/c%20d%3F')
})

test('leaves absent values out of a query', () => {
  assert.equal(formatSearch({ fromMs: 0, key: undefined, actor: '', paused: false }), '?fromMs=0&paused=false')
  assert.equal(formatSearch({ key: undefined }), '')
})
