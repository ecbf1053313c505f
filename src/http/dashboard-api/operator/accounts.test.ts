import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DashboardApiHarness, plain } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'

const NODE = {
  nodeVersion: 'v24.0.0',
  startedAtMs: 1,
  ready: true,
  slots: 5,
  keys: 1,
  memory: { rssBytes: 1, heapBytes: 2, externalBytes: 3, maxBytes: 4, missingSlots: 0 },
  eventLoop: { p50Ms: 0.1, p99Ms: 1, past: [] },
}

test('operators see every organization with its counts', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('op', { operator: true })
  await harness.addPerson('ann')
  const { id, createdAtMs } = await harness.addOrganization('ann', 'Acme')
  const { key } = await harness.addKey(id, 'ann')
  const hourMs = harness.nowMs - (harness.nowMs % 3_600_000)
  const requests = [{ keyId: key.id, hourMs, status: 200, count: 7 }]
  await harness.store.usage.add({
    requests,
    latencies: [],
    logged: [],
    addresses: [],
    referrals: [],
    lastUsed: new Map(),
  })
  const acme = { id, name: 'Acme', createdAtMs, members: 1, keys: 1, requests30d: 7 }
  const get = (query: string) => harness.get('GET', `/api/operator/organizations${query}`, { as })
  assert.deepEqual(await get(''), { organizations: [acme], total: 1 })
  assert.deepEqual(await get('?search=acm&order=name&limit=1&offset=1'), { organizations: [], total: 1 })
  assert.deepEqual(await get('?search=x%25'), { organizations: [], total: 0 })
})

test('operators search accounts by part of a name or address, with pagination', async (t) => {
  const harness = await DashboardApiHarness.open(t, {
    operatorEmails: ['cyd@example.org', 'dot@example.org'],
  })
  const as = await harness.addPerson('op', { operator: true })
  await harness.addPerson('cyd')
  await harness.addPerson('dot', { confirmed: false })
  const { accounts, total } = await harness.get('GET', '/api/operator/accounts?search=&limit=2', { as })
  assert.equal(total, 3)
  assert.deepEqual(
    accounts.map(({ userId, operatorRole }: { userId: string; operatorRole?: string }) => [userId, operatorRole]),
    [
      ['cyd', 'operator'],
      ['dot', undefined],
    ],
  )
  const rest = await harness.get('GET', '/api/operator/accounts?limit=2&offset=2', { as })
  assert.deepEqual(rest.accounts[0], {
    userId: 'op',
    name: 'OP',
    email: 'op@example.org',
    emailVerified: true,
    createdAtMs: harness.nowMs,
    organizations: 0,
    operatorRole: 'operator',
  })
  assert.equal((await harness.get('GET', '/api/operator/accounts?search=CYD@', { as })).total, 1)
  for (const field of ['limit', 'offset']) {
    const { status, body } = await harness.ask('GET', `/api/operator/accounts?${field}=-1`, { as })
    assert.deepEqual([status, body.field], [400, field])
  }
})

test('operators create reset links for existing accounts', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('op', { operator: true })
  const made = await harness.get('POST', '/api/operator/accounts/ann/reset-link', { as })
  assert.deepEqual(made, { link: 'link of ann', expiresAtMs: harness.nowMs })
  assert.equal((await harness.ask('POST', '/api/operator/accounts/nobody/reset-link', { as })).status, 404)
})

test('operators create reset links only within 15 minutes of a confirmation', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('op', { operator: true })
  const create = () => harness.ask('POST', '/api/operator/accounts/ann/reset-link', { as })
  harness.signIn.confirmedAgoMs = 15 * 60_000 - 1
  assert.equal((await create()).status, 200)
  harness.signIn.confirmedAgoMs = 15 * 60_000
  const late = await create()
  assert.deepEqual([late.status, late.body.code], [403, 'confirmation-required'])
})

test('operators end all sessions of an account', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('op', { operator: true })
  assert.equal((await harness.ask('POST', '/api/operator/accounts/ann/end-sessions', { as })).status, 204)
  assert.deepEqual(harness.signIn.calls, [{ signedOut: 'ann' }])
  assert.equal((await harness.ask('POST', '/api/operator/accounts/nobody/end-sessions', { as })).status, 404)
})

test('health has the state of the node, the size of the store and whether mail is configured', async (t) => {
  const harness = await DashboardApiHarness.open(t, { mailInvitation: () => {} })
  const as = await harness.addPerson('op', { operator: true })
  harness.answer = plain(200, NODE)
  const { store, ...rest } = await harness.get('GET', '/api/operator/health', { as })
  assert.deepEqual(rest, { ...NODE, version: '1.2.3', mail: true })
  assert.deepEqual([store.kind, store.ok], ['sqlite', true])
  assert.ok(store.bytes > 10_000, store.bytes)
})
