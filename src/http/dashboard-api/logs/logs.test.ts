import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { parseCsv } from '../../../../test/support/http/parse-csv.ts'
import { EMPTY_USAGE, type LoggedRequest } from '../../../keys/usage-batch.ts'
import { DAY_MS } from '../../../lib/time.ts'

/** Ann's organization with a key and some requests, and Bob's with another. */
async function openLogged(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  for (const id of ['ann', 'bob']) await harness.addPerson(id)
  const [org, other] = [(await harness.addOrganization('ann')).id, (await harness.addOrganization('bob')).id]
  const { key } = await harness.addKey(org, 'ann', '=web')
  const { key: foreign } = await harness.addKey(other, 'bob')
  const log = (requests: readonly Partial<LoggedRequest>[], keyId = key.id) =>
    harness.store.usage.add({ ...EMPTY_USAGE, logged: requests.map((each) => requestOf(harness.nowMs, keyId, each)) })
  const list = (query = '', as = 'ann') => harness.get('GET', `/api/organizations/${org}/logs${query}`, { as })
  return { harness, org, other, key, foreign, log, list }
}

function requestOf(nowMs: number, keyId: string, more: Partial<LoggedRequest>): LoggedRequest {
  const target = '/v1/scheduling/slots?state=CA'
  const base = { method: 'GET', target, status: 200, durationUs: 1500, requestId: 'r', leftOut: 0 }
  return { ...base, keyId, atMs: nowMs - 1000, ...more }
}

const FAILED = { status: 400, error: 'Invalid parameter', message: 'No.', parameter: 'state', address: '192.0.2.1' }

test('lists the requests of an organization with their errors, in pages', async (t) => {
  const { key, log, list } = await openLogged(t)
  await log([{ requestId: 'r1' }, { requestId: 'r2', ...FAILED, userAgent: 'curl/8' }, { requestId: 'r3', leftOut: 7 }])
  const first = await list('?limit=2')
  assert.deepEqual(
    first.entries.map((entry: { requestId: string }) => entry.requestId),
    ['r3', 'r2'],
  )
  const { id: _, atMs: _at, ...failed } = first.entries[1]
  assert.deepEqual(failed, {
    keyId: key.id,
    method: 'GET',
    target: '/v1/scheduling/slots?state=CA',
    isComplete: true,
    status: 400,
    durationMs: 1.5,
    requestId: 'r2',
    userAgent: 'curl/8',
    address: '192.0.2.1',
    problem: { error: 'Invalid parameter', message: 'No.', parameter: 'state' },
    leftOut: 0,
  })
  assert.deepEqual([first.keys, first.leftOut], [[{ id: key.id, name: '=web', lastFour: key.lastFour }], 7])
  const second = await list(`?limit=2&cursor=${first.next}`)
  assert.deepEqual([second.entries.length, second.next], [1, undefined])
})

test('marks the targets that differ from what the caller sent', async (t) => {
  const { log, list } = await openLogged(t)
  const cut = `/v1/scheduling/slots?city=${'x'.repeat(500)}`.slice(0, 500)
  await log(['/v1/scheduling/slots?api_key=svc_sk_[redacted]', cut, cut.slice(0, 499)].map((target) => ({ target })))
  const { entries } = await list()
  assert.deepEqual(
    entries.map(({ isComplete }: { isComplete: boolean }) => isComplete),
    [true, false, false],
  )
})

test('filters by every part of a request, and rejects values that cannot be', async (t) => {
  const { harness, key, log, list } = await openLogged(t)
  await log([{ requestId: 'r1' }, { requestId: 'r2', ...FAILED }, { requestId: 'r3', method: 'POST', target: '/mcp' }])
  const filters = {
    [`key=${key.id}`]: 3,
    'status=4xx': 1,
    'status=400': 1,
    'status=404': 0,
    'method=POST': 1,
    'target=state%3DCA': 2,
    'address=192.0.2.1': 1,
    'request=r3': 1,
    'request=&key=&target=': 3,
    [`fromMs=${harness.nowMs}`]: 0,
    [`toMs=${harness.nowMs}`]: 3,
  }
  for (const [query, count] of Object.entries(filters)) {
    assert.equal((await list(`?${query}`)).entries.length, count, query)
  }
  const path = `/api/organizations/${(await harness.get('GET', '/api/me', { as: 'ann' })).organizations[0].id}/logs`
  // PostgreSQL cannot compare with a NUL.
  const withNul = ['target', 'address', 'key', 'request'].map((name) => `${name}=%00`)
  const long = `target=${'x'.repeat(501)}`
  for (const query of ['status=6xx', 'method=get', 'cursor=0', 'limit=201', 'unknown=1', long, ...withNul])
    assert.equal((await harness.ask('GET', `${path}?${query}`, { as: 'ann' })).status, 400, query)
})

