import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { fillIndex } from '../../../test/support/fill-index.ts'
import {
  ask,
  connection,
  feedVersions,
  index,
  KEY,
  NOW_MS,
  openFeedEvents,
  relayedCount,
  sampleSlots,
  state,
} from '../../../test/support/http/sample-server.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { FEED_VERSION_LIMITS } from '../v1/fhir-feed/feed-versions.ts'
import { OpenFeedTotals } from './open-feed-counts.ts'

const MANIFEST = '/fhir/$bulk-publish'

test('everybody reads the manifest and its files without a key, from any web page', async () => {
  const { status, headers, json } = await ask(MANIFEST, { origin: 'https://finder.example' })
  assert.deepEqual([status, headers['content-type']], [200, 'application/json'])
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers['cache-control'], 'public, max-age=10')
  assert.deepEqual([json.requiresAccessToken, json.request], [false, `https://slots.example${MANIFEST}`])
  assert.equal((await ask('/fhir/%24bulk-publish', { 'if-none-match': String(headers.etag) })).status, 304)
  for (const { url, count } of json.output) {
    const file = await ask(new URL(url).pathname, { accept: 'application/fhir+ndjson' })
    assert.deepEqual([file.status, file.text.split('\n').length - 1], [200, count])
    assert.equal(file.headers['access-control-allow-origin'], '*')
    assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(url, /^https:\/\/slots\.example\/fhir\//)
  }
})

test('has the content of the keyed feed, and compresses it', async () => {
  const keyed = (await ask('/v1/fhir/$bulk-publish', { 'x-api-key': KEY })).json.output
  const open = (await ask(MANIFEST, {})).json.output
  const plain = (files: { url: string }[]) =>
    files.map((file) => ({ ...file, url: new URL(file.url).pathname.split('/').at(-1) }))
  assert.deepEqual(plain(open), plain(keyed))
  for (const [n, { url, type }] of open.entries()) {
    const text = (await ask(new URL(url).pathname, {})).text
    assert.equal(text, (await ask(new URL(keyed[n].url).pathname, { 'x-api-key': KEY })).text)
    const zipped = await ask(new URL(url).pathname, { 'accept-encoding': 'gzip' })
    assert.equal(zipped.headers['content-encoding'], 'gzip')
    if (text === '' || type !== 'Slot') continue
    const part = await ask(new URL(url).pathname, { range: 'bytes=2-9', 'accept-encoding': 'gzip' })
    assert.deepEqual([part.status, part.text], [206, text.slice(2, 10)])
    const resumed = await ask(new URL(url).pathname, { range: 'bytes=2-9', 'if-range': String(zipped.headers.etag) })
    assert.equal(resumed.status, 200, 'a compressed copy is not resumed by bytes of the plain file')
    const known = { 'if-none-match': String(zipped.headers.etag) }
    const again = await ask(new URL(url).pathname, { ...known, 'accept-encoding': 'gzip' })
    assert.deepEqual([again.status, again.headers.etag], [304, zipped.headers.etag])
    // As a browser asks that has the compressed copy: it would cut 304 out of that.
    const cut = await ask(new URL(url).pathname, { ...known, range: 'bytes=2-9', 'accept-encoding': 'identity' })
    assert.deepEqual([cut.status, cut.text], [206, text.slice(2, 10)])
  }
})

test('each response has one request id', async () => {
  const { json } = await ask(MANIFEST, {})
  const pages = [json.link[0].url, json.output[0].url].map((url) => new URL(url).pathname)
  for (const target of [MANIFEST, `${MANIFEST}?page=2`, ...pages]) {
    const { headers } = await ask(target, { 'x-request-id': 'mine' })
    assert.equal(headers['x-request-id'], 'mine', target)
  }
})

test('answers the preflight of a browser', async () => {
  const asked = { origin: 'https://finder.example', 'access-control-request-method': 'GET' }
  const { status, headers } = await ask(MANIFEST, { ...asked, 'access-control-request-headers': 'x-trace' }, 'OPTIONS')
  assert.equal(status, 204)
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers['access-control-allow-headers'], '*, Authorization')
  assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS')
})

test('errors are OperationOutcomes that a web page can read', async () => {
  const problems = [
    [await ask(MANIFEST, {}, 'POST'), 405],
    [await ask(MANIFEST, { accept: 'text/html' }), 406],
    [await ask(`${MANIFEST}?page=2`, {}), 400],
    [await ask(`/fhir/Slot-TX~1.1~${'0'.repeat(4)}.ndjson`, {}), 410],
  ] as const
  for (const [{ status, headers, json }, expected] of problems) {
    assert.deepEqual([status, headers['content-type']], [expected, 'application/fhir+json'])
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(json.resourceType, 'OperationOutcome')
  }
  const elsewhere = await ask('/fhir/Patient', {})
  assert.deepEqual([elsewhere.status, elsewhere.json.resourceType], [404, 'OperationOutcome'])
})

