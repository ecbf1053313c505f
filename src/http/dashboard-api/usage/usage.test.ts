import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { latencyBucket } from '../../../lib/latency-histogram.ts'
import { HOUR_MS } from '../../../lib/time.ts'

const HOUR = Date.UTC(2026, 4, 31, 10)

/** Two keys; the first made 3 requests in one hour and 1 that failed in the next, the second 5. */
async function openCounted(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  await harness.addPerson('ann')
  const { id } = await harness.addOrganization('ann')
  const [web, app] = [
    (await harness.addKey(id, 'ann', '=web')).key.id,
    (await harness.addKey(id, 'ann', 'app, new')).key.id,
  ]
  await harness.store.usage.add({
    requests: [
      { keyId: web, hourMs: HOUR, status: 200, count: 3 },
      { keyId: web, hourMs: HOUR + HOUR_MS, status: 400, count: 1 },
      { keyId: app, hourMs: HOUR + HOUR_MS, status: 200, count: 5 },
    ],
    latencies: [
      { keyId: web, hourMs: HOUR, bucket: latencyBucket(100), count: 3 },
      { keyId: web, hourMs: HOUR + HOUR_MS, bucket: latencyBucket(2000), count: 1 },
    ],
    logged: [],
    addresses: [],
    referrals: [],
    lastUsed: new Map(),
  })
  const path = `/api/organizations/${id}/usage`
  const span = (fromMs: number, toMs: number) => `fromMs=${fromMs}&toMs=${toMs}`
  return { harness, web, app, path, span }
}

test('returns usage by hour, key and status and latencies by hour and bucket', async (t) => {
  const { harness, web, app, path, span } = await openCounted(t)
  const usage = await harness.get('GET', `${path}?${span(HOUR, HOUR + 2 * HOUR_MS)}`, { as: 'ann' })
  assert.deepEqual(
    new Set(usage.hours),
    new Set([
      { hourMs: HOUR, keyId: web, status: 200, requests: 3 },
      { hourMs: HOUR + HOUR_MS, keyId: web, status: 400, requests: 1 },
      { hourMs: HOUR + HOUR_MS, keyId: app, status: 200, requests: 5 },
    ]),
  )
  assert.deepEqual(usage.latencies, [
    { hourMs: HOUR, counts: [0, 0, 0, 0, 0, 0, 3] },
    { hourMs: HOUR + HOUR_MS, counts: [...Array(14).fill(0), 1] },
  ])
})

test('a period starts at its hour and excludes its end', async (t) => {
  const { harness, web, path, span } = await openCounted(t)
  const of = async (fromMs: number, toMs: number) =>
    (await harness.get('GET', `${path}?${span(fromMs, toMs)}&key=${web}`, { as: 'ann' })).hours.length
  assert.equal(await of(HOUR + HOUR_MS - 1, HOUR + HOUR_MS), 1)
  assert.equal(await of(HOUR, HOUR + HOUR_MS + 1), 2)
})

test('a period without requests has no latencies', async (t) => {
  const { harness, path, span } = await openCounted(t)
  assert.deepEqual(await harness.get('GET', `${path}?${span(0, HOUR_MS)}`, { as: 'ann' }), {
    hours: [],
    keys: [],
    latencies: [],
  })
})

test('exports usage as CSV without spreadsheet formulas in names', async (t) => {
  const { harness, web, app, path, span } = await openCounted(t)
  const { text, headers } = await harness.ask('GET', `${path}.csv?${span(HOUR, HOUR + 2 * HOUR_MS)}`, {
    as: 'ann',
  })
  assert.equal(headers.get('content-disposition'), 'attachment; filename="usage.csv"')
  assert.equal(headers.get('cache-control'), 'no-store')
  const [head, ...lines] = text.split('\r\n')
  assert.equal(head, 'hour,key_id,key_name,status,requests')
  assert.deepEqual(
    new Set(lines),
    new Set([
      `2026-05-31T10:00:00.000Z,${web},'=web,200,3`,
      `2026-05-31T11:00:00.000Z,${web},'=web,400,1`,
      `2026-05-31T11:00:00.000Z,${app},"app, new",200,5`,
      '',
    ]),
  )
})

test('rejects invalid, too long and repeated periods', async (t) => {
  const { harness, path, span } = await openCounted(t)
  for (const [search, field] of [
    ['', 'fromMs'],
    ['fromMs=0', 'toMs'],
    ['fromMs=-1&toMs=1', 'fromMs'],
    ['fromMs=1e3&toMs=9999', 'fromMs'],
    [span(5, 5), 'toMs'],
    [span(0, 93 * 86_400_000), 'fromMs'],
    [`${span(0, 1)}&toMs=2`, 'toMs'],
    [`${span(0, 1)}&zone=UTC`, 'zone'],
  ]) {
    for (const answered of [`${path}?${search}`, `${path}.csv?${search}`]) {
      const { status, body } = await harness.ask('GET', answered, { as: 'ann' })
      assert.deepEqual([status, body.field], [400, field], search)
    }
  }
})
