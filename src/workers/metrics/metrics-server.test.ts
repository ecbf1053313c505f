import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../../test/support/free-port.ts'
import type { NodeCondition } from '../../http/api-context.ts'
import type { NodeHealth } from '../../http/node-query.ts'
import { OPEN_FEED_REQUESTS, OpenFeedTotals } from '../../http/open-feed/open-feed-counts.ts'
import { RefusalCounters } from '../../http/refusals.ts'
import { type MeteredKey, UsageMeter } from '../../keys/usage-meter.ts'
import { latencyBucket } from '../../lib/latency-histogram.ts'
import type { SourceGauge } from '../../sync/health-watch.ts'
import { SyncCounters } from '../node-telemetry.ts'
import { MetricsServer } from './metrics-server.ts'

const HEALTH: NodeHealth = {
  nodeVersion: 'v24',
  startedAtMs: 5000,
  ready: true,
  slots: 60,
  keys: 2,
  memory: { rssBytes: 300, heapBytes: 200, externalBytes: 100, maxBytes: 400, missingSlots: 0 },
  eventLoop: { p50Ms: 1, p99Ms: 20, past: [] },
}

const SOURCES: readonly SourceGauge[] = [
  {
    slug: 'a',
    health: 'healthy',
    slots: 7,
    rejected: 3,
    lastCheckedAtMs: 1000,
    publishedAtMs: 2000,
    changedAtMs: 3000,
  },
  { slug: 'b', health: 'never-synced', slots: 0, rejected: 0 },
]

async function start(t: TestContext, condition: Partial<NodeCondition> = {}) {
  const meter = new UsageMeter()
  const syncs = new SyncCounters()
  const store = { kind: 'postgres', status: 'ok', sinceMs: 0 } as const
  const openFeed = new OpenFeedTotals()
  openFeed.add({ level: 'info', message: OPEN_FEED_REQUESTS, fields: { hundreds: 2, count: 5 } })
  const where = { host: '127.0.0.1', port: await freePort() }
  const server = await MetricsServer.start(where, {
    health: () => HEALTH,
    condition: () => ({ draining: false, store, lastChangeAtMs: 7000, ...condition }),
    revision: () => 12,
    storeUnavailableMs: () => 1500,
    requests: meter.totals,
    syncs,
    sources: () => SOURCES,
    isAuditLogUp: () => false,
    refusals: new RefusalCounters(Date.now),
    openFeed,
    deliveries: () => ({ delivered: 3, failed: 2, inFlight: 1, queued: 4, oldestAtMs: 9000 }),
  })
  t.after(() => server.stop())
  const origin = `http://127.0.0.1:${where.port}`
  /** The value of each series, by its name and labels. */
  const scrape = async () => {
    const response = await fetch(`${origin}/metrics`)
    assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
  }
  return { origin, meter, syncs, scrape }
}

function use(meter: UsageMeter, key: MeteredKey, status: number, durationUs: number): void {
  meter.note(key, { request: {}, response: { statusCode: status }, requestId: 'r' }, 0, durationUs)
}

test('counts requests by status class and duration bucket, also those of other threads', async (t) => {
  const { meter, scrape } = await start(t)
  const key = { id: 'one', usage: undefined }
  assert.equal((await scrape()).get('slots_http_requests_total{status="5xx"}'), 0)
  use(meter, key, 200, 40)
  use(meter, key, 304, 40)
  use(meter, key, 200, 900)
  meter.drain()
  use(meter, key, 503, 10_000_000)
  meter.drain()
  const other = new UsageMeter()
  use(other, { id: 'two', usage: undefined }, 200, 40)
  meter.takeOver(other.drain() ?? assert.fail())
  const series = await scrape()
  assert.deepEqual(
    ['2xx', '3xx', '4xx', '5xx'].map((status) => series.get(`slots_http_requests_total{status="${status}"}`)),
    [3, 1, 0, 1],
  )
  const bucket = (le: string) => series.get(`slots_http_request_duration_seconds_bucket{le="${le}"}`)
  assert.equal(latencyBucket(40), latencyBucket(50))
  assert.deepEqual(['0.000033', '0.00005', '0.00084', '0.00126', '5', '+Inf'].map(bucket), [0, 3, 3, 4, 4, 5])
  assert.equal(series.get('slots_http_request_duration_seconds_count'), 5)
  const sum = series.get('slots_http_request_duration_seconds_sum') ?? 0
  assert.ok(sum > 5 && sum < 5.01, String(sum))
})

test('counts referrals by source, also those of other threads', async (t) => {
  const { meter, scrape } = await start(t)
  for (const slug of ['a', 'a', 'b']) meter.noteReferral(slug, 0)
  meter.drain()
  const other = new UsageMeter()
  other.noteReferral('a', 0)
  meter.takeOver(other.drain() ?? assert.fail())
  const series = [...(await scrape())].filter(([name]) => name.startsWith('slots_referrals_total'))
  assert.deepEqual(series, [
    ['slots_referrals_total{source="a"}', 3],
    ['slots_referrals_total{source="b"}', 1],
  ])
  assert.deepEqual(meter.drain()?.referrals, [{ publisher: 'a', dayMs: 0, count: 1 }])
})

