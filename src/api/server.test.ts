import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import { fillIndex } from '../../test/fill-index.ts'
import { hashKey } from '../keys/hash-key.ts'
import type { ApiKey } from '../keys/key.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { mintKey } from '../keys/mint-key.ts'
import type { Offering, Slot } from '../slot/slot.ts'
import { slotId } from '../slot/slot-id.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import { createApiServer } from './server.ts'

const NOW_MS = Date.parse('2026-06-01T12:00:00Z')
const KEY = mintKey()
const OTHER_KEY = mintKey()
const SLOTS = '/v1/scheduling/slots'

const state = { ready: true, nowMs: NOW_MS }
const faults: unknown[] = []
const index = new SlotIndex()
const keyRing = new KeyRing()
const server = createApiServer({
  index,
  keyRing,
  isReady: () => state.ready,
  now: () => state.nowMs,
  baseUrl: 'https://slots.example',
  dashboardUrl: 'https://slots.example/dashboard',
  docsUrl: 'https://slots.example/docs',
  onFault: (fault) => faults.push(fault),
})
let port = 0

before(async () => {
  keyRing.apply([storedKey('one', KEY), storedKey('two', OTHER_KEY)])
  fillIndex(index, sampleSlots(60), { nowMs: NOW_MS })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})

after(() => {
  server.closeAllConnections()
  server.close()
  assert.deepEqual(faults, [])
})

function storedKey(id: string, key: string): ApiKey {
  return { id, organizationId: 'org', name: id, hash: hashKey(key), lastFour: key.slice(-4), createdAtMs: 0 }
}

/** One slot every hour from an hour before now, by turns in Massachusetts and, virtual, in California. */
function sampleSlots(count: number): Slot[] {
  const offerings: Offering[] = [
    {
      publisher: 'north',
      scheduleId: 'a',
      isVirtual: false,
      modalities: ['in-person'],
      location: { city: 'Boston', state: 'MA' },
    },
    {
      publisher: 'south',
      scheduleId: 'b',
      isVirtual: true,
      modalities: ['virtual'],
      serviceStates: ['CA'],
      serviceTypeCode: '57',
    },
  ]
  return Array.from({ length: count }, (_, n) => {
    const startMs = NOW_MS + (n - 1) * 3_600_000
    const endMs = startMs + 1_800_000
    const times = {
      start: new Date(startMs).toISOString(),
      end: new Date(endMs).toISOString(),
      startMs,
      endMs,
    }
    return {
      id: slotId('north', 'a', String(n), startMs, endMs),
      status: 'free',
      ...times,
      offering: offerings[n % 2],
    }
  })
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: what was answered is looked at field by field
  json: any
}

async function ask(
  path: string,
  headers: Record<string, string> = { authorization: `Bearer ${KEY}` },
  method = 'GET',
): Promise<Answer> {
  const request = httpRequest({ port, path, method, headers, agent: false })
  request.end()
  const [response] = await once(request, 'response')
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece
  const isJson = text.startsWith('{')
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
}

test('answers 200 with the page and the total before paging, in order of start', async () => {
  const { status, headers, json } = await ask(`${SLOTS}?limit=2&offset=1`)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(json.total, 59)
  assert.deepEqual(Object.keys(json), ['slots', 'total'])
  assert.deepEqual(
    json.slots.map((slot: Slot) => slot.start),
    ['2026-06-01T13:00:00.000Z', '2026-06-01T14:00:00.000Z'],
  )
})

test('accepts a key as a Bearer credential, in any case, or in x-api-key', async () => {
  for (const headers of [
    { authorization: `Bearer ${KEY}` },
    { authorization: `bEARER   ${KEY}` },
    { 'x-api-key': KEY },
  ]) {
    assert.equal((await ask(SLOTS, headers)).status, 200)
  }
})

test('lets a Bearer credential alone decide, and passes over other schemes', async () => {
  assert.equal((await ask(SLOTS, { authorization: `Bearer ${mintKey()}`, 'x-api-key': KEY })).status, 401)
  assert.equal((await ask(SLOTS, { authorization: 'Bearer', 'x-api-key': KEY })).status, 401)
  assert.equal((await ask(SLOTS, { authorization: 'Basic dTpw', 'x-api-key': KEY })).status, 200)
  assert.equal((await ask(SLOTS, { authorization: `Basic ${KEY}` })).status, 401)
})

test('answers every /v1 path without a live key with the same 401, whatever is wrong with the key', async () => {
  const first = await ask(SLOTS, {})
  assert.equal(first.status, 401)
  assert.equal(first.headers['www-authenticate'], 'Bearer')
  assert.deepEqual(Object.keys(first.json), ['error', 'message'])
  assert.equal(first.json.error, 'API key required')
  assert.match(
    first.json.message,
    /free key in the dashboard at https:\/\/slots\.example\/dashboard .* https:\/\/slots\.example\/docs$/,
  )
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
    for (const path of [
      SLOTS,
      '/v1/',
      '/v1/nothing?x=1',
      '/v1/%73cheduling/slots',
      '/%76%31/scheduling/slots',
      `${SLOTS}?limit=0`,
    ]) {
      const { status, text } = await ask(path, { authorization: 'Bearer svc_sk_short' }, method)
      assert.deepEqual([status, text], [401, first.text], `${method} ${path}`)
    }
  }
  assert.equal((await ask(`${SLOTS}?api_key=${KEY}`, {})).status, 401)
})

