import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { afterEach, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { eventually } from '../../test/support/eventually.ts'
import { KEY, keyRing, OTHER_KEY, port, state, storedKey, takeError } from '../../test/support/http/sample-server.ts'
import { Problem } from './problem.ts'
import { MCP_PATH } from './relay.ts'
import { jsonResponse, problemResponse } from './serialized-http.ts'
import { CHANGES_PATH } from './v1/list-changes/list-changes.ts'

const TEXT = JSON.stringify({ changes: Array(100).fill('nothing new') })
const PAGE = jsonResponse(TEXT, {
  headers: [
    ['ETag', '"tag"'],
    ['Cache-Control', 'private, no-cache'],
    ['link', '<x>'],
  ],
})
const AS_PROBLEM = 'application/json, application/problem+json'

afterEach(() => {
  state.relayed = undefined
  state.isAccepted = undefined
})

async function ask(headers: Record<string, string> = {}, { path = CHANGES_PATH, method = 'GET' } = {}) {
  const own = { 'x-api-key': KEY, 'x-request-id': 'mine' }
  const asked = request({ port: port(), path, method, headers: { ...own, ...headers }, agent: false }).end()
  const [response] = await once(asked, 'response')
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }
}

test('sends a relayed response with all its headers and the request id', async () => {
  state.relayed = PAGE
  const { status, headers, body } = await ask()
  assert.deepEqual([status, body.toString()], [200, TEXT])
  const { date: _date, connection: _connection, ...received } = headers
  assert.deepEqual(received, {
    etag: '"tag"',
    'cache-control': 'private, no-cache',
    link: '<x>',
    vary: 'Accept, Accept-Encoding',
    'content-type': 'application/json',
    'content-length': String(body.length),
    'x-request-id': 'mine',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'strict-transport-security': 'max-age=31536000',
  })
})

test('refuses a request whose key is revoked while its body arrives', async (t) => {
  const key = storedKey('two', OTHER_KEY)
  state.isRelayPending = true
  t.after(() => {
    state.isRelayPending = false
    keyRing.apply([key])
  })
  const response = ask({ 'x-api-key': OTHER_KEY })
  const isAccepted = await eventually(() => state.isAccepted)
  assert.equal(isAccepted(), true)
  keyRing.apply([{ ...key, revokedAtMs: state.nowMs - 1 }])
  assert.equal(isAccepted(), false)
  assert.equal((await response).status, 401)
})

test('negotiates compression, with one ETag per coding, and returns 304 for it', async () => {
  state.relayed = PAGE
  const gzip = { 'accept-encoding': 'gzip' }
  const { headers, body } = await ask(gzip)
  assert.deepEqual([headers['content-encoding'], gunzipSync(body).toString()], ['gzip', TEXT])
  assert.equal(headers['content-length'], String(body.length))
  const held = async (tag: string, more = {}) => (await ask({ 'if-none-match': tag, ...more })).status
  assert.deepEqual(
    [await held('"tag"'), await held(headers.etag, gzip), await held('"tag"', gzip), await held('"other"')],
    [304, 304, 200, 200],
  )
  const head = await ask(gzip, { method: 'HEAD' })
  assert.deepEqual([head.body.length, head.headers.etag], [0, headers.etag])
  assert.equal((await ask({ accept: 'text/html' })).status, 406)
})

test('sends an ETag or cacheable Cache-Control only if the relayed response has one', async () => {
  state.relayed = jsonResponse(TEXT)
  const { status, headers } = await ask(
    { 'if-none-match': '*', 'accept-encoding': 'br' },
    { path: MCP_PATH, method: 'POST' },
  )
  assert.deepEqual(
    [status, headers.etag, headers['cache-control'], headers['content-encoding']],
    [200, undefined, 'no-store', 'br'],
  )
})

test('sends problems in the negotiated format, whichever layer reports them', async () => {
  const problem = new Problem('not-ready', 'Come again.', { headers: { 'retry-after': '5' } })
  state.relayed = problemResponse(problem)
  for (const asked of [{}, { path: MCP_PATH, method: 'POST' }]) {
    const { status, headers, body } = await ask({ accept: AS_PROBLEM, 'if-none-match': '*' }, asked)
    assert.deepEqual(
      [status, headers['content-type'], headers['retry-after'], headers['cache-control']],
      [503, 'application/problem+json', '5', 'no-store'],
    )
    assert.deepEqual(JSON.parse(body.toString()), {
      type: 'https://slots.example/docs/errors#503-not-ready',
      title: 'Not ready',
      status: 503,
      detail: 'Come again.',
      instance: 'urn:request:mine',
      requestLogUrl: 'https://slots.example/app/o/org/logs/mine',
    })
    const plain = await ask({}, asked)
    const { error, message, requestLogUrl } = JSON.parse(plain.body.toString())
    assert.deepEqual([plain.headers['content-type'], error, message], ['application/json', 'Not ready', 'Come again.'])
    assert.equal(requestLogUrl, 'https://slots.example/app/o/org/logs/mine')
  }
})

test('leaves errors of other protocols and responses without a body unchanged', async () => {
  const error = '{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"},"id":null}'
  state.relayed = jsonResponse(error, { status: 400 })
  const asked = { path: MCP_PATH, method: 'POST' }
  assert.equal((await ask({ accept: AS_PROBLEM }, asked)).body.toString(), error)
  for (const status of [202, 204]) {
    state.relayed = { status, headers: [['allow', 'POST']], body: new Uint8Array() }
    const { headers, ...answer } = await ask({ 'accept-encoding': 'gzip, identity;q=0' }, asked)
    assert.deepEqual([answer.status, answer.body.length, headers.allow], [status, 0, 'POST'])
  }
})

test('returns a 500 without details if a response cannot be sent', async () => {
  state.relayed = jsonResponse(TEXT, { headers: [['location', 'a\nb']] })
  const { status, body } = await ask()
  assert.deepEqual(
    [status, JSON.parse(body.toString()).message],
    [500, 'The service failed. Please report request mine.'],
  )
  assert.match(String(takeError()), /Invalid character/)
})
