import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'

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
  for (const wrong of ['limit=101', 'limit=0', 'offset=-1', 'order=best', 'health=ill', 'page=2'])
    assert.equal((await list(wrong)).status, 400, wrong)
})

test('searches, filters and sorts sources, and counts what matches', async (t) => {
  const { harness, list, slugs } = await openWith(t, 12)
  await harness.store.sources.setPaused('clinic-003', true)
  assert.deepEqual(await slugs('health=paused'), ['clinic-003'])
  assert.deepEqual(await slugs('search=CLINIC-01&order=newest'), ['clinic-010', 'clinic-011'])
  assert.deepEqual((await slugs('')).at(-1), 'clinic-003')
  assert.deepEqual((await list('search=none')).body, {
    sources: [],
    total: 0,
    summary: { sources: 12, slots: 0, attention: 0, byHealth: { 'never-synced': 11, paused: 1 } },
  })
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