test('shows nothing of another organization, and nothing older than the log', async (t) => {
  const { harness, org, other, key, foreign, log, list } = await openLogged(t)
  await log([{ requestId: 'r1' }], foreign.id)
  await log([{ requestId: 'r2', atMs: harness.nowMs - 7 * DAY_MS - 1 }])
  assert.deepEqual((await list()).entries, [])
  assert.deepEqual((await list(`?key=${foreign.id}`)).entries, [])
  for (const [path, as] of [
    [`${org}/logs/r1`, 'ann'],
    [`${org}/logs/r2`, 'ann'],
    [`${org}/keys/${foreign.id}/addresses`, 'ann'],
    [`${other}/keys/${key.id}/addresses`, 'bob'],
    [`${other}/logs`, 'ann'],
  ]) {
    assert.equal((await harness.ask('GET', `/api/organizations/${path}`, { as })).status, 404, path)
  }
})

test('finds the newest request with an ID, or the one that is named', async (t) => {
  const { harness, org, key, log, list } = await openLogged(t)
  await log([{ requestId: 'same', status: 404 }, { requestId: 'same' }, { requestId: 'a.b:c-d_e' }])
  const get = (path: string) => harness.get('GET', `/api/organizations/${org}/logs/${path}`, { as: 'ann' })
  const found = await get('same')
  assert.deepEqual([found.entry.status, found.key.name], [200, '=web'])
  const { entries } = await list('?request=same')
  assert.equal((await get(`same?entry=${entries[1].id}`)).entry.status, 404)
  assert.equal((await get('a.b:c-d_e')).entry.keyId, key.id)
})

test('exports what the filters select, without formulas', async (t) => {
  const { harness, org, key, log } = await openLogged(t)
  await log(Array.from({ length: 1200 }, (_, n) => ({ requestId: `r${n}` })))
  await log([{ requestId: 'bad', ...FAILED, userAgent: '=HYPERLINK("http://x")' }])
  const csv = async (query: string) =>
    parseCsv((await harness.ask('GET', `/api/organizations/${org}/logs.csv${query}`, { as: 'ann' })).text)
  assert.deepEqual(await csv('?status=4xx'), [
    {
      time: new Date(harness.nowMs - 1000).toISOString(),
      request_id: 'bad',
      key_id: key.id,
      key_name: "'=web",
      method: 'GET',
      target: '/v1/scheduling/slots?state=CA',
      status: '400',
      duration_ms: '1.5',
      address: '192.0.2.1',
      user_agent: `'=HYPERLINK("http://x")`,
      error: 'Invalid parameter',
      message: 'No.',
      parameter: 'state',
      left_out_before: '0',
    },
  ])
  assert.equal((await csv('')).length, 1201)
})

test('shows where a key was used from in the last 30 days', async (t) => {
  const { harness, org, key } = await openLogged(t)
  const seen = (address: string, daysAgo: number) => ({
    keyId: key.id,
    address,
    atMs: harness.nowMs - daysAgo * DAY_MS,
  })
  const addresses = [seen('192.0.2.1', 31), seen('192.0.2.2', 29), seen('192.0.2.3', 1)]
  await harness.store.usage.add({ ...EMPTY_USAGE, addresses })
  const found = await harness.get('GET', `/api/organizations/${org}/keys/${key.id}/addresses`, { as: 'ann' })
  assert.deepEqual(
    found.addresses.map(({ address }: { address: string }) => address),
    ['192.0.2.3', '192.0.2.2'],
  )
  assert.equal(found.max, 50)
})
