import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { ask, NOW_MS, sources, state } from '../../../test/support/http/sample-server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import type { SourceFreshness } from '../../slot/source-freshness.ts'
import { jsonResponse } from '../serialized-http.ts'
import { type StatusHistory, utcDayOf } from './health-history.ts'

const CLINIC: SourceFreshness = {
  slug: 'clinic',
  name: 'Clinic <script>alert(1)</script>',
  feedUrl: 'https://clinic.example/feed',
  paused: false,
  health: 'healthy',
  lastCheckedAtMs: NOW_MS - 3 * MINUTE_MS,
  changedAtMs: NOW_MS - 2 * HOUR_MS,
  nextSyncAtMs: NOW_MS,
}
const HISTORY: StatusHistory = {
  atMs: NOW_MS,
  publishers: {
    clinic: {
      recordedSinceMs: NOW_MS - 40 * DAY_MS,
      availability: 0.9987,
      days: [{ day: utcDayOf(NOW_MS) - 3, status: 'failing', minutes: 75 }],
    },
  },
  incidents: [
    { publisher: 'clinic', status: 'failing', fromMs: NOW_MS - 3 * DAY_MS, toMs: NOW_MS - 3 * DAY_MS + 75 * MINUTE_MS },
    { publisher: 'removed', status: 'stale', fromMs: NOW_MS - 9 * DAY_MS },
  ],
}
const UNAVAILABLE = state.history
let reads = 0

/** A minute later, so that nothing is cached. */
beforeEach(() => {
  state.nowMs += MINUTE_MS
  reads = 0
  state.history = async () => {
    reads++
    return jsonResponse(JSON.stringify(HISTORY))
  }
  tell([CLINIC, { ...CLINIC, slug: 'west', name: 'West', health: 'failing' }, { ...CLINIC, slug: 'old', paused: true }])
})

function tell(all: readonly SourceFreshness[]): void {
  sources.apply({ sources: all, gone: [], whole: true })
}

test('returns the state of each publisher, the worst first, and the incidents as JSON for any web page', async () => {
  const { status, headers, json } = await ask('/status.json', {})
  assert.deepEqual(
    [status, headers['content-type'], headers['cache-control'], headers['access-control-allow-origin']],
    [200, 'application/json', 'public, max-age=30', '*'],
  )
  const at = new Date(state.nowMs).toISOString()
  assert.deepEqual(
    [json.status, json.at, json.slots, json.counts, json.page, json.pages],
    ['failing', at, 60, { healthy: 1, failing: 1, paused: 1 }, 1, 1],
  )
  assert.deepEqual(
    json.publishers.map(({ publisher, status }: Record<string, string>) => [publisher, status]),
    [
      ['west', 'failing'],
      ['old', 'paused'],
      ['clinic', 'healthy'],
    ],
  )
  assert.deepEqual(json.publishers[2], {
    publisher: 'clinic',
    name: CLINIC.name,
    status: 'healthy',
    lastSyncAt: '2026-06-01T11:57:00.000Z',
    changedAt: '2026-06-01T10:00:00.000Z',
    availability: 0.9987,
    recordedSince: '2026-04-22T12:00:00.000Z',
    days: [{ date: '2026-05-29', status: 'failing', minutes: 75 }],
  })
  assert.deepEqual(json.incidents, [
    {
      publisher: 'clinic',
      name: CLINIC.name,
      status: 'failing',
      description: 'The feed could not be read. Its last good slots are served.',
      from: '2026-05-29T12:00:00.000Z',
      to: '2026-05-29T13:15:00.000Z',
    },
  ])
})

test('renders the page in the frame of the site without scripts, and escapes names', async () => {
  const { status, headers, text } = await ask('/status', {})
  assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
  assert.match(String(headers['content-security-policy']), /script-src 'self'/)
  assert.match(text, /^<h1>Status<\/h1>/)
  assert.match(text, /The service is running\. Publishers: 1 failing, 1 paused, 1 healthy\./)
  assert.match(text, /99\.87% available/)
  assert.match(text, /aria-label="Last 90 days: 1 day with problems"/)
  assert.match(text, /May 29, 2026, 12:00 PM UTC<\/time> to .+1:15 PM UTC<\/time>, 75 minutes/)
  assert.match(text, /<bdi>Clinic &lt;script&gt;/)
  assert.doesNotMatch(text, /<script|clinic\.example|<!-- status/)
})

test('says since when an incident lasts', async () => {
  const incidents = [{ publisher: 'clinic', status: 'failing' as const, fromMs: state.nowMs - 75 * MINUTE_MS }]
  state.history = async () => jsonResponse(JSON.stringify({ ...HISTORY, incidents }))
  const { text } = await ask('/status', {})
  assert.match(text, />Since <time [^>]+>[^<]+ UTC<\/time>, for 75 minutes so far\.</)
})

test('makes each page once in 30 seconds, and responds 304 if the caller has it', async () => {
  const [first, second] = await Promise.all([ask('/status', {}), ask('/status', {})])
  assert.equal(first.headers.etag, second.headers.etag)
  tell([])
  state.nowMs += 29_000
  assert.equal((await ask('/status', { 'if-none-match': String(first.headers.etag) })).status, 304)
  await ask('/status.json', {})
  assert.equal(reads, 1)
  state.nowMs += 2_000
  assert.match((await ask('/status', {})).text, /There are no publishers yet/)
  assert.equal(reads, 2)
})

test('shows the present and the last history while the history cannot be read', async () => {
  await ask('/status.json', {})
  state.history = UNAVAILABLE
  state.nowMs += MINUTE_MS
  assert.equal((await ask('/status.json', {})).json.incidents.length, 1)
  state.history = () => Promise.reject(new Error('the thread restarts'))
  state.nowMs += MINUTE_MS
  tell([{ ...CLINIC, health: 'late' }])
  const { status, json } = await ask('/status.json', {})
  assert.deepEqual([status, json.status, json.incidents.length], [200, 'late', 1])
})

test('responds 503 while slots are loaded, and does not cache it', async (t) => {
  state.ready = false
  t.after(() => {
    state.ready = true
  })
  const { status, headers, text } = await ask('/status', {})
  assert.deepEqual([status, headers['cache-control']], [503, 'no-store'])
  assert.match(text, /The service is starting/)
  state.ready = true
  assert.equal((await ask('/status', {})).status, 200)
})

test('shows a publisher before its history is read, whatever its name', async () => {
  tell([{ ...CLINIC, slug: 'constructor' }])
  const { status, json } = await ask('/status.json', {})
  assert.deepEqual([status, json.publishers[0].publisher, json.publishers[0].days], [200, 'constructor', undefined])
})

test('has pages of 100 publishers, and 404 for others', async () => {
  tell(Array.from({ length: 201 }, (_, n) => ({ ...CLINIC, slug: `p${n}`, name: `P ${String(n).padStart(3, '0')}` })))
  const { json } = await ask('/status.json?page=3', {})
  assert.deepEqual([json.pages, json.publishers.length, json.publishers[0].name], [3, 1, 'P 200'])
  assert.match(
    (await ask('/status?page=2', {})).text,
    /rel="prev" href="\/status">.+rel="next" href="\/status\?page=3"/,
  )
  for (const page of ['4', '0', '51', 'x', '1e1', ''])
    assert.equal((await ask(`/status.json?page=${page}`, {})).status, 404, page)
  assert.deepEqual((await ask('/status', {}, 'DELETE')).status, 405)
  assert.equal((await ask('/status', {}, 'HEAD')).text, '')
  assert.equal((await ask('/statuses', {})).status, 404)
})
