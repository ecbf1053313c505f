import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { listenOnLoopback } from '../../test/support/listen-on-loopback.ts'
import { DashboardProxy, PROXY_LIMITS, type ProxyOptions } from './dashboard-proxy.ts'

const DONE = { status: 200, headers: [], body: new Uint8Array() }

interface Sending {
  /** When it resolves, the client is gone. */
  readonly closing?: Promise<unknown>
  readonly body?: string
}

/** A proxy that answers everything at once. Returns a function that sends a raw request. */
async function proxyBehindOneProxy(t: TestContext, respond: ProxyOptions['respond'] = async () => DONE) {
  const proxy = new DashboardProxy({
    ...PROXY_LIMITS,
    firstByteMs: 4000,
    trustedProxies: 1,
    uploadBytesMax: 1,
    respond,
  })
  const server = createServer((request, response) => {
    const proxied = { request, response, requestId: 'r1' }
    if (request.url === '/readyz') proxy.handleReadiness(proxied)
    else proxy.handle(proxied)
  })
  const { port } = await listenOnLoopback(t, server)
  return async (head: string, address = '192.0.2.1', { closing, body = '' }: Sending = {}) => {
    const socket = connect(port, '127.0.0.1')
    t.after(() => socket.destroy())
    void closing?.then(() => socket.destroy())
    socket.write(`${head}\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: ${address}\r\n\r\n`)
    // Reads nothing before it has sent everything.
    if (body !== '') await new Promise<unknown>((resolve) => socket.write(body, resolve))
    return (await text(socket)).slice(9, 12)
  }
}

const SILENT = 'POST /api/auth/sign-in/email HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 9'

test('keeps answering while bodies do not come, and limits those of one address to eight', async (t) => {
  const send = await proxyBehindOneProxy(t)
  const statuses = Array.from({ length: 205 }, () => send(SILENT))
  assert.equal(await send('GET /api/options HTTP/1.1'), '200')
  assert.equal(await send('POST /api/auth/sign-out HTTP/1.1'), '200')
  assert.equal(await send('GET /readyz HTTP/1.1\r\nContent-Length: 9'), '200')
  const fromElsewhere = send(SILENT, '192.0.2.2')
  const all = await Promise.all(statuses)
  assert.deepEqual([...new Set(all)].sort(), ['408', '503'])
  assert.equal(all.filter((status) => status === '408').length, 8)
  assert.equal(await fromElsewhere, '408', 'another address has a place')
})

test('refuses the body of a request without a session before it arrives', async (t) => {
  const send = await proxyBehindOneProxy(t)
  const head = 'POST /api/organizations HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 9'
  const statuses = await Promise.all(Array.from({ length: 20 }, () => send(head)))
  assert.deepEqual([...new Set(statuses)], ['401'])
})

test('lets clients that send too much read the response before it closes their connection', async (t) => {
  const send = await proxyBehindOneProxy(t)
  const large = { body: 'x'.repeat(8_000_000) }
  const head = 'POST /api/auth/sign-in/email HTTP/1.1\r\nContent-Type: application/json'
  assert.equal(await send(`${head}\r\nContent-Length: 8000000`, '192.0.2.1', large), '413')
})

test('tells the other side that the client has closed its connection', async (t) => {
  const asked = Promise.withResolvers<AbortSignal>()
  const send = await proxyBehindOneProxy(t, async (_, signal) => {
    asked.resolve(signal)
    await once(signal, 'abort')
    return DONE
  })
  void send('GET /api/me HTTP/1.1', '192.0.2.1', { closing: asked.promise }).catch(() => undefined)
  const signal = await asked.promise
  if (!signal.aborted) await once(signal, 'abort')
})
