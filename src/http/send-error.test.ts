import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, KEY, SLOTS } from '../../test/support/http/sample-server.ts'

const AS_PROBLEM = 'application/problem+json'

const askAs = (accept: string, path: string, method = 'GET') =>
  ask(path, { 'x-api-key': KEY, 'x-request-id': 'mine', accept }, method)

test('returns an RFC 9457 problem if Accept names that type, with documentation and request id', async () => {
  for (const accept of [`application/json, ${AS_PROBLEM}`, `*/*, ${AS_PROBLEM};q=0.5`]) {
    const { status, headers, json } = await askAs(accept, `${SLOTS}?limit=0`)
    assert.deepEqual([status, headers['content-type']], [400, AS_PROBLEM], accept)
    assert.deepEqual(json, {
      type: 'https://slots.example/docs/errors#400-invalid-parameter',
      title: 'Invalid parameter',
      status: 400,
      detail: 'limit must be an integer from 1 to 100: got "0".',
      instance: 'urn:request:mine',
      parameter: 'limit',
      requestLogUrl: 'https://slots.example/app/o/org/logs/mine',
    })
  }
})

test('uses the same format for errors of every layer', async () => {
  const cases: [string, string, number][] = [
    [SLOTS, 'POST', 405],
    ['/v1/nothing', 'GET', 404],
    ['/nothing', 'GET', 404],
    [`${SLOTS}?city=${'x'.repeat(9000)}`, 'GET', 414],
  ]
  for (const [path, method, status] of cases) {
    const { headers, json } = await askAs(`application/json, ${AS_PROBLEM}`, path, method)
    assert.deepEqual([headers['content-type'], json?.status, json?.instance], [AS_PROBLEM, status, 'urn:request:mine'])
  }
  const refused = await ask(SLOTS, { accept: AS_PROBLEM })
  assert.deepEqual([refused.status, refused.json.title], [401, 'API key required'])
})

test('returns data as JSON and 406 if only problem documents are accepted', async () => {
  const both = await askAs(`application/json, ${AS_PROBLEM}`, SLOTS)
  assert.deepEqual([both.status, both.headers['content-type']], [200, 'application/json'])
  const alone = await askAs(AS_PROBLEM, SLOTS)
  assert.deepEqual([alone.status, alone.json.title], [406, 'Not acceptable'])
})

test('keeps the plain error format for other Accept headers', async () => {
  for (const accept of [
    '*/*',
    'application/json',
    'application/*',
    `${AS_PROBLEM};q=0, application/json`,
    `${AS_PROBLEM};q=0.5, application/json`,
  ]) {
    const { headers, json } = await askAs(accept, `${SLOTS}?limit=0`)
    assert.equal(headers['content-type'], 'application/json', accept)
    assert.deepEqual(Object.keys(json), ['error', 'message', 'parameter', 'documentation', 'requestLogUrl'])
    assert.equal(json.documentation, 'https://slots.example/docs/errors#400-invalid-parameter')
    assert.equal(json.requestLogUrl, 'https://slots.example/app/o/org/logs/mine')
  }
})

test('links to the request log only if the request had a valid key', async () => {
  assert.deepEqual(Object.keys((await ask(SLOTS, {})).json), ['error', 'message', 'documentation'])
  assert.deepEqual(Object.keys((await ask('/nothing', { 'x-api-key': KEY })).json), [
    'error',
    'message',
    'documentation',
  ])
})
