import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { connection, KEY, SLOTS, server, state } from '../../test/support/http/sample-server.ts'

test('answers HTTP/1.0 without Host and returns 400 for two Host headers', async () => {
  const old = connection()
  old.write('GET /livez HTTP/1.0\r\n\r\n')
  assert.match(await text(old), /^HTTP\/1\.1 200 .*\{"status":"live"\}$/s)
  for (const hosts of ['Host: a\r\nHost: a', 'Host: a\r\nhOsT: b']) {
    const socket = connection()
    socket.write(`GET /livez HTTP/1.1\r\n${hosts}\r\n\r\n`)
    assert.match(await text(socket), /^HTTP\/1\.1 400 .*exactly one Host/s)
  }
})

test('rejects malformed bytes after the responses that precede, not inside them', async () => {
  const socket = connection()
  const request = `GET ${SLOTS} HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\n`
  socket.write(`${request}Accept: text/csv\r\n\r\n`)
  const [start] = await once(socket, 'data')
  socket.write('garbage\r\n\r\n')
  const rest = await text(socket)
  const [stream, rejection] = `${start}${rest}`.split('HTTP/1.1 400 ')
  assert.match(stream, /\r\n0\r\n\r\n$/, 'the export is complete')
  assert.match(rejection, /\{"error":"Malformed request"/)

  // In one packet, behind a response that is compressed in another thread.
  const pipelined = connection()
  pipelined.write(`${request}Accept-Encoding: br\r\n\r\n${request}\r\ngarbage\r\n\r\n`)
  const answers = await text(pipelined.setEncoding('latin1'))
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)
  assert.deepEqual(statuses, ['200', '200', '400'])
})

test('answers a client that has ended its side of the connection before its request is read', async () => {
  const { port } = server.address() as AddressInfo
  const ended = new Int32Array(new SharedArrayBuffer(4))
  const client = new Worker(ENDING_CLIENT, {
    eval: true,
    workerData: { port, ended, request: requestOf(READ_BYTES) },
  })
  await once(client, 'online')
  // This thread reads nothing until the request and the end have been sent.
  Atomics.wait(ended, 0, 0, 60_000)
  const [received] = await once(client, 'message')
  assert.match(received, /^HTTP\/1\.1 200 .*"total":59\}$/s)
})

/** If Node fills its buffer, it reads on and finds the end in the same turn of the event loop. */
const READ_BYTES = 65_536

/** A request of so many bytes: its body is ignored. */
function requestOf(bytes: number): string {
  const head = `GET ${SLOTS} HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\nContent-Length: `
  const bodyBytes = bytes - `${head}65536\r\n\r\n`.length
  return `${head}${bodyBytes}\r\n\r\n${'x'.repeat(bodyBytes)}`
}

/** Sends a request, ends its side of the connection, and posts what it receives. */
const ENDING_CLIENT = `
const { connect } = require('node:net')
const { text } = require('node:stream/consumers')
const { parentPort, workerData: { port, ended, request } } = require('node:worker_threads')
const socket = connect(port, '127.0.0.1').end(request, () => {
  Atomics.store(ended, 0, 1)
  Atomics.notify(ended, 0)
})
text(socket).then((received) => parentPort.postMessage(received))`

test('returns 400 for a malformed body without waiting for its end', async () => {
  const socket = connection()
  state.isRelayPending = true
  socket.write('POST /api/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')
  assert.match(await text(socket), /^HTTP\/1\.1 400 /)
  state.isRelayPending = false
})

test('writes nothing ahead of a response that precedes the malformed bytes', async () => {
  const socket = connection()
  state.isRelayPending = true
  socket.write('GET /api/x HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\nmore garbage\r\n\r\n')
  await pause(50)
  assert.equal(socket.bytesRead, 0)
  state.isRelayPending = false
  socket.destroy()
})

test('returns 408 for a request that does not arrive whole, and closes a silent connection without a word', async () => {
  for (const [begun, expected] of [
    ['GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ', /^HTTP\/1\.1 408 .*"Request timeout".* 15 seconds/s],
    ['', /^$/],
  ] as const) {
    const accepted = once(server, 'connection')
    const client = connection()
    const answer = text(client)
    const [socket] = await accepted
    client.write(begun)
    while (socket.bytesRead < begun.length) await pause(1)
    // What Node reports after `headersTimeout`.
    const code = 'ERR_HTTP_REQUEST_TIMEOUT'
    server.emit('clientError', Object.assign(new Error(code), { code }), socket)
    assert.match(await answer, expected)
  }
})
