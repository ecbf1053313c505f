import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { listenOnLoopback } from '../../test/support/listen-on-loopback.ts'
import { endWithBatch, isEnded, RequestBatches } from './request-batches.ts'

/** Sends `count` requests in one packet to a server that handles them in batches, and returns all that it sends. */
async function sendTogether(
  count: number,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const batches = new RequestBatches(handle)
  const server = createServer((request, response) => batches.add(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const requests = Array.from({ length: count }, (_, n) => {
    const last = n === count - 1 ? 'Connection: close\r\n' : ''
    return `GET /${n} HTTP/1.1\r\nHost: x\r\n${last}\r\n`
  })
  socket.write(requests.join(''))
  const sent = await text(socket)
  server.close()
  return sent
}

/** Responds with the path of the request. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const body = Buffer.from(`[${request.url}]`)
  endWithBatch(response.writeHead(200, ['Content-Length', String(body.length)]), body)
}

const bodiesIn = (sent: string) => [...sent.matchAll(/\[\/(\d+)\]/g)].map(([, n]) => Number(n))

test('sends the responses of a batch in order, after all of its requests have been handled', async () => {
  const responses: ServerResponse[] = []
  const ended: boolean[][] = []
  const sent = await sendTogether(3, (request, response) => {
    responses.push(response)
    assert.equal(isEnded(response), false)
    echo(request, response)
    assert.ok(isEnded(response), 'it ends with its batch')
    ended.push(responses.map((each) => each.writableEnded))
  })
  assert.deepEqual(ended, [[false], [false, false], [false, false, false]])
  assert.deepEqual(bodiesIn(sent), [0, 1, 2])
})

test('sends the responses of a full batch before it handles the next', async () => {
  const responses: ServerResponse[] = []
  const endedWhenHandled: number[] = []
  const sent = await sendTogether(70, (request, response) => {
    responses.push(response)
    echo(request, response)
    endedWhenHandled.push(responses.filter((each) => each.writableEnded).length)
  })
  assert.deepEqual(
    bodiesIn(sent),
    Array.from({ length: 70 }, (_, n) => n),
  )
  assert.equal(endedWhenHandled[31], 0)
  assert.ok(
    endedWhenHandled[69] >= 32,
    `${endedWhenHandled[69]} responses were sent before the last request was handled`,
  )
})

test('sends a response that is ready later at once', async () => {
  const sent = await sendTogether(2, (request, response) => {
    setImmediate(() => {
      echo(request, response)
      assert.ok(response.writableEnded)
    })
  })
  assert.deepEqual(bodiesIn(sent), [0, 1])
})

test('does not handle a request whose connection was closed before its turn', async () => {
  const handled: (string | undefined)[] = []
  await sendTogether(3, (request) => {
    handled.push(request.url)
    request.socket.destroy()
  })
  assert.deepEqual(handled, ['/0'])
})

test('closes a connection that sends more than its share of too many requests, and answers the others', async (t) => {
  let handled = 0
  const batches = new RequestBatches((request, response) => {
    handled++
    echo(request, response)
  })
  const server = createServer((request, response) => batches.add(request, response))
  const { port } = await listenOnLoopback(t, server)
  const [greedy, other] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  await Promise.all([once(greedy, 'connect'), once(other, 'connect')])
  // The greedy client reads nothing. Its requests need several reads of 64 KiB, each of which has more than a turn may have.
  greedy.on('error', () => undefined).write('GET /0 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50_000))
  other.write('GET /1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const [sent] = await Promise.all([text(other), new Promise((resolve) => greedy.once('close', resolve))])
  assert.deepEqual(bodiesIn(sent), [1])
  assert.ok(handled < 50_000, `${handled} were handled`)
})