test('a version that is gone redirects within the open feed', async () => {
  const { json } = await ask(MANIFEST, {})
  const { url } = json.output.find(({ type }: { type: string }) => type === 'Slot')
  fillIndex(index, sampleSlots(40), { revision: 2, nowMs: NOW_MS })
  feedVersions.close()
  state.nowMs += FEED_VERSION_LIMITS.intervalMs
  const gone = await ask(new URL(url).pathname, {})
  assert.deepEqual([gone.status, gone.headers['access-control-allow-origin']], [307, '*'])
  assert.match(String(gone.headers.location), /^https:\/\/slots\.example\/fhir\/Slot-/)
})

/** The path of the pending page, and of an update after it. */
async function updatePaths() {
  const { json } = await ask(MANIFEST, {})
  const { pathname } = new URL(json.link[0].url)
  const [, start = '', revision = ''] = /^(.*\.([0-9a-z]+))\.json$/.exec(pathname) ?? []
  return { pathname, start, update: `${start}~${(Number.parseInt(revision, 36) + 1).toString(36)}.json` }
}

/** Connections that each wait for an update, as of clients behind a proxy. */
async function waitFor(update: string, addresses: readonly string[]) {
  const before = relayedCount()
  const sockets = addresses.map((address) => {
    const socket = connection()
    socket.write(`GET ${update} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n\r\n`)
    return socket
  })
  await eventually(() => relayedCount() === before + addresses.length)
  return sockets
}

test('limits how many requests wait for updates, and answers polls meanwhile', async (t) => {
  const { pathname, start, update } = await updatePaths()
  assert.equal((await ask(`${start}~zz.json`, {})).status, 404, 'not an update of the chain')
  behindProxy(t)
  const waiting = await waitFor(
    update,
    Array.from({ length: 8 }, (_, n) => `192.0.2.${n % 2}`),
  )
  const refused = await ask(update, {})
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '2'])
  const poll = await ask(pathname, {})
  assert.deepEqual([poll.status, poll.json.link[0].url], [200, '#pending'])
  for (const socket of waiting) socket.destroy()
  state.isRelayPending = false
  await eventually(async () => (await ask(update, {})).status === 299)
})

test('an address cannot take the places of other readers of updates, nor keep its own for long', async (t) => {
  const { update } = await updatePaths()
  behindProxy(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const waiting = await waitFor(
    update,
    Array.from({ length: 4 }, () => '192.0.2.1'),
  )
  state.isRelayPending = false
  const closed = waiting.map((socket) => once(socket, 'close'))
  let refused: number | undefined
  void ask(update, { 'x-forwarded-for': '192.0.2.1' }).then(({ status }) => {
    refused = status
  })
  assert.equal((await ask(update, { 'x-forwarded-for': '192.0.2.2' })).status, 299)
  for (const socket of waiting) socket.resume()
  // The refusal comes late, and its request may be read after many ticks, but long before the others are closed.
  await eventually(() => {
    t.mock.timers.tick(50)
    return refused !== undefined
  })
  assert.equal(refused, 503)
  t.mock.timers.tick(2 * MINUTE_MS)
  await Promise.all(closed)
  assert.equal((await ask(update, { 'x-forwarded-for': '192.0.2.1' })).status, 299)
})

/** Until the test ends, `X-Forwarded-For` has the address of a client, and no other thread answers. */
function behindProxy(t: TestContext): void {
  state.trustedProxies = 1
  state.isRelayPending = true
  t.after(() => {
    state.trustedProxies = 0
    state.isRelayPending = false
  })
}

test('limits the requests of an address with 429 and Retry-After, and callers with a key keep their service', async () => {
  // Ten tokens come back every second. At once, 550 requests take less time on a busy machine than in turn.
  await Promise.all(Array.from({ length: 550 }, () => ask(MANIFEST, {})))
  let [answer, tookMs] = [await ask(MANIFEST, {}), 0]
  for (let n = 0; n < 700 && answer.status !== 429; n++) {
    const startedMs = performance.now()
    answer = await ask(MANIFEST, {})
    tookMs = performance.now() - startedMs
  }
  const { status, json, headers } = answer
  assert.equal(status, 429)
  assert.ok(tookMs > 250, 'a refusal comes late')
  assert.ok(Number(headers['retry-after']) >= 1)
  assert.equal(json.issue[0].code, 'throttled')
  assert.match(String(headers.ratelimit), /^"address-requests";r=0/)
  assert.equal((await ask('/v1/fhir/$bulk-publish', { 'x-api-key': KEY })).status, 200)
  assert.equal((await ask(MANIFEST, {}, 'OPTIONS')).status, 204)
})

test('counts its requests by status class', async (t) => {
  const totals = new OpenFeedTotals()
  await t.waitFor(() => assert.ok(openFeedEvents.length > 0), { timeout: 5000 })
  for (const event of openFeedEvents) totals.add(event)
  for (const hundreds of [2, 3, 4]) assert.ok((totals.counts.get(hundreds) ?? 0) > 0, `${hundreds}xx`)
})
