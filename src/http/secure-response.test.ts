import assert from 'node:assert/strict'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { ask, connection, KEY, SLOTS, server, state } from '../../test/support/http/sample-server.ts'
import { headerLines, headerPairs } from './secure-response.ts'

const POLICY = "default-src 'none'; frame-ancestors 'none'"

test('sends nosniff, a content security policy and HSTS with every response', async () => {
  const key = { 'x-api-key': KEY }
  for (const [path, headers, method] of [
    [SLOTS, key],
    [SLOTS, { ...key, 'accept-encoding': 'br' }],
    [SLOTS, { ...key, accept: 'text/csv' }],
    [SLOTS, {}],
    [SLOTS, key, 'OPTIONS'],
    [SLOTS, key, 'HEAD'],
    [SLOTS, key, 'DELETE'],
    [`${SLOTS}?limit=0`, { ...key, accept: 'application/problem+json' }],
    ['/openapi.json', {}],
    ['/livez', {}],
    ['/readyz', {}],
    ['/nothing', {}],
    ['/mcp', key],
    ['/api/me', {}],
  ] as const) {
    const { headers: sent } = await ask(path, headers, method)
    const about = `${method ?? 'GET'} ${path}`
    assert.equal(sent['x-content-type-options'], 'nosniff', about)
    assert.equal(sent['content-security-policy'], POLICY, about)
    assert.equal(sent['strict-transport-security'], 'max-age=31536000', about)
  }
  const etag = String((await ask(SLOTS, key)).headers.etag)
  const unchanged = await ask(SLOTS, { ...key, 'if-none-match': etag })
  assert.deepEqual([unchanged.status, unchanged.headers['content-security-policy']], [304, POLICY])
})

test('sends them with the response to malformed bytes', async () => {
  const socket = connection()
  socket.end('HELLO\r\n\r\n')
  const answer = await text(socket)
  for (const header of ['X-Content-Type-Options: nosniff', `Content-Security-Policy: ${POLICY}`, 'Strict-Transport-'])
    assert.ok(answer.includes(`\r\n${header}`), header)
})

test('sends a page and its header as one buffer', async () => {
  let buffers = 0
  server.once('connection', (socket) => {
    const write = socket._write.bind(socket)
    socket._write = (...piece) => {
      buffers++
      write(...piece)
    }
    socket._writev = () => assert.fail('it sent several buffers')
  })
  const socket = connection()
  socket.write(`GET ${SLOTS}?status=free HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${KEY}\r\nConnection: close\r\n\r\n`)
  const [head, body] = (await text(socket)).split('\r\n\r\n')
  assert.match(head, /^HTTP\/1\.1 200 OK\r\nX-Content-Type-Options: nosniff\r\n/)
  assert.equal(Buffer.byteLength(body), Number(/^content-length: (\d+)$/im.exec(head)?.[1]))
  assert.ok(JSON.parse(body).slots.length > 0)
  assert.equal(buffers, 1)
})

test('leaves the policy of a page as it is, once', async () => {
  state.siteHeaders = { 'content-security-policy': "default-src 'self'", 'x-content-type-options': 'nosniff' }
  const socket = connection()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const [head] = await once(socket, 'data')
  assert.deepEqual(String(head).match(/^(content-security-policy|x-content-type-options): .*$/gim), [
    "content-security-policy: default-src 'self'",
    'x-content-type-options: nosniff',
  ])
  state.siteHeaders = {}
})

test('tells the state of the node only to clients of an internal network', async () => {
  assert.equal((await ask('/readyz?verbose', {})).json.revision, 1)
  for (const header of ['x-forwarded-for', 'forwarded']) {
    const { status, json } = await ask('/readyz?verbose', { [header]: '10.0.0.1' })
    assert.deepEqual([status, json], [200, { status: 'ready', slots: 60 }])
  }
})

test('writes header lines that headerPairs() reads, and rejects a value that would begin another line', () => {
  assert.deepEqual(headerPairs(headerLines(['Link', '<a>; rel="b: c"', 'ETag', '"x"'])), [
    ['Link', '<a>; rel="b: c"'],
    ['ETag', '"x"'],
  ])
  assert.throws(() => headerLines(['Link', 'x\r\nSet-Cookie: y']), { code: 'ERR_INVALID_CHAR' })
  assert.throws(() => headerLines(['X y', 'z']), { code: 'ERR_INVALID_HTTP_TOKEN' })
})
