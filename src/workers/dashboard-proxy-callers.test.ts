import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { SerializedResponse } from '../http/serialized-http.ts'
import type { ToAccountThread } from './dashboard-messages.ts'
import { AccountGate } from './dashboard-proxy.ts'

/** A gate for callers of `/v1` alone, what it left to be sent to them, and a way to ask; the other side may be silent. */
async function gateForCallers(t: TestContext, answer: SerializedResponse | undefined) {
  const sent: SerializedResponse[] = []
  const post = (message: ToAccountThread) => {
    if (message.kind === 'request' && answer !== undefined)
      setImmediate(() => gate.answer(message.id, answer))
    return true
  }
  const upload = { bytesMax: 1, idleMs: 5000, answerMs: 5000 }
  const answerMs = answer === undefined ? 20 : 5000
  const gate = new AccountGate({ post, trustedProxies: 0, bodyMs: 5000, answerMs, upload })
  const server = createServer((request, response) => {
    const send = (each: SerializedResponse) => {
      sent.push(each)
      response.end()
    }
    gate.handle({ request, response, requestId: 'r1', operation: '/v1/scheduling/changes', send })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const ask = async (body = '') => {
    const [response] = await once(request({ port, method: 'POST', agent: false }).end(body), 'response')
    response.resume()
    await once(response, 'end')
    return { headers: response.headers, sent: sent.pop() }
  }
  return { ask }
}

test('leaves to the caller in which form an answer comes, and says nothing that is for browsers', async (t) => {
  const answer: SerializedResponse = {
    status: 201,
    headers: [['a', 'b']],
    body: new TextEncoder().encode('x'),
  }
  const { ask } = await gateForCallers(t, answer)
  const { headers, sent } = await ask()
  assert.deepEqual(sent, answer)
  assert.deepEqual(Object.keys(headers).sort(), ['connection', 'content-length', 'date'])
})

test('does so with its own refusals', async (t) => {
  const { ask } = await gateForCallers(t, undefined)
  for (const [body, status, name, value] of [
    ['', 503, 'retry-after', '1'],
    ['x'.repeat(65_537), 413, 'connection', 'close'],
  ] as const) {
    const { sent } = await ask(body)
    const told = Object.fromEntries(sent?.headers ?? [])
    assert.deepEqual([sent?.status, told['content-type'], told[name]], [status, 'application/json', value])
    assert.deepEqual(Object.keys(JSON.parse(new TextDecoder().decode(sent?.body))), ['error', 'message'])
  }
})
