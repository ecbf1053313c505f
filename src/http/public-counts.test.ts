import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillIndex } from '../../test/support/fill-index.ts'
import { ask, index, NOW_MS, queue, sampleSlots, sources, state } from '../../test/support/http/sample-server.ts'
import { COUNTS_PATH } from './site/fill-in.ts'

const expire = () => {
  state.nowMs += 11_000
}

test('counts open slots for everybody, by state, without the names of publishers', async () => {
  expire()
  const checked = { slug: 'secret-clinic', paused: false, health: 'healthy' as const, nextSyncAtMs: NOW_MS }
  const publishers = new Set(sampleSlots(60).map(({ offering }) => offering.publisher))
  const all = [...publishers, 'secret-clinic'].map((slug) => ({ ...checked, slug, lastCheckedAtMs: NOW_MS - 40_000 }))
  sources.apply({ sources: all, gone: [], whole: true })
  const { status, headers, json, text } = await ask(COUNTS_PATH, {})
  assert.deepEqual([status, headers['content-type']], [200, 'application/json'])
  assert.equal(headers['cache-control'], 'public, max-age=10')
  const open = sampleSlots(60).filter(({ status, endMs }) => status === 'free' && endMs > state.nowMs)
  const states = new Map<string, number>()
  for (const { offering } of open)
    for (const name of new Set([offering.location?.state ?? [], offering.serviceStates ?? []].flat()))
      states.set(name, (states.get(name) ?? 0) + 1)
  assert.ok(open.length > 0 && states.size > 0)
  assert.equal(json.slots, open.length)
  assert.deepEqual(new Map(Object.entries(json.states)), states)
  assert.equal(json.publishers, new Set(open.map(({ offering }) => offering.publisher)).size)
  assert.equal(json.checkedAt, new Date(NOW_MS - 40_000).toISOString())
  for (const name of [...publishers, 'secret']) assert.ok(!text.includes(name), name)
  const again = await ask(COUNTS_PATH, { 'if-none-match': String(headers.etag) })
  assert.deepEqual([again.status, again.text], [304, ''])
  assert.equal((await ask(COUNTS_PATH, {}, 'HEAD')).status, 200)
})

test('counts at most once in ten seconds, and once for all who wait', async (t) => {
  expire()
  const finish = t.mock.method(queue, 'finish')
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask(COUNTS_PATH, {})))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(finish.mock.callCount(), 1)
  fillIndex(index, sampleSlots(60).slice(0, 1), { nowMs: state.nowMs })
  assert.equal((await ask(COUNTS_PATH, {})).text, answers[0].text)
  expire()
  assert.notEqual((await ask(COUNTS_PATH, {})).text, answers[0].text)
  assert.equal(finish.mock.callCount(), 2)
})

test('rejects other methods, and every request before the slots are loaded', async () => {
  const post = await ask(COUNTS_PATH, {}, 'POST')
  assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD, OPTIONS'])
  const options = await ask(COUNTS_PATH, {}, 'OPTIONS')
  assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS'])
  state.ready = false
  const { status } = await ask(COUNTS_PATH, {})
  state.ready = true
  assert.equal(status, 503)
})

test('limits the requests of an address', async () => {
  const statuses = new Set<number>()
  for (let n = 0; n < 150; n++) statuses.add((await ask(COUNTS_PATH, {})).status)
  assert.deepEqual([...statuses], [200, 429])
  state.trustedProxies = 1
  const other = await ask(COUNTS_PATH, { 'x-forwarded-for': '198.51.100.7' })
  state.trustedProxies = 0
  assert.equal(other.status, 200)
})
