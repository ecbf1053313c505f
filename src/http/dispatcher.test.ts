import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import {
  ask,
  connection,
  drained,
  KEY,
  meter,
  NOW_MS,
  OTHER_KEY,
  SLOTS,
  state,
} from '../../test/support/http/sample-server.ts'

test('counts every request of an active key under /v1, whatever its response', async () => {
  const key = { 'x-api-key': KEY, 'x-request-id': 'mine' }
  const { headers } = await ask(SLOTS, key)
  meter.drain()
  await ask(`${SLOTS}?limit=1`, key)
  await ask(`${SLOTS}?limit=0`, key)
  await ask(SLOTS, { ...key, 'if-none-match': String(headers.etag) })
  await ask(SLOTS, { ...key, accept: 'text/html' })
  await ask('/v1/nothing', key)
  await ask(SLOTS, key, 'POST')
  await ask(`${SLOTS}?city=${'x'.repeat(9000)}`, key)
  await ask(SLOTS, { 'x-api-key': OTHER_KEY }, 'HEAD')
  const batch = await drained(8)
  assert.deepEqual(
    batch.logged.map(({ keyId, method, status }) => [keyId, method, status]),
    [
      ['one', 'GET', 200],
      ['one', 'GET', 400],
      ['one', 'GET', 304],
      ['one', 'GET', 406],
      ['one', 'GET', 404],
      ['one', 'POST', 405],
      ['one', 'GET', 414],
      ['two', 'HEAD', 200],
    ],
  )
  const [first] = batch?.logged ?? []
  assert.deepEqual([first.target, first.requestId, first.atMs], [`${SLOTS}?limit=1`, 'mine', NOW_MS])
  assert.ok(Number.isInteger(first.durationUs) && first.durationUs > 0)
  assert.deepEqual(
    [...batch.lastUsed],
    [
      ['one', NOW_MS],
      ['two', NOW_MS],
    ],
  )
})

test('counts nothing without an active key, outside of /v1, or before the slots are loaded', async () => {
  meter.drain()
  await ask(SLOTS, {})
  await ask(SLOTS, { 'x-api-key': 'svc_sk_unknown' })
  for (const path of ['/', '/livez', '/api/me', '/nothing']) await ask(path, { 'x-api-key': KEY })
  state.ready = false
  await ask(SLOTS, { 'x-api-key': KEY })
  state.ready = true
  assert.equal(meter.drain(), undefined)
})

test('counts each pipelined request of one connection', async () => {
  meter.drain()
  const socket = connection()
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\n`
  socket.write(`${request(SLOTS)}\r\n${request('/v1/nothing')}\r\n${request(SLOTS)}Connection: close\r\n\r\n`)
  socket.resume()
  await once(socket, 'close')
  const batch = await drained(3)
  assert.deepEqual(batch.logged.map(({ status }) => status).sort(), [200, 200, 404])
})

test('answers a target in absolute-form as one in origin-form', async () => {
  for (const target of [
    '/',
    '/?a=1',
    '/livez',
    '/mcp',
    '/api/me',
    '/fhir/nothing',
    '/v1/fhir/nothing',
    `${SLOTS}?limit=1`,
  ]) {
    const answers = await Promise.all(
      [target, `http://slots.example${target}`, `HTTPS://slots.example:8443${target}`].map((one) => ask(one, KEYED)),
    )
    const [expected, ...others] = answers.map(({ status, text }) => ({ status, text }))
    for (const other of others) assert.deepEqual(other, expected, target)
  }
  const [home, bare] = await Promise.all(['/', 'http://slots.example'].map((target) => ask(target, {})))
  assert.deepEqual([bare.status, bare.text], [home.status, home.text])
  assert.equal(home.status, 200)
})

test('refuses a compressed body', async () => {
  const headers = { ...KEYED, 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const { status, json } = await ask('/v1/scheduling/subscriptions', headers, 'POST')
  assert.equal(status, 415)
  assert.match(json.message, /without Content-Encoding/)
})

const KEYED = { 'x-api-key': KEY, 'x-request-id': 'mine' }
