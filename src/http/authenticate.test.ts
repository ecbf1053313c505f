import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import {
  ask,
  connection,
  KEY,
  keyRing,
  NOW_MS,
  SLOTS,
  state,
  storedKey,
} from '../../test/support/http/sample-server.ts'
import { mintKey } from '../keys/mint-key.ts'

test('accepts a key as a Bearer credential, in any letter case, or in x-api-key', async () => {
  for (const headers of [
    { authorization: `Bearer ${KEY}` },
    { authorization: `bEARER   ${KEY}` },
    { 'x-api-key': KEY },
  ]) {
    assert.equal((await ask(SLOTS, headers)).status, 200)
  }
})

test('prefers a Bearer credential and ignores other schemes', async () => {
  assert.equal((await ask(SLOTS, { authorization: `Bearer ${mintKey()}`, 'x-api-key': KEY })).status, 401)
  assert.equal((await ask(SLOTS, { authorization: 'Bearer', 'x-api-key': KEY })).status, 401)
  assert.equal((await ask(SLOTS, { authorization: 'Basic dTpw', 'x-api-key': KEY })).status, 200)
  assert.equal((await ask(SLOTS, { authorization: `Basic ${KEY}` })).status, 401)
})

test('returns the same 401 on every /v1 path for any missing or invalid key', async () => {
  const first = await ask(SLOTS, {})
  assert.equal(first.status, 401)
  assert.equal(first.headers['www-authenticate'], 'Bearer')
  assert.deepEqual(Object.keys(first.json), ['error', 'message', 'documentation'])
  assert.equal(first.json.error, 'API key required')
  assert.match(
    first.json.message,
    /free key in the dashboard at https:\/\/slots\.example\/dashboard .* https:\/\/slots\.example\/docs$/,
  )
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
    for (const path of [
      SLOTS,
      '/v1/',
      '/v1/nothing?x=1',
      '/v1/%73cheduling/slots',
      '/%76%31/scheduling/slots',
      `${SLOTS}?limit=0`,
    ]) {
      const { status, text } = await ask(path, { authorization: 'Bearer svc_sk_short' }, method)
      assert.deepEqual([status, text], [401, first.text], `${method} ${path}`)
    }
  }
  assert.equal((await ask(`${SLOTS}?api_key=${KEY}`, {})).status, 401)
})

test('rejects a revoked or expired key immediately, even on a connection that used it before', async () => {
  const key = mintKey()
  keyRing.apply([{ ...storedKey('three', key), expiresAtMs: NOW_MS + 1000 }])
  const socket = connection()
  const statusOnSocket = async () => {
    socket.write(`HEAD ${SLOTS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    return String(answer).slice(9, 12)
  }
  assert.equal(await statusOnSocket(), '200')
  state.nowMs = NOW_MS + 1000
  assert.equal(await statusOnSocket(), '401')
  state.nowMs = NOW_MS
  assert.equal(await statusOnSocket(), '200')
  keyRing.apply([{ ...storedKey('three', key), revokedAtMs: NOW_MS }])
  assert.equal(await statusOnSocket(), '401')
  socket.destroy()
})

test('answers a key of a suspended organization with 403, also on a connection that used it before', async () => {
  const key = mintKey()
  const suspend = (revision: number, suspended: boolean) =>
    keyRing.apply([{ ...storedKey('suspended', key), organizationState: { revision, suspended } }])
  const get = (path = SLOTS, method = 'GET') => ask(path, { authorization: `Bearer ${key}` }, method)
  suspend(1, false)
  assert.equal((await get()).status, 200)
  suspend(2, true)
  const { status, json } = await get()
  const { documentation: _documentation, requestLogUrl: _requestLogUrl, ...said } = json
  assert.deepEqual(
    [status, said],
    [
      403,
      {
        error: 'Organization suspended',
        message:
          'The operator of this service suspended the organization of this API key. Its members see the reason in the dashboard at https://slots.example/dashboard.',
      },
    ],
  )
  const statuses = await Promise.all([get('/v1/nothing'), get('/mcp', 'POST'), get(`${SLOTS}?limit=0`)])
  assert.deepEqual(new Set(statuses.map((answer) => answer.status)), new Set([403]))
  const outcome = await get('/v1/fhir/$bulk-publish')
  assert.deepEqual([outcome.status, outcome.json.issue[0].code], [403, 'forbidden'])
  suspend(3, false)
  assert.equal((await get()).status, 200)
})