test('reports the contents, store availability and process metrics of the node', async (t) => {
  const { scrape } = await start(t)
  const series = await scrape()
  const expected = {
    slots_ready: 1,
    slots_index_slots: 60,
    slots_index_missing_slots: 0,
    slots_memory_max_bytes: 0,
    slots_index_revision: 12,
    slots_index_changed_timestamp_seconds: 7,
    slots_keys: 2,
    slots_store_up: 1,
    slots_audit_log_up: 0,
    slots_store_unavailable_seconds_total: 1.5,
    process_resident_memory_bytes: 300,
    nodejs_heap_size_used_bytes: 200,
    nodejs_external_memory_bytes: 100,
    process_start_time_seconds: 5,
    'slots_event_loop_delay_seconds{quantile="0.99"}': 0.02,
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(series.get(name), value, name)
  assert.ok((series.get('process_cpu_seconds_total') ?? 0) > 0)
})

test('a draining node is not ready, and an unavailable store is not up', async (t) => {
  const { scrape } = await start(t, { draining: true, store: { kind: 'sqlite', status: 'unavailable', sinceMs: 0 } })
  const series = await scrape()
  assert.deepEqual([series.get('slots_ready'), series.get('slots_store_up')], [0, 0])
})

test('reports the deliveries to subscriptions', async (t) => {
  const { scrape } = await start(t)
  const series = [...(await scrape())].filter(([name]) => /^slots_(deliveries|events)_/.test(name))
  assert.deepEqual(series, [
    ['slots_deliveries_total{outcome="delivered"}', 3],
    ['slots_deliveries_total{outcome="failed"}', 2],
    ['slots_deliveries_in_flight', 1],
    ['slots_events_queued', 4],
    ['slots_events_oldest_timestamp_seconds', 9],
  ])
})

test('counts syncs by source and outcome', async (t) => {
  const { syncs, scrape } = await start(t)
  const note = (message: string, fields: object) => syncs.note({ level: 'info', message, fields: { ...fields } })
  note('source was synced', { source: 'a', outcome: 'ok' })
  note('source was synced', { source: 'a', outcome: 'ok' })
  note('source was synced', { source: 'b', outcome: 'partial' })
  note('source could not be synced', { source: 'b', outcome: 'failed' })
  note('sync was interrupted', { source: 'b', outcome: 'failed' })
  note('sync was cut off', { source: 'b' })
  note('store became unavailable', {})
  const series = [...(await scrape())].filter(([name]) => name.startsWith('slots_syncs_total'))
  assert.deepEqual(series, [
    ['slots_syncs_total{source="a",outcome="ok"}', 2],
    ['slots_syncs_total{source="b",outcome="partial"}', 1],
    ['slots_syncs_total{source="b",outcome="failed"}', 1],
    ['slots_syncs_total{source="b",outcome="broken"}', 1],
  ])
})

test('reports the health, slots and known times of each source', async (t) => {
  const { scrape } = await start(t)
  const series = [...(await scrape())].filter(([name]) => name.startsWith('slots_source_'))
  assert.deepEqual(series, [
    ['slots_source_health{source="a",health="healthy"}', 1],
    ['slots_source_health{source="b",health="never-synced"}', 1],
    ['slots_source_slots{source="a"}', 7],
    ['slots_source_slots{source="b"}', 0],
    ['slots_source_rejected_lines{source="a"}', 3],
    ['slots_source_rejected_lines{source="b"}', 0],
    ['slots_source_looked_timestamp_seconds{source="a"}', 1],
    ['slots_source_published_timestamp_seconds{source="a"}', 2],
    ['slots_source_changed_timestamp_seconds{source="a"}', 3],
  ])
})

test('docs/monitoring.md has a row for each metric, and for no other', async (t) => {
  const { origin } = await start(t)
  const text = await (await fetch(`${origin}/metrics`)).text()
  const names = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
  const page = readFileSync(new URL('../../../docs/monitoring.md', import.meta.url), 'utf8')
  const section = page.slice(page.indexOf('## Metrics'), page.indexOf('## Logs'))
  const rows = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(rows.sort(), names.sort())
})

test('serves only GET and HEAD /metrics', async (t) => {
  const { origin } = await start(t)
  assert.equal((await fetch(`${origin}/v1/scheduling/slots`)).status, 404)
  assert.equal((await fetch(`${origin}/metrics`, { method: 'POST' })).status, 405)
  assert.equal((await fetch(`${origin}/metrics`, { method: 'HEAD' })).status, 200)
})
