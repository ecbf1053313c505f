import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'

test('returns the account, its organizations and its permissions', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  await harness.addPerson('ann', { operator: true })
  await harness.addPerson('bob', { confirmed: false })
  const { id } = await harness.addOrganization('ann', 'Acme')
  await harness.join(id, 'ann', { id: 'bob', role: 'member' })
  const me = await harness.get('GET', '/api/me', { as: 'bob' })
  const may = [
    'organization.read',
    'usage.read',
    'keys.read',
    'keys.create',
    'keys.edit',
    'keys.rotate',
    'keys.revoke',
    'subscriptions.read',
    'subscriptions.create',
    'subscriptions.edit',
    'subscriptions.delete',
    'members.read',
  ]
  assert.deepEqual(me, {
    userId: 'bob',
    name: 'BOB',
    email: 'bob@example.org',
    emailVerified: false,
    twoFactor: false,
    needsSecondFactor: false,
    hasPassword: true,
    organizations: [{ id, name: 'Acme', createdAtMs: harness.nowMs, role: 'member', requiresSecondFactor: false, may }],
    notices: [],
  })
  assert.equal((await harness.get('GET', '/api/me', { as: 'ann' })).operatorRole, 'operator')
})

test('returns null without a session', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const { status, body } = await harness.ask('GET', '/api/me')
  assert.deepEqual([status, body], [200, null])
})

test('returns the sign-in methods without a session', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  assert.equal((await harness.get('GET', '/api/options')).signUp, 'open')
})

test('deletes an account after its address is typed to confirm', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann')
  const remove = () => harness.ask('DELETE', '/api/me', { as, body: { confirm: 'ann@example.org' } })
  assert.equal((await remove()).status, 204)
  assert.deepEqual(harness.signIn.calls, [{ userId: 'ann', confirm: 'ann@example.org' }])
  harness.signIn.deletion = { outcome: 'not-confirmed' }
  assert.deepEqual([(await remove()).status, (await remove()).body.field], [400, 'confirm'])
  harness.signIn.deletion = { outcome: 'owner', organizations: ['Acme', 'Other'] }
  const owner = await remove()
  assert.equal(owner.status, 409)
  assert.match(owner.body.detail, /You own Acme, Other\./)
})

test('the last operator cannot delete the account', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann', { operator: true })
  harness.signIn.deletion = { outcome: 'last-operator' }
  const refused = await harness.ask('DELETE', '/api/me', { as, body: { confirm: 'ann@example.org' } })
  assert.deepEqual([refused.status, refused.body.code], [409, 'conflict'])
})

test('a setup link makes its holder the operator, and an invalid link does not', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann')
  const claim = () => harness.ask('POST', '/api/setup', { as, body: { token: 'secret' } })
  assert.equal((await claim()).body.operatorRole, 'operator')
  assert.deepEqual(harness.signIn.calls, [{ token: 'secret', userId: 'ann', address: '192.0.2.1' }])
  harness.signIn.claim = 'wrong-token'
  assert.equal((await claim()).status, 410)
  harness.signIn.claim = 'refused'
  assert.equal((await claim()).status, 429)
  assert.equal((await harness.ask('POST', '/api/setup', { as, body: {} })).body.field, 'token')
})

test('without a required second factor, only the own account can be read', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann', { operator: true })
  harness.signIn.needsSecondFactor = true
  assert.equal((await harness.get('GET', '/api/me', { as })).needsSecondFactor, true)
  for (const [method, path] of [
    ['POST', '/api/organizations'],
    ['GET', '/api/operator/accounts'],
    ['GET', '/api/explore/slots'],
  ] as const) {
    const refused = await harness.ask(method, path, { as, ...(method === 'POST' && { body: { name: 'Acme' } }) })
    assert.deepEqual([refused.status, refused.body.code], [403, 'second-factor-required'], path)
  }
})
