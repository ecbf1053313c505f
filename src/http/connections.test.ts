import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { listenOnLoopback } from '../../test/support/listen-on-loopback.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, Connections, connectionLimits } from './connections.ts'
import { closeServer } from './listen.ts'

/** More than the kernel buffers for one connection. */
const LARGE = Buffer.alloc(32 * 2 ** 20, 'x')

/** A server with these limits. `addresses`: the clients' apparent addresses, in order. */
async function serverWith(
  t: TestContext,
  limits: Partial<ConnectionLimits>,
  { addresses = [], respond = (_, response) => response.end('ok') }: Partial<Arrangement> = {},
) {
  const server = createServer((request, response) => {
    connections.note(request.socket, response)
    respond(request, response)
  })
  const connections = new Connections(server, { ...CONNECTION_LIMITS, ...limits })
  server.prependListener('connection', (socket) => {
    const address = addresses.shift()
    if (address !== undefined) Object.defineProperty(socket, 'remoteAddress', { value: address })
  })
  const { port } = await listenOnLoopback(t, server)
  const open = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  return { server, connections, open }
}

interface Arrangement {
  readonly addresses: string[]
  readonly respond: RequestListener
}

/** Whether a request on the connection is answered. */
async function isAnswered(socket: Socket): Promise<boolean> {
  if (socket.closed) return false
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  return Promise.race([
    new Promise<true>((resolve) => socket.once('data', () => resolve(true))),
    closeOf(socket).then(() => false),
  ])
}

function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

test('accepts connections up to the limit and closes further ones', async (t) => {
  const { open } = await serverWith(t, { connectionsMax: 2 })
  const [one, two, three] = [await open(), await open(), await open()]
  assert.deepEqual([await isAnswered(one), await isAnswered(two), await isAnswered(three)], [true, true, false])
  one.destroy()
  await eventually(async () => isAnswered(await open()))
})

test('limits the connections of one public address block, and no other addresses', async (t) => {
  const from = ['9.9.9.9', '::ffff:9.9.9.9', '9.9.9.9', '2a00:1::1', '2a00:1::2', '2a00:1::3', '2a00:2::1']
  const local = ['127.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.1', '::1', '::1', '::1']
  const addresses = [...from, ...local, '9.9.9.9']
  const { open } = await serverWith(t, { connectionsPerAddressMax: 2 }, { addresses })
  const sockets: Socket[] = []
  for (const _ of [...from, ...local]) sockets.push(await open())
  const answered = await Promise.all(sockets.map(isAnswered))
  assert.deepEqual(answered, [true, true, false, true, true, false, true, ...local.map(() => true)])
  sockets[0].destroy()
  await eventually(async () => isAnswered(await open()))
})

test('does not limit connections by address behind a trusted proxy', async (t) => {
  const limits = connectionLimits({ connectionsMax: 100, connectionsPerAddressMax: 1 }, 1)
  const { open } = await serverWith(t, limits, { addresses: ['9.9.9.9', '9.9.9.9'] })
  assert.deepEqual([await isAnswered(await open()), await isAnswered(await open())], [true, true])
  assert.equal(connectionLimits({ connectionsMax: 100, connectionsPerAddressMax: 7 }, 0).connectionsPerAddressMax, 7)
})

test('disconnects a client that takes nothing, even if it keeps sending, but not a slow one', async (t) => {
  const { open } = await serverWith(t, { stalledMs: 300 }, { respond: (_, response) => response.end(LARGE) })
  const stalled = await open()
  const closed = closeOf(stalled)
  stalled.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nX: ')
  const sending = setInterval(() => stalled.write('x'), 50)
  const slow = await open()
  slow.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  let taken = 0
  slow.on('data', (piece) => {
    taken += piece.length
    slow.pause()
    setTimeout(() => slow.resume(), 1)
  })
  const startedMs = performance.now()
  await closed
  clearInterval(sending)
  assert.ok(performance.now() - startedMs > 250)
  const before = taken
  await eventually(() => taken > before + 2 ** 20)
  assert.equal(slow.destroyed, false)
})

test('keeps a client that waits for a response', async (t) => {
  const { open } = await serverWith(
    t,
    { stalledMs: 100 },
    { respond: (_, response) => void setTimeout(() => response.end('late'), 400) },
  )
  assert.equal(await isAnswered(await open()), true)
})

test('a server that closes sends what has ended, and closes idle connections', async (t) => {
  const { server, open } = await serverWith(t, {}, { respond: (_, response) => response.end(LARGE) })
  const idle = closeOf(await open())
  const reading = await open()
  reading.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(server, 'request')
  const closing = closeServer(server)
  assert.ok((await buffer(reading)).length > LARGE.length)
  await Promise.all([idle, closing])
})

test('a server that closes waits for running requests, and for no connection that is idle after them', async (t) => {
  const running: ServerResponse[] = []
  const { server, open } = await serverWith(t, {}, { respond: (_, response) => void running.push(response) })
  const forced = t.mock.method(server, 'closeAllConnections')
  const [one, two] = [await open(), await open()]
  for (const socket of [one, two]) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await eventually(() => running.length === 2)
  const closing = closeServer(server)
  two.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await eventually(() => running.length === 3)
  for (const response of running) response.end('whole')
  const [first, second] = await Promise.all([text(one), text(two)])
  assert.match(first, /keep-alive.*whole$/s)
  assert.match(second, /keep-alive.*whole.*Connection: close.*whole$/s)
  await closing
  assert.equal(forced.mock.callCount(), 0)
})

test('closes many connections a few at once', async (t) => {
  const { connections } = await serverWith(t, {})
  let [closed, atOnce, mostAtOnce] = [0, 0, 0]
  for (let n = 0; n < 100; n++)
    connections.closeSoon(() => {
      closed++
      mostAtOnce = Math.max(mostAtOnce, ++atOnce)
      setImmediate(() => (atOnce = 0))
    })
  await eventually(() => closed === 100)
  assert.ok(mostAtOnce <= 4, `${mostAtOnce} at once`)
})
