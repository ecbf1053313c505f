import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { eventually } from '../../test/support/eventually.ts'
import { BodyTruncated } from '../http/serialized-http.ts'
import { bodyFrom, WINDOW_BYTES } from './body-port.ts'
import { type SentBody, sendBody } from './body-sender.ts'

const LIMITS = { bytesMax: 2 ** 30, idleMs: 20_000 }

interface Heard {
  readonly request: IncomingMessage
  readonly sent: Promise<SentBody>
  /** The reading side. */
  readonly port: MessagePort
}

/** A server that sends each body through a port, and what it heard of each. */
async function openSender(t: TestContext, limits = LIMITS) {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    const { port1, port2 } = new MessageChannel()
    const sent = sendBody(request, port1, limits)
    heard.push({ request, sent, port: port2 })
    void sent.then(() => response.end())
    t.after(() => port1.close())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { heard, port: (server.address() as AddressInfo).port }
}

async function firstOf(heard: readonly Heard[]): Promise<Heard> {
  await eventually(() => heard.length > 0)
  return heard[0]
}

test('a body comes through whole, and in order', async (t) => {
  const { heard, port } = await openSender(t)
  const body = Buffer.from(Array.from({ length: 3 * 2 ** 20 }, (_, n) => (n * 31 + (n >> 8)) & 0xff))
  httpRequest({ port, method: 'POST', agent: false }).end(body)
  const { port: reader, sent } = await firstOf(heard)
  const pieces: Uint8Array[] = []
  for await (const piece of bodyFrom(reader)) pieces.push(piece)
  assert.ok(Buffer.concat(pieces).equals(body))
  assert.equal(await sent, 'whole')
})

test('no more is on its way than the window, and one piece, however fast it comes', async (t) => {
  const { heard, port } = await openSender(t)
  const client = httpRequest({ port, method: 'POST', agent: false }).on('error', () => undefined)
  client.end(Buffer.alloc(64 * 2 ** 20))
  t.after(() => client.destroy())
  const { request, port: reader } = await firstOf(heard)
  let onItsWay = 0
  reader.on('message', (message) => {
    onItsWay += message.bytes?.length ?? 0
  })
  await eventually(() => request.isPaused())
  await pause(50)
  assert.ok(onItsWay >= WINDOW_BYTES && onItsWay <= WINDOW_BYTES + 65_536, String(onItsWay))
  reader.postMessage({ kind: 'taken', bytes: onItsWay })
  const before = onItsWay
  await eventually(() => onItsWay > before)
  reader.close()
})

test('a body that is cut off, too long, or falls silent fails, and is told apart', async (t) => {
  for (const [limits, text, ended] of [
    [LIMITS, 'abc', 'gone'],
    [{ ...LIMITS, bytesMax: 2 }, 'abc', 'too-large'],
    [{ ...LIMITS, idleMs: 50 }, 'abc', 'too-slow'],
  ] as const) {
    const { heard, port } = await openSender(t, limits)
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n${text}`)
    const { port: reader, sent } = await firstOf(heard)
    const read = (async () => {
      for await (const _ of bodyFrom(reader));
    })()
    const failed = assert.rejects(read, BodyTruncated)
    if (ended === 'gone') socket.destroy()
    assert.equal(await sent, ended)
    await failed
    socket.destroy()
  }
})

test('a body whose sender is gone without a word fails too', async () => {
  const { port1, port2 } = new MessageChannel()
  const read = bodyFrom(port2).getReader().read()
  port1.close()
  await assert.rejects(read, BodyTruncated)
})

test('whoever reads slowly is not taken for a sender who fell silent', async (t) => {
  const { heard, port } = await openSender(t, { ...LIMITS, idleMs: 100 })
  httpRequest({ port, method: 'POST', agent: false }).end(Buffer.alloc(2 ** 20))
  const { port: reader, sent } = await firstOf(heard)
  let bytes = 0
  for await (const piece of bodyFrom(reader)) {
    bytes += piece.length
    if (bytes < 200_000) await pause(150)
  }
  assert.deepEqual([bytes, await sent], [2 ** 20, 'whole'])
})

test('a reader who wants no more ends it on both sides', async (t) => {
  const { heard, port } = await openSender(t)
  const client = httpRequest({ port, method: 'POST', agent: false }).on('error', () => undefined)
  client.end(Buffer.alloc(2 ** 20))
  const { port: reader, sent } = await firstOf(heard)
  for await (const _ of bodyFrom(reader)) break
  assert.equal(await sent, 'unwanted')
})