test('refuses a revoked and an expired key at once, also on a connection that showed it before', async () => {
  const key = mintKey()
  keyRing.apply([{ ...storedKey('three', key), expiresAtMs: NOW_MS + 1000 }])
  const socket = connect(port, '127.0.0.1')
  const statusOnSocket = async () => {
    socket.write(`HEAD ${SLOTS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    return String(answer).slice(9, 12)
  }
  assert.equal(await statusOnSocket(), '200')
  state.nowMs = NOW_MS + 1000
  assert.equal(await statusOnSocket(), '401')
  state.nowMs = NOW_MS
  assert.equal(await statusOnSocket(), '200')
  keyRing.apply([{ ...storedKey('three', key), revokedAtMs: NOW_MS }])
  assert.equal(await statusOnSocket(), '401')
  socket.destroy()
})

test('answers each wrong parameter with a 400 that names it, what is allowed and what came', async () => {
  const wrong: [string, string, RegExp][] = [
    ['state=Mass', 'state', /two letters.*got "Mass"/],
    ['isVirtual=yes', 'isVirtual', /true or false.*got "yes"/],
    ['limit=0', 'limit', /from 1 to 100.*got "0"/],
    ['limit=101', 'limit', /got "101"/],
    ['limit=1e1', 'limit', /got "1e1"/],
    ['offset=-1', 'offset', /from 0 to 9007199254740991/],
    ['offset=9007199254740992', 'offset', /got "9007199254740992"/],
    ['status=entered-in-error', 'status', /free, busy/],
    ['startAfter=2026-06-01', 'startAfter', /RFC 3339/],
    ['startBefore=2026-06-01T00:00:00', 'startBefore', /offset/],
    ['startAfter=2026-06-01T00:00:00+00:00', 'startAfter', /%2B/],
    ['city=', 'city', /1 to 200/],
    ['limit=5&limit=5', 'limit', /once/],
    ['colour=red', 'colour', /not known.*"colour".*isVirtual/],
    ['__proto__=1', '__proto__', /not known/],
    ['city=%ff', '%ff', /UTF-8/],
  ]
  for (const [search, parameter, message] of wrong) {
    const { status, json } = await ask(`${SLOTS}?${search}`)
    assert.equal(status, 400, search)
    assert.deepEqual({ ...json, message: '' }, { error: 'Invalid parameter', message: '', parameter })
    assert.match(json.message, message)
  }
})

test('filters by state and mode, and answers an offset past the end with an empty page and the true total', async () => {
  assert.equal((await ask(`${SLOTS}?state=ma`)).json.total, 29)
  assert.equal((await ask(`${SLOTS}?state=CA&isVirtual=true&limit=1`)).json.total, 30)
  assert.equal((await ask(`${SLOTS}?state=CA&isVirtual=false`)).json.total, 0)
  assert.equal((await ask(`${SLOTS}?city=bOSTON&startAfter=2020-01-01T00:00:00%2B00:00`)).json.total, 30)
  assert.deepEqual((await ask(`${SLOTS}?offset=9007199254740991`)).json, { slots: [], total: 59 })
})

test('links to the first, previous, next and last page, keeping all other parameters', async () => {
  const { headers } = await ask(`${SLOTS}?state=MA&offset=10&limit=10`)
  const base = `https://slots.example${SLOTS}?state=MA&limit=10&offset=`
  assert.equal(
    headers.link,
    `<${base}0>; rel="first", <${base}0>; rel="prev", <${base}20>; rel="next", <${base}20>; rel="last"`,
  )
  const odd = await ask(`${SLOTS}?city=a>b"&limit=100`)
  assert.equal(
    odd.headers.link,
    `<https://slots.example${SLOTS}?city=a%3Eb%22&limit=100&offset=0>; rel="first", <https://slots.example${SLOTS}?city=a%3Eb%22&limit=100&offset=0>; rel="last"`,
  )
})

test('follows rel="next" through every slot once', async () => {
  const seen: string[] = []
  for (let path: string | undefined = `${SLOTS}?limit=7`; path !== undefined; ) {
    const { headers, json }: Answer = await ask(path)
    seen.push(...json.slots.map((slot: Slot) => slot.id))
    path = /<https:\/\/slots\.example([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
  }
  assert.equal(seen.length, 59)
  assert.equal(new Set(seen).size, 59)
})

test('answers 304 to the ETag of the same data and query, whoever asks, and 200 once a slot ended', async () => {
  const { headers } = await ask(`${SLOTS}?limit=3`)
  const etag = String(headers.etag)
  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const held = await ask(`${SLOTS}?limit=3`, { 'x-api-key': OTHER_KEY, 'if-none-match': tag })
    assert.deepEqual([held.status, held.text, held.headers.etag], [304, '', etag])
  }
  const other = await ask(`${SLOTS}?limit=4`, { 'x-api-key': KEY, 'if-none-match': etag })
  assert.equal(other.status, 200)
  state.nowMs += 3_600_000
  assert.equal((await ask(`${SLOTS}?limit=3`, { 'x-api-key': KEY, 'if-none-match': etag })).status, 200)
  state.nowMs -= 3_600_000
})

test('gives every answer a request id, the caller’s own if it is harmless', async () => {
  const key = { 'x-api-key': KEY }
  assert.equal((await ask(SLOTS, { ...key, 'x-request-id': 'abc-1' })).headers['x-request-id'], 'abc-1')
  assert.notEqual((await ask(SLOTS, { ...key, 'x-request-id': 'a b' })).headers['x-request-id'], 'a b')
  for (const path of [SLOTS, '/v1/nothing', '/livez', '/nothing', `${SLOTS}?limit=0`]) {
    assert.match(String((await ask(path, key)).headers['x-request-id']), /^[0-9a-f]{12}-\d+$/)
  }
})

test('answers HEAD as GET without a body, OPTIONS with Allow, and other methods with 405', async () => {
  const key = { 'x-api-key': KEY }
  for (const path of [SLOTS, '/livez', '/readyz']) {
    const get = await ask(path, key)
    const head = await ask(path, key, 'HEAD')
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal(head.headers['content-type'], get.headers['content-type'])
    const options = await ask(path, key, 'OPTIONS')
    assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const refused = await ask(path, key, method)
      assert.equal(refused.status, 405)
      assert.equal(refused.headers.allow, 'GET, HEAD, OPTIONS')
      assert.deepEqual(Object.keys(refused.json), ['error', 'message'])
    }
  }
})

test('answers 404 for what is not there, 406 where JSON is not accepted, and sends no CORS headers', async () => {
  const key = { 'x-api-key': KEY }
  for (const path of [
    '/v1',
    '/v1/',
    '/v1/scheduling/slots/',
    '/v1/scheduling/slotsx',
    '/nothing',
    '/V1/scheduling/slots',
  ]) {
    const { status, json } = await ask(path, key)
    assert.equal(status, 404, path)
    assert.equal(json.error, 'Not found')
  }
  for (const accept of ['text/html', 'application/json;q=0', 'image/*, text/*;q=0.5']) {
    assert.equal((await ask(SLOTS, { ...key, accept })).status, 406, accept)
  }
  for (const accept of ['*/*', 'text/html, */*;q=0.1', 'application/*', 'application/json; charset=utf-8']) {
    assert.equal((await ask(SLOTS, { ...key, accept })).status, 200, accept)
  }
  const { headers } = await ask(SLOTS, { ...key, origin: 'https://evil.example' })
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.startsWith('access-control')),
    [],
  )
})

