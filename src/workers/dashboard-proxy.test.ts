import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { listenOnLoopback } from '../../test/support/listen-on-loopback.ts'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import { ChannelClosed } from './channel.ts'
import { DashboardProxy, type ProxyOptions } from './dashboard-proxy.ts'
import { receiveBody } from './request-body.ts'

type Respond = (request: SerializedRequest) => SerializedResponse | Promise<SerializedResponse> | undefined

/** A server with a proxy whose other side is a function: undefined leaves a request pending until `die()`. */
async function proxyFor(t: TestContext, respond: Respond, changes: Partial<ProxyOptions> = {}) {
  const { promise: death, reject: die } = Promise.withResolvers<never>()
  death.catch(() => undefined)
  const proxy = new DashboardProxy({
    respond: async (request) => (await respond(request)) ?? death,
    trustedProxies: 0,
    firstByteMs: 5000,
    bodyMs: 5000,
    responseMs: 5000,
    uploadBytesMax: 1_000_000,
    uploadIdleMs: 5000,
    uploadResponseMs: 5000,
    ...changes,
  })
  const server = createServer((request, response) => {
    const organizationId = String(request.headers.organization)
    const ofKey = request.url?.startsWith('/v1/') && { operation: request.url, caller: { id: 'k', organizationId } }
    proxy.handle({ request, response, requestId: 'r1', ...ofKey })
  })
  const { port } = await listenOnLoopback(t, server)
  return { die: () => die(new ChannelClosed()), port }
}

/** A proxy that responds to one target only, and the requests of owners, whom a header names. */
async function proxyForOwners(t: TestContext, header: string, answered: string) {
  const respond: Respond = ({ target }) => (target === answered ? plain(200) : undefined)
  const of = (owner: number) => ({ headers: { [header]: `192.0.2.${owner}` } })
  return { ...(await proxyFor(t, respond, { trustedProxies: 1 })), of }
}

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string
}

/** Looks like the cookie of a session. */
const SESSION = 'slots.session_token=x'

async function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Asked = {},
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }> {
  const all = { 'content-type': 'application/json', cookie: SESSION, ...headers }
  const request = httpRequest({ port, path, method, headers: all, agent: false })
  request.end(body)
  const [response] = await once(request, 'response')
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece
  return { status: response.statusCode, headers: response.headers, text }
}

/** Of a raw request with a session. */
const JSON_HEADERS = `Cookie: ${SESSION}\r\nContent-Type: application/json\r\n`

const plain = (status: number, text = '', headers: [string, string][] = []): SerializedResponse => ({
  status,
  headers,
  body: new TextEncoder().encode(text),
})

test('forwards the whole request and sends the whole response, each cookie in its own header', async (t) => {
  const seen: SerializedRequest[] = []
  const { port } = await proxyFor(t, (request) => {
    seen.push(request)
    const cookies: [string, string][] = [
      ['set-cookie', 'a=1; Path=/'],
      ['set-cookie', 'b=2'],
    ]
    return plain(201, '{"ü":1}', [['content-type', 'application/json'], ...cookies])
  })
  const headers = { 'content-type': 'application/json', cookie: SESSION, 'x-two': ['1', '2'] }
  const answer = await ask(port, '/api/x?y=%20', { method: 'POST', headers, body: '{"ä":2}' })
  const [{ body, headers: forwarded, ...rest }] = seen
  assert.deepEqual(rest, {
    method: 'POST',
    target: '/api/x?y=%20',
    address: '127.0.0.1',
    requestId: 'r1',
  })
  assert.equal(new TextDecoder().decode(body), '{"ä":2}')
  assert.deepEqual(
    forwarded.filter(([name]) => name === 'x-two' || name === 'cookie'),
    [
      ['cookie', SESSION],
      ['x-two', '1'],
      ['x-two', '2'],
    ],
  )
  assert.deepEqual([answer.status, answer.text], [201, '{"ü":1}'])
  assert.deepEqual(answer.headers['set-cookie'], ['a=1; Path=/', 'b=2'])
  assert.equal(answer.headers['x-request-id'], 'r1')
})

test('forbids caching unless the response sets the header', async (t) => {
  const { port } = await proxyFor(t, ({ target }) =>
    plain(200, '{}', target === '/api/csv' ? [['Cache-Control', 'private']] : []),
  )
  const { headers } = await ask(port, '/api/me')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal((await ask(port, '/api/csv')).headers['cache-control'], 'private')
})

