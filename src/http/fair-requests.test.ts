import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { ask, KEY, NOW_MS, OTHER_KEY, port, queue, SLOTS, state } from '../../test/support/http/sample-server.ts'
import type { Steps } from '../lib/steps.ts'
import { FAIR_LIMITS } from './fair-queue.ts'
import { RateLimits } from './rate-limits.ts'

const FACETS = '/v1/scheduling/facets'
const GREEDY = { id: 'one', organizationId: 'org' }
const OTHER = { 'x-api-key': OTHER_KEY }

test('a key whose queue is full gets 503 for costly requests, while everything else is answered', async (t) => {
  const release = fillQueue(FAIR_LIMITS.waitingPerKeyMax)
  t.after(release)
  for (const path of [FACETS, '/v1/scheduling/actors', '/v1/scheduling/publishers', `${SLOTS}?scheduleId=a`]) {
    const { status, headers, json } = await ask(path)
    assert.deepEqual([status, headers['retry-after'], json.error], [503, '1', 'Queue full'], path)
    assert.equal((await ask(path, OTHER)).status, 200, path)
  }
  const exported = { authorization: `Bearer ${KEY}`, accept: 'text/csv' }
  assert.equal((await ask(`${SLOTS}?city=Salem`, exported)).status, 503)
  for (const search of ['state=MA', 'city=Boston&limit=7']) assert.equal((await ask(`${SLOTS}?${search}`)).status, 200)
  release()
  assert.equal((await ask(FACETS)).status, 200)
})

test('a request whose connection closes leaves the queue', async (t) => {
  const release = fillQueue(2)
  t.after(release)
  const sent = request({ port: port(), path: `${FACETS}?city=Boston`, headers: { 'x-api-key': KEY }, agent: false })
  sent.on('error', () => undefined).end()
  await eventually(() => queue.size === 3)
  sent.destroy()
  await eventually(() => queue.size === 2)
})

test('an answer that waited has the slots and the version of the time when it began', async (t) => {
  const release = fillQueue(2)
  t.after(release)
  t.after(() => {
    state.nowMs = NOW_MS
  })
  const pending = ask(`${FACETS}?isVirtual=true&serviceTypeCode=57`, OTHER)
  const { json, headers } = await pending
  state.nowMs += 1
  const again = await ask(`${FACETS}?isVirtual=true&serviceTypeCode=57`, OTHER)
  assert.deepEqual([again.json, again.headers.etag], [json, headers.etag])
  assert.match(String(headers['server-timing']), /^index;dur=\d/)
})

test('with rate limits, every response names them, and a request beyond them gets 429', async (t) => {
  assert.equal((await ask(SLOTS)).headers['ratelimit-policy'], undefined)
  state.rateLimits = new RateLimits({ keyRequests: 2 })
  t.after(() => {
    state.rateLimits = undefined
  })
  for (const [path, status, left] of [
    [SLOTS, 200, 1],
    [`${SLOTS}?limit=0`, 400, 0],
    [FACETS, 429, 0],
  ] as const) {
    const response = await ask(path)
    assert.equal(response.status, status)
    assert.equal(response.headers['ratelimit-policy'], '"key-requests";q=2;w=60')
    assert.match(String(response.headers.ratelimit), new RegExp(`^"key-requests";r=${left};t=\\d+$`))
    assert.equal(response.headers['retry-after'], status === 429 ? '30' : undefined)
  }
  assert.equal((await ask(SLOTS, OTHER)).status, 200)
})

test('requests are charged with the thread time that they take', async (t) => {
  state.rateLimits = new RateLimits({ keyMs: 1 })
  t.after(() => {
    state.rateLimits = undefined
  })
  // Each takes some tenths of a millisecond, of which one a second comes back.
  const statuses = new Set<number>()
  for (let n = 0; n < 500 && !statuses.has(429); n++) statuses.add((await ask(SLOTS)).status)
  assert.deepEqual([...statuses], [200, 429])
})

/** Work without end in the queue of the first key. Returns what removes it. */
function fillQueue(count: number): () => void {
  const outcome = { onResult: assert.fail, onError: assert.fail }
  const cancels = Array.from({ length: count }, () => queue.run(GREEDY, endless(), outcome))
  return () => {
    for (const cancel of cancels) cancel?.()
  }
}

function* endless(): Steps<void> {
  for (;;) yield
}
