import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf } from '../auth/auth-request.ts'
import { pathForLog, serializeResponse, toWebRequest } from './dashboard-service.ts'

const ORIGIN = 'https://slots.example'
const never = new AbortController().signal

test('keeps the method, headers and body, and sets the address that the main thread saw', async () => {
  const request = toWebRequest(
    {
      method: 'POST',
      target: '/api/organizations?x=1',
      headers: [
        ['Cookie', 'a=1'],
        ['x-slots-client-address', '203.0.113.9'],
        ['X-Slots-Client-Address', '203.0.113.8'],
      ],
      body: new TextEncoder().encode('{"name":"Acme"}'),
      address: '192.0.2.1',
      requestId: 'one',
    },
    ORIGIN,
    never,
  )
  assert.deepEqual(
    [request.method, request.url, request.headers.get('cookie'), addressOf(request.headers), await request.text()],
    ['POST', `${ORIGIN}/api/organizations?x=1`, 'a=1', '192.0.2.1', '{"name":"Acme"}'],
  )
})

test('ignores the host that a request line names', () => {
  for (const target of ['//evil.example/api/me', 'https://evil.example/api/me', '///api/me', '/api/me']) {
    const plain = { method: 'GET', target, headers: [], address: '192.0.2.1', requestId: 'one' }
    assert.equal(new URL(toWebRequest(plain, ORIGIN, never).url).origin, ORIGIN, target)
  }
})

test('keeps a separate header for each cookie of a response', async () => {
  const headers = new Headers({ 'content-type': 'text/plain' })
  headers.append('set-cookie', 'a=1; Path=/')
  headers.append('set-cookie', 'b=2; Path=/')
  const plain = await serializeResponse(new Response('ä', { status: 201, headers }))
  assert.equal(plain.status, 201)
  assert.deepEqual(
    plain.headers.filter(([name]) => name === 'set-cookie'),
    [
      ['set-cookie', 'a=1; Path=/'],
      ['set-cookie', 'b=2; Path=/'],
    ],
  )
  assert.equal(new TextDecoder().decode(plain.body), 'ä')
})

test('removes the query from a path for the log', () => {
  assert.equal(pathForLog('/api/organizations/org_1?token=x'), '/api/organizations/org_1')
})
