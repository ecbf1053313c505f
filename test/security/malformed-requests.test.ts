import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, connection, KEY, SLOTS } from '../support/http/sample-server.ts'

const SECRET = '/v1/scheduling/slots?limit=1'

/** A second request that must never be answered on its own: what a smuggled one would look like. */
const SMUGGLED = `GET ${SECRET} HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\n\r\n`

/** Bytes that are no request of HTTP/1.1 (RFC 9112). Each is answered with a 4xx or closed, and nothing behind it is read. */
const MALFORMED: readonly string[] = [
  'HELLO\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1.1\r\nHost: x\r\n\r\n',
  'GET / http/1.1\r\nHost: x\r\n\r\n',
  'GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GE\x00T / HTTP/1.1\r\nHost: x\r\n\r\n',
  'get / HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n',
  'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
  'GET / HTTP/1.1\r\n Host: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n: empty name\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nA\x00B: 1\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nA: 1\x002\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nA B: 1\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nA: b\rC: d\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(40_000)}\r\n\r\n`,
  `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `${'X'.repeat(40_000)} / HTTP/1.1\r\nHost: x\r\n\r\n`,
]

/** Headers whose body length two parsers could read differently, with the body that follows. */
const AMBIGUOUS: readonly (readonly [headers: string, body: string])[] = [
  ['Content-Length: 6\r\nTransfer-Encoding: chunked', '0\r\n\r\nG'],
  ['Transfer-Encoding: chunked\r\nContent-Length: 6', '0\r\n\r\nG'],
  ['Content-Length: 5\r\nContent-Length: 6', 'abcde'],
  ['Content-Length: 5, 5', 'abcde'],
  ['Content-Length: +5', 'abcde'],
  ['Content-Length: -5', 'abcde'],
  ['Content-Length: 0x5', 'abcde'],
  ['Content-Length: 5 5', 'abcde'],
  ['Content-Length: 99999999999999999999', 'abcde'],
  ['Content-Length : 5', 'abcde'],
  ['Content-Length:\x0b5', 'abcde'],
  ['Transfer-Encoding : chunked', '0\r\n\r\n'],
  ['Transfer-Encoding: xchunked', '0\r\n\r\n'],
  ['Transfer-Encoding: chunked, identity', '0\r\n\r\n'],
  ['Transfer-Encoding: chunked\r\nTransfer-Encoding: x', '0\r\n\r\n'],
  ['Transfer-Encoding: \x0bchunked', '0\r\n\r\n'],
  ['Transfer-Encoding: "chunked"', '0\r\n\r\n'],
  ['X: y\nTransfer-Encoding: chunked', '0\r\n\r\n'],
  ['Transfer-Encoding: chunked', 'zz\r\n'],
  ['Transfer-Encoding: chunked', '-1\r\n'],
  ['Transfer-Encoding: chunked', '0x1\r\na\r\n0\r\n\r\n'],
  ['Transfer-Encoding: chunked', '1\ra\r\n0\r\n\r\n'],
  ['Transfer-Encoding: chunked', '1\r\nabc\r\n0\r\n\r\n'],
  ['Transfer-Encoding: chunked', 'ffffffffffffffff1\r\na\r\n0\r\n\r\n'],
  ['Transfer-Encoding: chunked', '1\na\n0\n\n'],
]

/** The statuses of all responses to these bytes, until the server closes the connection or does not respond for a while. */
async function statusesOf(bytes: string, silentMs = 300): Promise<number[]> {
  const socket = connection().on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(bytes, 'latin1')
  let all = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    all += piece
  })
  await Promise.race([closed, pause(silentMs)])
  // After its last response, the server closes the connection.
  if (all !== '') await closed
  socket.destroy()
  return [...all.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

test('rejects malformed requests and reads nothing behind them', async () => {
  for (const bytes of MALFORMED) {
    const statuses = await statusesOf(bytes + SMUGGLED)
    assert.ok(statuses.length <= 1 && statuses.every((status) => status >= 400 && status < 500), about(bytes, statuses))
  }
  assert.equal((await ask(SLOTS)).status, 200)
})

test('rejects requests whose length is ambiguous and reads nothing behind them', async () => {
  for (const method of ['GET', 'POST'])
    for (const [headers, body] of AMBIGUOUS) {
      const head = `${method} /livez HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`
      const statuses = await statusesOf(head + body + SMUGGLED)
      assert.ok(statuses.filter((status) => status === 200).length <= 1, about(head + body, statuses))
      assert.ok(statuses.length <= 2 && (statuses.at(-1) ?? 400) >= 400, about(head + body, statuses))
    }
  assert.equal((await ask(SLOTS)).status, 200)
})

test('does not use the key of one pipelined request for another', async () => {
  const anonymous = `GET ${SECRET} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  assert.deepEqual(await statusesOf(SMUGGLED + anonymous, 10_000), [200, 401])
})

function about(bytes: string, statuses: readonly number[]): string {
  return `${JSON.stringify(bytes.slice(0, 120))}: ${statuses.join()}`
}
