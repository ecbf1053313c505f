import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { ask, KEY, NOW_MS, SLOTS, sources, state } from '../../../../test/support/http/sample-server.ts'
import { MINUTE_MS } from '../../../lib/time.ts'
import type { SourceFreshness } from '../../../slot/source-freshness.ts'

const PUBLISHERS = '/v1/scheduling/publishers'

const NORTH: SourceFreshness = {
  slug: 'north',
  name: 'North Clinic',
  paused: false,
  health: 'healthy',
  lastCheckedAtMs: NOW_MS - MINUTE_MS,
  publishedAtMs: NOW_MS - 2 * MINUTE_MS,
  changedAtMs: NOW_MS - 3 * MINUTE_MS,
  nextSyncAtMs: NOW_MS + 30_000,
}
const NEW: SourceFreshness = { slug: 'new', paused: false, health: 'never-synced', nextSyncAtMs: 0 }

beforeEach(() => {
  state.nowMs = NOW_MS
  tell([NORTH, { ...NORTH, slug: 'south' }])
})

function tell(all: readonly SourceFreshness[]): void {
  sources.apply({ sources: all, gone: [], whole: true })
}

test('returns the slots by status and the freshness of each publisher', async () => {
  tell([NORTH, NEW])
  const { status, headers, json } = await ask(PUBLISHERS)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/json')
  assert.deepEqual(json, {
    publishers: [
      {
        publisher: 'new',
        name: 'new',
        slots: { free: 0, busy: 0, 'busy-unavailable': 0, 'busy-tentative': 0 },
        status: 'never-synced',
      },
      {
        publisher: 'north',
        name: 'North Clinic',
        slots: { free: 29, busy: 0, 'busy-unavailable': 0, 'busy-tentative': 0 },
        lastSyncAt: '2026-06-01T11:59:00.000Z',
        publishedAt: '2026-06-01T11:58:00.000Z',
        changedAt: '2026-06-01T11:57:00.000Z',
        nextSyncAt: '2026-06-01T12:00:30.000Z',
        status: 'healthy',
      },
    ],
    total: 2,
  })
  assert.equal((await ask(`${SLOTS}?publisher=north`)).json.total, json.publishers[1].slots.free)
})

test('returns the health of each publisher, and paused ones immediately', async () => {
  tell([
    { ...NORTH, slug: 'a', paused: true },
    { ...NORTH, slug: 'b', health: 'failing' },
    { ...NEW, slug: 'c' },
    { ...NORTH, slug: 'd' },
  ])
  const { publishers } = (await ask(PUBLISHERS)).json
  assert.deepEqual(
    publishers.map((each: { status: string }) => each.status),
    ['paused', 'failing', 'never-synced', 'healthy'],
  )
  assert.equal(publishers[0].nextSyncAt, undefined)
})

test('paginates by slug, with links', async () => {
  tell(['c', 'a', 'b'].map((slug) => ({ ...NORTH, slug })))
  const { headers, json } = await ask(`${PUBLISHERS}?limit=2`)
  const slugs = json.publishers.map(({ publisher }: { publisher: string }) => publisher)
  assert.deepEqual([slugs, json.total], [['a', 'b'], 3])
  assert.match(
    String(headers.link),
    /<https:\/\/slots\.example\/v1\/scheduling\/publishers\?limit=2&offset=2>; rel="next"/,
  )
  assert.deepEqual((await ask(`${PUBLISHERS}?offset=9007199254740991`)).json, { publishers: [], total: 3 })
})

test('leaves out a time that RFC 3339 cannot express', async () => {
  tell([{ ...NORTH, publishedAtMs: Date.parse('9999-12-31T23:59:59Z') + MINUTE_MS }])
  assert.equal((await ask(PUBLISHERS)).json.publishers[0].publishedAt, undefined)
})

test('returns a new response after a sync without changes, and 304 until then', async () => {
  const first = await ask(PUBLISHERS)
  const asked = () => ask(PUBLISHERS, { 'x-api-key': KEY, 'if-none-match': String(first.headers.etag) })
  assert.equal((await asked()).status, 304)
  assert.equal((await asked()).status, 304)
  tell([
    { ...NORTH, health: 'failing' },
    { ...NORTH, slug: 'south' },
  ])
  const { status, json } = await asked()
  assert.deepEqual([status, json.publishers[0].status], [200, 'failing'])
  tell([NORTH, { ...NORTH, slug: 'south' }])
  assert.equal((await asked()).status, 304)
})

test('every response is fresh until the next sync of any source', async () => {
  for (const path of [PUBLISHERS, SLOTS, '/v1/scheduling/facets', '/v1/scheduling/actors'])
    assert.equal((await ask(path)).headers['cache-control'], 'private, max-age=30', path)
  const { headers } = await ask(SLOTS)
  const held = await ask(SLOTS, { 'x-api-key': KEY, 'if-none-match': String(headers.etag) })
  assert.deepEqual([held.status, held.headers['cache-control']], [304, 'private, max-age=30'])
  state.nowMs += 29_500
  assert.equal((await ask(SLOTS)).headers['cache-control'], 'private, no-cache')
  tell([])
  assert.equal((await ask(SLOTS)).headers['cache-control'], 'private, no-cache')
})

test('requires a key and accepts only paging parameters', async () => {
  assert.equal((await ask(PUBLISHERS, {})).status, 401)
  const { status, json } = await ask(`${PUBLISHERS}?state=MA`)
  assert.deepEqual([status, json.parameter], [400, 'state'])
  assert.match(json.message, /Known parameters: limit, offset\./)
})