test('sends no body with 204 and 304, nor to HEAD', async (t) => {
  const { port } = await proxyFor(t, ({ target }) => plain(Number(target.slice(5)), 'x'))
  for (const status of [204, 304]) {
    const answer = await ask(port, `/api/${status}`)
    assert.deepEqual([answer.status, answer.text], [status, ''])
  }
  assert.equal((await ask(port, '/api/200', { method: 'HEAD' })).text, '')
})

test('returns 413 for a body of more than 64 KiB, with or without Content-Length', async (t) => {
  const { port } = await proxyFor(t, ({ body }) => plain(200, String(body?.length)))
  const chunked = { 'transfer-encoding': 'chunked' }
  assert.equal((await ask(port, '/api/', { method: 'POST', body: 'x'.repeat(65_536) })).text, '65536')
  const headers = { method: 'POST', headers: chunked }
  assert.equal((await ask(port, '/api/', { ...headers, body: 'x'.repeat(65_536) })).text, '65536')
  for (const asked of [{ method: 'POST' }, headers]) {
    const { status, text, headers: answered } = await ask(port, '/api/', { ...asked, body: 'x'.repeat(65_537) })
    assert.equal(status, 413)
    assert.equal(JSON.parse(text).code, 'content-too-large')
    assert.equal(answered.connection, 'close')
  }
})

