import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import {
  ask,
  connection,
  drained,
  keyRing,
  meter,
  NOW_MS,
  SLOTS,
  state,
  storedKey,
} from '../../test/support/http/sample-server.ts'
import { mintKey } from '../keys/mint-key.ts'
import { readerOf } from './key-networks.ts'
import { RateLimits } from './rate-limits.ts'
import { CHANGES_PATH } from './v1/list-changes/list-changes.ts'

/** A key that is limited to networks. */
function limitedKey(id: string, networks: readonly string[]) {
  const secret = mintKey()
  const stored = { ...storedKey(id, secret), networks }
  keyRing.apply([stored])
  return { stored, secret, headers: { authorization: `Bearer ${secret}` } }
}

test('accepts requests from the networks of a key, and refuses others on every path with 403', async () => {
  const inside = limitedKey('inside', ['127.0.0.0/8', '::1'])
  assert.equal((await ask(SLOTS, inside.headers)).status, 200)
  const outside = limitedKey('outside', ['203.0.113.0/24'])
  for (const path of [SLOTS, '/v1/nothing', '/v1/fhir/$bulk-publish', '/mcp']) {
    const { status, json } = await ask(path, outside.headers)
    assert.equal(status, 403, path)
    const text = json.resourceType === 'OperationOutcome' ? json.issue[0].details.text : json.error
    assert.equal(text, 'Address not allowed')
  }
  const { json } = await ask(SLOTS, outside.headers)
  assert.match(json.message, /^This API key is limited to certain networks, and 127\.0\.0\.1 is not in them\./)
  assert.ok(!json.message.includes('203.0.113'))
  const problem = await ask(SLOTS, { ...outside.headers, accept: 'application/json, application/problem+json' })
  assert.equal(problem.json.type, 'https://slots.example/docs/errors#403-address-not-allowed')
})

test('behind trusted proxies, the address is the one that they report', async () => {
  const { headers } = limitedKey('proxied', ['203.0.113.0/24', '2001:db8::/32'])
  const from = async (forwarded: string) => (await ask(SLOTS, { ...headers, 'x-forwarded-for': forwarded })).status
  assert.equal(await from('203.0.113.7'), 403, 'no proxy is trusted')
  state.trustedProxies = 1
  try {
    assert.equal(await from('203.0.113.7'), 200)
    assert.equal(await from('2001:db8::1'), 200)
    assert.equal(await from('203.0.113.7, 198.51.100.1'), 403, 'the caller wrote the first entry')
    assert.equal(await from('198.51.100.1, 203.0.113.7'), 200)
    assert.equal((await ask(SLOTS, headers)).status, 403, 'past the proxy')
  } finally {
    state.trustedProxies = 0
  }
})

test('an edit takes effect on connections that used the key before', async () => {
  const { stored, secret } = limitedKey('edited', ['127.0.0.0/8'])
  const socket = connection()
  const statusOnSocket = async () => {
    socket.write(`HEAD ${SLOTS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    return String(answer).slice(9, 12)
  }
  assert.equal(await statusOnSocket(), '200')
  keyRing.apply([{ ...stored, revision: 2, networks: ['10.0.0.0/8'] }])
  assert.equal(await statusOnSocket(), '403')
  keyRing.apply([stored])
  assert.equal(await statusOnSocket(), '403', 'an outdated state')
  const { networks: _, ...free } = stored
  keyRing.apply([{ ...free, revision: 3 }])
  assert.equal(await statusOnSocket(), '200')
  socket.destroy()
})

test('refuses a request whose key is limited to other networks while its body arrives', async (t) => {
  const { stored, headers } = limitedKey('narrowed', ['127.0.0.0/8'])
  state.isRelayPending = true
  t.after(() => {
    state.isRelayPending = false
    state.isAccepted = undefined
  })
  const response = ask(CHANGES_PATH, headers)
  const isAccepted = await eventually(() => state.isAccepted)
  assert.equal(isAccepted(), true)
  keyRing.apply([{ ...stored, revision: 2, networks: ['10.0.0.0/8'] }])
  assert.equal(isAccepted(), false)
  assert.equal((await response).status, 403)
})

test('logs refused requests of the key, and does not charge its limits', async () => {
  const { headers } = limitedKey('charged', ['10.0.0.0/8'])
  meter.drain()
  state.rateLimits = new RateLimits({ keyRequests: 1 })
  try {
    for (const _ of [1, 2, 3]) assert.equal((await ask(SLOTS, headers)).status, 403)
  } finally {
    state.rateLimits = undefined
  }
  const { logged } = await drained(3, ['charged'])
  assert.deepEqual(
    logged.filter(({ keyId }) => keyId === 'charged').map(({ status, error, address }) => [status, error, address]),
    Array.from({ length: 3 }, () => [403, 'Address not allowed', '127.0.0.1']),
  )
})

test('a long response ends when an edit excludes its reader, or its organization is suspended', () => {
  const { stored, secret } = limitedKey('reading', ['127.0.0.1'])
  const key = keyRing.find(secret, NOW_MS)
  assert.ok(key)
  const reader = readerOf(key, { headers: {}, socket: { remoteAddress: '::ffff:127.0.0.1' } } as IncomingMessage, {})
  assert.ok(reader.isActive(NOW_MS))
  keyRing.apply([{ ...stored, revision: 2, networks: ['10.0.0.0/8'] }])
  assert.equal(reader.isActive(NOW_MS), false)
  keyRing.apply([{ ...storedKey('reading', secret), revision: 3 }])
  assert.ok(reader.isActive(NOW_MS))
  const organizationState = { revision: 4, suspended: true }
  keyRing.apply([{ ...storedKey('reading', secret), revision: 3, organizationState }])
  assert.equal(reader.isActive(NOW_MS), false)
})
