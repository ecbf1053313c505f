import assert from 'node:assert/strict'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { eventually } from '../../test/support/eventually.ts'
import { listenOnLoopback } from '../../test/support/listen-on-loopback.ts'
import { BodyTruncated } from '../http/serialized-http.ts'
import { Channel, type NoOperations } from './channel.ts'
import { receiveBody, type SentBody, sendBody, WINDOW_BYTES } from './request-body.ts'

const LIMITS = { bytesMax: 2 ** 30, idleMs: 20_000 }

interface Received {
  readonly request: IncomingMessage
  readonly sent: Promise<SentBody>
  /** The reading side. */
  readonly port: MessagePort
}

/** A server that sends each body through a port, and records each request. */
async function openSender(t: TestContext, limits = LIMITS) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const { port1, port2 } = new MessageChannel()
    const sent = sendBody(request, port1, limits)
    received.push({ request, sent, port: port2 })
    void sent.then(() => response.end())
    t.after(() => port1.close())
  })
  const { port } = await listenOnLoopback(t, server)
  return { received, port }
}

async function firstOf(received: readonly Received[]): Promise<Received> {
  await eventually(() => received.length > 0)
  return received[0]
}

test('transfers a body whole and in order', async (t) => {
  const { received, port } = await openSender(t)
  const body = Buffer.from(Array.from({ length: 3 * 2 ** 20 }, (_, n) => (n * 31 + (n >> 8)) & 0xff))
  httpRequest({ port, method: 'POST', agent: false }).end(body)
  const { port: reader, sent } = await firstOf(received)
  const pieces: Uint8Array[] = []
  for await (const piece of receiveBody(reader)) pieces.push(piece)
  assert.ok(Buffer.concat(pieces).equals(body))
  assert.equal(await sent, 'complete')
})

test('keeps at most the window and one piece in flight, however fast the client sends', async (t) => {
  const { received, port } = await openSender(t)
  const client = httpRequest({ port, method: 'POST', agent: false }).on('error', () => undefined)
  client.end(Buffer.alloc(64 * 2 ** 20))
  t.after(() => client.destroy())
  const { request, port: reader } = await firstOf(received)
  let inFlight = 0
  const replies: (() => void)[] = []
  new Channel<NoOperations, { piece(bytes: Uint8Array): void; end(how: string): void }>(reader, {
    piece: ({ length }) => {
      inFlight += length
      return new Promise<void>((resolve) => replies.push(resolve))
    },
    end: () => {},
  })
  await eventually(() => request.isPaused())
  await pause(50)
  assert.ok(inFlight >= WINDOW_BYTES && inFlight <= WINDOW_BYTES + 65_536, String(inFlight))
  const before = inFlight
  for (const reply of replies) reply()
  await eventually(() => inFlight > before)
  reader.close()
})

test('distinguishes bodies that are truncated, too large and too slow', async (t) => {
  for (const [limits, text, ended] of [
    [LIMITS, 'abc', 'closed'],
    [{ ...LIMITS, bytesMax: 2 }, 'abc', 'too-large'],
    [{ ...LIMITS, idleMs: 50 }, 'abc', 'too-slow'],
  ] as const) {
    const { received, port } = await openSender(t, limits)
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n${text}`)
    const { port: reader, sent } = await firstOf(received)
    const read = (async () => {
      for await (const _ of receiveBody(reader));
    })()
    const failed = assert.rejects(read, BodyTruncated)
    if (ended === 'closed') socket.destroy()
    assert.equal(await sent, ended)
    await failed
    socket.destroy()
  }
})

test('fails when the sending thread closes the port without an end', async () => {
  const { port1, port2 } = new MessageChannel()
  const read = receiveBody(port2).getReader().read()
  port1.close()
  await assert.rejects(read, BodyTruncated)
})

test('does not mistake a slow reader for a silent client', async (t) => {
  const { received, port } = await openSender(t, { ...LIMITS, idleMs: 100 })
  httpRequest({ port, method: 'POST', agent: false }).end(Buffer.alloc(2 ** 20))
  const { port: reader, sent } = await firstOf(received)
  let bytes = 0
  for await (const piece of receiveBody(reader)) {
    bytes += piece.length
    if (bytes < 200_000) await pause(150)
  }
  assert.deepEqual([bytes, await sent], [2 ** 20, 'complete'])
})

test('ends on both sides when the reader cancels', async (t) => {
  const { received, port } = await openSender(t)
  const client = httpRequest({ port, method: 'POST', agent: false }).on('error', () => undefined)
  client.end(Buffer.alloc(2 ** 20))
  const { port: reader, sent } = await firstOf(received)
  for await (const _ of receiveBody(reader)) break
  assert.equal(await sent, 'unwanted')
})
