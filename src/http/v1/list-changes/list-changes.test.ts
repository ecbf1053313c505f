import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, KEY } from '../../../../test/support/http/sample-server.ts'
import { CHANGES_PATH } from './list-changes.ts'

const key = { 'x-api-key': KEY }

test('relays a request for changes with its operation, in any notation of the path', async () => {
  for (const path of [`${CHANGES_PATH}?since=1.0`, '/v1/scheduling/%63hanges', `http://x${CHANGES_PATH}`]) {
    const { status, headers } = await ask(path, key)
    assert.deepEqual([status, headers.operation], [299, CHANGES_PATH], path)
  }
  assert.equal((await ask(CHANGES_PATH, key, 'HEAD')).headers.operation, CHANGES_PATH)
})

test('does not relay without a key, with another method, or for another media type', async () => {
  assert.equal((await ask(CHANGES_PATH, {})).status, 401)
  assert.equal((await ask(CHANGES_PATH, { ...key, accept: 'text/html' })).status, 406)
  const { status, headers } = await ask(CHANGES_PATH, key, 'POST')
  assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS'])
})

test('never marks a dashboard request as authenticated by key', async () => {
  for (const path of ['/api/me', `/api/${CHANGES_PATH}`]) {
    const { status, headers } = await ask(path, { ...key, operation: CHANGES_PATH })
    assert.deepEqual([status, headers.operation], [299, undefined], path)
  }
  // Resolves to a path of /v1, which requires a key.
  assert.equal((await ask(`/api/..${CHANGES_PATH}`, { operation: CHANGES_PATH })).status, 401)
})
