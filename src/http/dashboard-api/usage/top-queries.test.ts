import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { EMPTY_USAGE, type LoggedRequest } from '../../../keys/usage-batch.ts'
import { queryOf, TOP_QUERIES_READ_MAX } from './top-queries.ts'

/** Ann's organization with a key, and what reads the top queries of the last hour. */
async function openLogged(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  await harness.addPerson('ann')
  const { id: org } = await harness.addOrganization('ann')
  const [web, app] = [(await harness.addKey(org, 'ann')).key.id, (await harness.addKey(org, 'ann')).key.id]
  const atMs = harness.nowMs - 1000
  const log = (requests: readonly Partial<LoggedRequest>[]) =>
    harness.store.usage.add({
      ...EMPTY_USAGE,
      logged: requests.map((each) => ({
        ...{ keyId: web, atMs, method: 'GET', target: '/', status: 200, durationUs: 100, requestId: 'r', leftOut: 0 },
        ...each,
      })),
    })
  const span = `fromMs=${atMs - 1000}&toMs=${atMs + 1000}`
  const top = (more = '') => harness.get('GET', `/api/organizations/${org}/usage/queries?${span}${more}`, { as: 'ann' })
  return { log, top, atMs, web, app }
}

test('a query has its filters in order, without pages, times and ids', () => {
  const slots = '/v1/scheduling/slots'
  assert.equal(queryOf(`${slots}?state=MA&limit=50&offset=50`), `${slots}?state=MA`)
  assert.equal(queryOf(`${slots}?state=MA&city=Boston`), queryOf(`${slots}?cursor=x&city=Boston&state=MA`))
  assert.equal(queryOf(`${slots}?startAfter=2026-06-01T12:00:00Z`), slots)
  assert.equal(queryOf(`${slots}/0a1b/book?source=x`), `${slots}/{id}/book?source=x`)
  assert.equal(queryOf('/v1/scheduling/changes?since=1.2.3'), '/v1/scheduling/changes')
  assert.equal(queryOf('http://[broken?x=%zz'), 'http://[broken?x=%25zz')
})

test('counts queries with errors and latency, the most frequent first', async (t) => {
  const { log, top, atMs } = await openLogged(t)
  const target = '/v1/scheduling/slots?state=MA'
  await log([
    ...[0, 50, 100].map((offset, n) => ({ target: `${target}&offset=${offset}`, durationUs: 100 + n })),
    { target: '/v1/scheduling/slots?state=Nowhere', status: 400 },
    { target: '/mcp', method: 'POST', atMs: atMs - 500 },
    { target: '/v1/before', atMs: atMs - 1001 },
  ])
  assert.deepEqual(await top(), {
    queries: [
      { method: 'GET', target, requests: 3, errors: 0, p95Ms: 0.102 },
      { method: 'POST', target: '/mcp', requests: 1, errors: 0, p95Ms: 0.1 },
      { method: 'GET', target: '/v1/scheduling/slots?state=Nowhere', requests: 1, errors: 1, p95Ms: 0.1 },
    ],
    requests: 5,
    sinceMs: atMs - 500,
  })
})

test('counts the requests of one key, and has nothing without requests', async (t) => {
  const { log, top, app } = await openLogged(t)
  assert.deepEqual(await top(), { queries: [], requests: 0 })
  await log([{ target: '/a' }, { target: '/b', keyId: app }])
  const { queries } = await top(`&key=${app}`)
  assert.deepEqual(
    queries.map(({ target }: { target: string }) => target),
    ['/b'],
  )
})

test('reads a bounded number of requests, the newest ones', async (t) => {
  const { log, top } = await openLogged(t)
  await log([{ target: '/oldest' }])
  for (let n = 0; n < 4; n++) await log(Array.from({ length: TOP_QUERIES_READ_MAX / 4 }, () => ({ target: '/newer' })))
  const { queries, requests } = await top()
  assert.deepEqual([requests, queries.length], [TOP_QUERIES_READ_MAX, 1])
})