test('answers 414 to a long target and 431 to large headers', async () => {
  const key = { 'x-api-key': KEY }
  assert.equal((await ask(`${SLOTS}?city=${'x'.repeat(9000)}`, {})).status, 401)
  for (const length of [9000, 60_000]) {
    const { status, json } = await ask(`${SLOTS}?city=${'x'.repeat(length)}`, key)
    assert.deepEqual([status, json.error], [414, 'URI too long'], String(length))
  }
  const { status, json } = await ask(SLOTS, { ...key, 'x-large': 'x'.repeat(40_000) })
  assert.deepEqual([status, json.error], [431, 'Request headers too large'])
})

test('answers what is no HTTP with 400', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.end('HELLO\r\n\r\n')
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 400 Bad Request\r\n/)
  assert.match(String(answer), /\r\n\r\n\{"error":"Malformed request"/)
})

test('answers 503 with Retry-After on /v1 and /readyz, but not on /livez, until the slots are loaded', async () => {
  state.ready = false
  for (const path of [SLOTS, '/v1/nothing', '/readyz']) {
    const { status, headers, json } = await ask(path, {})
    assert.deepEqual([status, headers['retry-after'], json.error], [503, '1', 'Not ready'])
  }
  assert.equal((await ask('/livez', {})).status, 200)
  state.ready = true
  assert.equal((await ask('/readyz', {})).status, 200)
})

test('remembers a page that is asked for again, until the data change', async () => {
  const before = await ask(`${SLOTS}?limit=9`)
  for (let n = 0; n < 4; n++) assert.equal((await ask(`${SLOTS}?limit=9`)).text, before.text)
  fillIndex(index, sampleSlots(40), { revision: 2, nowMs: NOW_MS })
  const later = await ask(`${SLOTS}?limit=9`)
  assert.equal(later.json.total, 39)
  assert.notEqual(later.headers.etag, before.headers.etag)
})

test('notes when a key was last used', async () => {
  await ask(SLOTS)
  assert.equal(keyRing.drainUsed(Number.POSITIVE_INFINITY).get('one'), NOW_MS)
})
