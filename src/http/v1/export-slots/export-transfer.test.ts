import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { listenOnLoopback } from '../../../../test/support/listen-on-loopback.ts'
import { ExportTransfer } from './export-transfer.ts'

test('closes the connection of a stalled transfer that waits behind another response', async (t) => {
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>()
  const chunks = { isOpen: true, next: () => Buffer.alloc(100_000), close: onEnd }
  const limits = { stalledMsMax: 50, totalMsMax: 10_000 }
  const server = createServer(({ url }, response) => {
    if (url === '/first') response.write('The first part of a response that never ends')
    else
      new ExportTransfer(response, chunks, {
        compressor: undefined,
        limits,
        onTaken: () => {},
        onError: (error) => assert.fail(String(error)),
        onEnd,
      }).sendChunk()
  })
  const { port } = await listenOnLoopback(t, server)
  const socket = connect(port)
  t.after(() => socket.destroy())
  socket.resume()
  for (const path of ['/first', '/second']) socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [error] = await once(socket, 'error', { signal: AbortSignal.timeout(5000) })
  assert.equal(error.code, 'ECONNRESET')
  await ended
})
