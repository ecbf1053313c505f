import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { clientAddress, ForwardedNotice } from './client-address.ts'

/** The two things of a request that are looked at. */
function request(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

test('leaves out the zone of an address, which may have any length', () => {
  const forwarded = `fe80::1%${'a'.repeat(3000)}`
  const request = { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.1' } }
  assert.equal(clientAddress(request as never, 1), 'fe80::1')
})

test('ignores X-Forwarded-For without trusted proxies', () => {
  assert.equal(clientAddress(request('203.0.113.7', '198.51.100.1'), 0), '203.0.113.7')
  assert.equal(clientAddress(request('::ffff:203.0.113.7'), 0), '203.0.113.7')
  assert.equal(clientAddress(request('2001:db8::1'), 0), '2001:db8::1')
})

test('uses the address that the outermost trusted proxy reported', () => {
  const forwarded = '6.6.6.6, 198.51.100.1, 10.0.0.2'
  assert.equal(clientAddress(request('10.0.0.1', forwarded), 1), '10.0.0.2')
  assert.equal(clientAddress(request('10.0.0.1', forwarded), 2), '198.51.100.1')
  assert.equal(clientAddress(request('10.0.0.1', '198.51.100.1'), 3), '198.51.100.1')
})

test('parses the address forms of proxies and falls back to the connection', () => {
  assert.equal(clientAddress(request('10.0.0.1', '198.51.100.1:4711'), 1), '198.51.100.1')
  assert.equal(clientAddress(request('10.0.0.1', '[2001:db8::1]:4711'), 1), '2001:db8::1')
  assert.equal(clientAddress(request('10.0.0.1', '2001:db8::1'), 1), '2001:db8::1')
  assert.equal(clientAddress(request('10.0.0.1', 'unknown'), 1), '10.0.0.1')
  assert.equal(clientAddress(request('10.0.0.1'), 1), '10.0.0.1')
})

test('warns once of a forwarded address while no proxy is trusted', () => {
  for (const [trustedProxies, warnings] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const events: string[] = []
    const notice = new ForwardedNotice(trustedProxies, ({ message }) => void events.push(message))
    notice.note({ headers: {} })
    for (let n = 0; n < 3; n++) notice.note({ headers: { 'x-forwarded-for': '192.0.2.9' } })
    assert.deepEqual(events, Array(warnings).fill('forwarded address was ignored'))
  }
})
