import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { API_FILE, apiTypes } from './generate-api.ts'

test('the types of the API are what the document gives now; otherwise run `npm run client:api`', () => {
  assert.equal(readFileSync(API_FILE, 'utf8'), apiTypes())
})
