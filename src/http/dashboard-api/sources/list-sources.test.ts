import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { begin, END, outcomeOf } from '../../../../test/support/store/conformance/samples.ts'

const PATH = '/api/operator/sources'

async function openWith(t: TestContext, count: number) {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('op', { operator: true })
  for (let n = 0; n < count; n++) {
    const slug = `clinic-${String(n).padStart(3, '0')}`
    await harness.store.sources.add({ slug, url: `https://${slug}.example/`, strict: false })
  }
  const list = (query: string) => harness.ask('GET', `${PATH}?${query}`, { as })
  const slugs = async (query: string) => (await list(query)).body.sources.map(({ slug }: { slug: string }) => slug)
  return { harness, as, list, slugs }
}

test('lists sources in pages of 50 by default, at most 100', async (t) => {
  const { list, slugs } = await openWith(t, 120)
  assert.equal((await slugs('')).length, 50)
  assert.equal((await slugs('limit=100')).length, 100)
  assert.deepEqual(await slugs('limit=2&offset=118'), ['clinic-118', 'clinic-119'])
  assert.equal((await list('limit=1')).body.total, 120)
  for (const wrong of ['limit=101', 'limit=0', 'offset=-1', 'order=best', 'order=--name', 'health=ill', 'page=2'])
    assert.equal((await list(wrong)).status, 400, wrong)
})

test('searches, filters and sorts sources, and counts what matches', async (t) => {
  const { harness, list, slugs } = await openWith(t, 12)
  await harness.store.sources.setPaused('clinic-003', true)
  assert.deepEqual(await slugs('health=paused'), ['clinic-003'])
  assert.deepEqual(await slugs('search=CLINIC-01&order=-added'), ['clinic-010', 'clinic-011'])
  assert.deepEqual((await slugs('')).at(-1), 'clinic-003')
  assert.deepEqual((await list('search=none')).body, {
    sources: [],
    total: 0,
    offset: 0,
    summary: { sources: 12, slots: 0, attention: 0, byHealth: { 'never-synced': 11, paused: 1 } },
  })
})

test('folds the reasons of failing sources, and lists those of one reason', async (t) => {
  const { harness, as, slugs } = await openWith(t, 7)
  const reasons = async () => (await harness.get('GET', '/api/operator/source-summary', { as })).reasons
  assert.deepEqual(await reasons(), [])
  for (const [n, port] of [1, 2, 3].entries())
    await fail(harness, `clinic-00${n}`, `connect ECONNREFUSED 10.0.0.${n}:${port}`)
  await fail(harness, 'clinic-005', 'HTTP status 404')
  assert.deepEqual(await reasons(), [
    { flag: 'failing', reason: 'connect ECONNREFUSED', sources: 3 },
    { flag: 'failing', reason: 'HTTP status 404', sources: 1 },
  ])
  const refused = ['clinic-000', 'clinic-001', 'clinic-002']
  assert.deepEqual(await slugs('reason=connect+ECONNREFUSED'), refused)
  assert.deepEqual(await slugs('reason=connect+ECONNREFUSED&search=002'), ['clinic-002'])
  assert.deepEqual(await slugs('reason=anything'), [])
  const all = await harness.get('GET', '/api/operator/source-slugs?reason=connect+ECONNREFUSED', { as })
  assert.deepEqual(all, { slugs: refused })
})

test('the source log tells which of its sources still exist', async (t) => {
  const { harness, as } = await openWith(t, 0)
  for (const slug of ['a', 'b']) {
    await harness.get('POST', PATH, { as, body: { slug, url: 'https://clinic.example/' } })
  }
  await harness.get('DELETE', `${PATH}/a`, { as, body: { slug: 'a' } })
  const { actions, existing } = await harness.get('GET', '/api/operator/source-log', { as })
  assert.deepEqual([actions.length, existing], [3, ['b']])
})

async function fail({ store, nowMs }: DashboardApiHarness, slug: string, error: string): Promise<void> {
  const source = (await store.sources.find(slug)) ?? assert.fail()
  const writer = await begin(store, source)
  await writer.abandon({ ...END, outcome: outcomeOf({ outcome: 'failed', error }) })
  await store.health.record(source.id, { from: 'never-synced', to: 'failing', why: error, atMs: nowMs })
}
