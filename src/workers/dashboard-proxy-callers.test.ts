import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { listenOnLoopback } from '../../test/support/listen-on-loopback.ts'
import type { SerializedResponse } from '../http/serialized-http.ts'
import { DashboardProxy } from './dashboard-proxy.ts'

/** A proxy for callers of `/v1` alone, what it hands over to be sent, and a way to ask; undefined: the other side never replies. */
async function proxyForCallers(t: TestContext, reply: SerializedResponse | undefined, isKeyActive = true) {
  const sent: SerializedResponse[] = []
  let forwarded = 0
  const proxy = new DashboardProxy({
    respond: async () => {
      forwarded++
      return reply ?? new Promise<never>(() => {})
    },
    trustedProxies: 0,
    firstByteMs: 5000,
    bodyMs: 5000,
    responseMs: reply === undefined ? 20 : 5000,
    uploadBytesMax: 1,
    uploadIdleMs: 5000,
    uploadResponseMs: 5000,
  })
  const server = createServer((request, response) => {
    const send = (each: SerializedResponse) => {
      sent.push(each)
      response.end()
    }
    const isAccepted = () => {
      if (!isKeyActive) response.writeHead(401).end()
      return isKeyActive
    }
    proxy.handle({ request, response, requestId: 'r1', operation: '/v1/scheduling/changes', isAccepted, send })
  })
  const { port } = await listenOnLoopback(t, server)
  const ask = async (body = '') => {
    const [response] = await once(request({ port, method: 'POST', agent: false }).end(body), 'response')
    response.resume()
    await once(response, 'end')
    return { status: response.statusCode, headers: response.headers, sent: sent.pop() }
  }
  return { ask, forwarded: () => forwarded }
}

test('does not forward a body whose key is no longer accepted', async (t) => {
  const { ask, forwarded } = await proxyForCallers(t, undefined, false)
  assert.equal((await ask('{}')).status, 401)
  assert.equal(forwarded(), 0)
})

test('leaves the form of the response to the caller, without headers for browsers', async (t) => {
  const answer: SerializedResponse = {
    status: 201,
    headers: [['a', 'b']],
    body: new TextEncoder().encode('x'),
  }
  const { ask } = await proxyForCallers(t, answer)
  const { headers, sent } = await ask()
  assert.deepEqual(sent, answer)
  assert.deepEqual(Object.keys(headers).sort(), ['connection', 'content-length', 'date'])
})

test('leaves the form of its rejections to the caller', async (t) => {
  const { ask } = await proxyForCallers(t, undefined)
  for (const [body, status, name, value] of [
    ['', 503, 'retry-after', '1'],
    ['x'.repeat(65_537), 413, 'connection', 'close'],
  ] as const) {
    const { sent } = await ask(body)
    const headers = Object.fromEntries(sent?.headers ?? [])
    assert.deepEqual([sent?.status, headers['content-type'], headers[name]], [status, 'application/json', value])
    assert.deepEqual(Object.keys(JSON.parse(new TextDecoder().decode(sent?.body))), ['error', 'message'])
  }
})