test('returns 408 for a body that does not arrive', async (t) => {
  const { port } = await proxyFor(t, () => plain(200), { bodyMs: 20 })
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST /api/ HTTP/1.1\r\nHost: x\r\n${JSON_HEADERS}Content-Length: 10\r\n\r\nabc`)
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 408 /)
  await once(socket, 'close')
})

test('responds 503 while the thread is not running, when it dies, and when it does not reply', async (t) => {
  const down = await proxyFor(t, () => Promise.reject(new ChannelClosed()))
  const silent = await proxyFor(t, () => undefined, { responseMs: 20 })
  const dying = await proxyFor(t, () => {
    setImmediate(() => dying.die())
    return undefined
  })
  for (const { port } of [down, silent, dying]) {
    const { status, headers, text } = await ask(port, '/api/me')
    assert.deepEqual([status, headers['retry-after']], [503, '1'])
    assert.equal(JSON.parse(text).code, 'not-ready')
  }
})

test('ignores a reply that comes too late, or after the client has gone', async (t) => {
  const late: (() => void)[] = []
  const respond = () => new Promise<SerializedResponse>((resolve) => late.push(() => resolve(plain(200))))
  const { port } = await proxyFor(t, respond, { responseMs: 20 })
  await ask(port, '/api/me')
  const request = httpRequest({ port, path: '/api/me', agent: false })
  request.on('error', () => undefined)
  request.end()
  setTimeout(() => request.destroy(), 5)
  await new Promise((resolve) => request.once('close', resolve))
  for (const reply of late) reply()
  assert.equal((await ask(port, '/api/me')).status, 503)
})

test('returns 500 for a response that cannot be sent', async (t) => {
  const { port } = await proxyFor(t, ({ target }) =>
    plain(200, '', target === '/api/bad' ? [['location', 'a\nb']] : []),
  )
  const { status, headers } = await ask(port, '/api/bad')
  assert.deepEqual([status, headers.location], [500, undefined])
  assert.equal((await ask(port, '/api/good')).status, 200)
})

test('marks only requests whose API key was checked', async (t) => {
  const { port } = await proxyFor(t, ({ operation }) => plain(200, operation ?? 'none'))
  assert.equal((await ask(port, '/v1/changes')).text, '/v1/changes')
  assert.equal((await ask(port, '/api/../v1/changes', { headers: { operation: '/v1/changes' } })).text, 'none')
})

test('has places for callers with a key and for people, which neither takes from the other', async (t) => {
  for (const [path, header, other] of [
    ['/v1/changes', 'organization', '/api/now'],
    ['/api/later', 'x-forwarded-for', '/v1/now'],
  ] as const) {
    const { port, die, of } = await proxyForOwners(t, header, other)
    const waiting = Array.from({ length: 201 }, (_, n) => ask(port, path, of(n % 5)))
    // The others are there once one is too many.
    const refused = await Promise.race(waiting)
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1'])
    assert.equal((await ask(port, other)).status, 200)
    die()
    const statuses = await Promise.all(waiting.map(async (each) => (await each).status))
    assert.ok(statuses.every((status) => status === 503))
  }
})

test('leaves places to others when one organization or one address has taken its share, and recovers', async (t) => {
  for (const [path, now, header] of [
    ['/v1/changes', '/v1/now', 'organization'],
    ['/api/later', '/api/now', 'x-forwarded-for'],
  ] as const) {
    const { port, die, of } = await proxyForOwners(t, header, now)
    const waiting = Array.from({ length: 51 }, () => ask(port, path, of(1)))
    assert.equal((await Promise.race(waiting)).status, 503)
    assert.deepEqual([(await ask(port, now, of(1))).status, (await ask(port, now, of(2))).status], [503, 200])
    die()
    const statuses = await Promise.all(waiting.map(async (each) => (await each).status))
    assert.ok(statuses.every((status) => status === 503))
    assert.equal((await ask(port, now, of(1))).status, 200)
  }
})

const UPLOAD = '/api/operator/sources/clinic/upload?fileName=x'
const JSON_BODY = { 'content-type': 'application/json' }
const FILE = { 'content-type': 'application/octet-stream' }

test('streams an uploaded file to its reader and sends the reply', async (t) => {
  const { port } = await proxyFor(t, async ({ body, upload }) => {
    assert.equal(body, undefined)
    if (upload === undefined) return plain(500)
    let bytes = 0
    for await (const piece of receiveBody(upload)) bytes += piece.length
    return plain(200, String(bytes))
  })
  const answer = await ask(port, UPLOAD, { method: 'POST', headers: FILE, body: 'x'.repeat(900_000) })
  assert.deepEqual([answer.status, answer.text], [200, '900000'])
})

test('limits every request but file uploads to 64 KiB', async (t) => {
  const { port } = await proxyFor(t, ({ upload }) => plain(upload === undefined ? 200 : 500))
  for (const [path, method, headers] of [
    ['/api/operator/sources/clinic', 'POST', JSON_BODY],
    ['/api/operator/sources/a/b/upload', 'POST', JSON_BODY],
    [UPLOAD, 'PATCH', JSON_BODY],
    [UPLOAD, 'POST', JSON_BODY],
  ] as const) {
    assert.equal(
      (await ask(port, path, { method, headers: FILE, body: 'x' })).status,
      path === UPLOAD && method === 'POST' ? 500 : 415,
    )
    assert.equal((await ask(port, path, { method, headers, body: 'x' })).status, 200, path)
    const large = await ask(port, path, { method, headers, body: 'x'.repeat(65_537) })
    assert.equal(large.status, 413, path)
  }
})

test('accepts four uploads at once, and rejects stalled ones', async (t) => {
  const limits = { uploadBytesMax: 100, uploadIdleMs: 1000 }
  for (const [isTaken, status] of [
    [true, '408'],
    [false, '503'],
  ] as const) {
    const { port } = await proxyFor(t, isTaken ? take : () => undefined, limits)
    const start = `POST ${UPLOAD} HTTP/1.1\r\nHost: x\r\nCookie: ${SESSION}\r\nContent-Type: ${FILE['content-type']}\r\nContent-Length: 10\r\n\r\nabc`
    const answers = Array.from({ length: 5 }, async () => {
      const socket = connect(port, '127.0.0.1')
      t.after(() => socket.destroy())
      socket.write(start)
      const [answer] = await once(socket, 'data')
      return String(answer).slice(9, 12)
    })
    assert.deepEqual((await Promise.all(answers)).sort(), [status, status, status, status, '503'])
    const large = { method: 'POST', headers: FILE, body: 'x'.repeat(101) }
    assert.equal((await ask(port, UPLOAD, large)).status, 413)
  }
})

/** Reads a file, and never answers. */
function take({ upload }: SerializedRequest): undefined {
  const pieces = upload && receiveBody(upload)
  void pieces?.pipeTo(new WritableStream()).catch(() => undefined)
}

test('returns 503 when the reader of an upload dies', async (t) => {
  const { port, die } = await proxyFor(t, () => {
    setImmediate(() => die())
    return undefined
  })
  const answer = await ask(port, UPLOAD, { method: 'POST', headers: FILE, body: 'abc' })
  assert.equal(answer.status, 503)
})
