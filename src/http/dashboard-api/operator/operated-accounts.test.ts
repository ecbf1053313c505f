import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'

test('operators see the organizations, sign-in methods and sessions of an account, and no token', async (t) => {
  const { harness, as } = await opened(t)
  const { id } = await harness.addOrganization('ann', 'Acme')
  const session = await addSession(harness, 'ann')
  await harness.store.audit.record({ kind: 'sign-in.succeeded', userId: 'ann', by: { userId: 'ann', name: 'ann' } })
  assert.deepEqual(await harness.get('GET', '/api/operator/accounts/ann', { as }), {
    account: {
      userId: 'ann',
      name: 'ANN',
      email: 'ann@example.org',
      emailVerified: false,
      createdAtMs: harness.nowMs,
      organizations: 1,
      lastSignInAtMs: harness.nowMs,
    },
    memberships: [{ id, name: 'Acme', role: 'owner' }],
    signIn: { password: false, singleSignOn: false, passkeys: 0, twoFactor: false },
    sessions: [session],
  })
  assert.equal((await harness.ask('GET', '/api/operator/accounts/nobody', { as })).status, 404)
})

test('operators suspend and resume an account, but no operator or viewer', async (t) => {
  const { harness, as } = await opened(t, ['boss@example.org'])
  await harness.addPerson('boss')
  await harness.addPerson('eye', { operator: 'viewer' })
  await addSession(harness, 'ann')
  const act = (user: string, what: string, body?: object) =>
    harness.ask('POST', `/api/operator/accounts/${user}/${what}`, { as, ...(body && { body }) })
  const suspend = (user: string) => act(user, 'suspend', { reason: 'Shared' })
  for (const user of ['boss', 'eye', 'op']) {
    const { status, body } = await suspend(user)
    assert.deepEqual([status, /is an operator or a viewer/.test(body.detail)], [409, true], user)
  }
  assert.equal((await act('ann', 'resume')).status, 409)
  assert.equal((await suspend('ann')).status, 204)
  assert.equal((await suspend('ann')).status, 409)
  const { account, sessions } = await harness.get('GET', '/api/operator/accounts/ann', { as })
  assert.deepEqual(account.suspension, { atMs: harness.nowMs, by: 'op@example.org', reason: 'Shared' })
  assert.deepEqual(sessions, [])
  await act('ann', 'verify-email', { email: 'ann@example.org' })
  const promoted = await harness.ask('POST', '/api/operator/operators', {
    as,
    body: { email: 'ann@example.org', role: 'viewer' },
  })
  assert.deepEqual([promoted.status, promoted.body.field], [409, 'email'])
  assert.equal((await act('ann', 'resume')).status, 204)
  for (const what of ['resume', 'end-sessions', 'reset-second-factor', 'verify-email']) {
    const body = what === 'verify-email' ? { email: 'ann@example.org' } : undefined
    assert.equal((await act('nobody', what, body)).status, 404, what)
  }
  assert.equal((await suspend('nobody')).status, 404)
})

test('operators verify an address and reset a second factor once', async (t) => {
  const { harness, as } = await opened(t)
  const act = async (what: string, body?: object) =>
    (await harness.ask('POST', `/api/operator/accounts/ann/${what}`, { as, ...(body && { body }) })).status
  const verify = () => act('verify-email', { email: 'ann@example.org' })
  assert.deepEqual([await verify(), await verify()], [204, 409])
  assert.equal(await act('reset-second-factor'), 409)
  await harness.store.signIn.queries.updateTable('users').set({ twoFactorEnabled: 1 }).where('id', '=', 'ann').execute()
  assert.deepEqual([await act('reset-second-factor'), await act('reset-second-factor')], [204, 409])
  const { entries } = await harness.get('GET', '/api/operator/audit?subject=ann', { as })
  assert.deepEqual(
    entries.map(({ kind, actor }: { kind: string; actor: string }) => [kind, actor]),
    [
      ['account.second-factor-removed', 'op@example.org'],
      ['account.email-verified', 'op@example.org'],
    ],
  )
})

/** Without a mail server, people can change an unverified address at any time, for example to one in `OPERATOR_EMAILS`. */
test('operators verify no address but the one that they have seen', async (t) => {
  const { harness, as } = await opened(t, ['boss@example.org'])
  const path = '/api/operator/accounts/ann'
  const { email } = (await harness.get('GET', path, { as })).account
  await harness.store.signIn.queries
    .updateTable('users')
    .set({ email: 'boss@example.org' })
    .where('id', '=', 'ann')
    .execute()
  const { status, body } = await harness.ask('POST', `${path}/verify-email`, { as, body: { email } })
  assert.deepEqual([status, /has changed/.test(body.detail)], [409, true])
  const { account } = await harness.get('GET', path, { as })
  assert.deepEqual([account.emailVerified, account.operatorRole], [false, undefined])
})

test('operators delete an account by its address, unless it owns an organization or is the last operator', async (t) => {
  const { harness, as } = await opened(t)
  const { id } = await harness.addOrganization('ann', 'Acme')
  const remove = (user: string, confirm: string) =>
    harness.ask('DELETE', `/api/operator/accounts/${user}`, { as, body: { confirm } })
  assert.equal((await remove('ann', 'bob@example.org')).body.field, 'confirm')
  const owned = await remove('ann', 'ann@example.org')
  assert.deepEqual([owned.status, /owns Acme/.test(owned.body.detail)], [409, true])
  await harness.get('DELETE', `/api/operator/organizations/${id}`, { as, body: { name: 'Acme' } })
  assert.equal((await remove('ann', ' ANN@example.org')).status, 204)
  assert.equal((await remove('ann', 'ann@example.org')).status, 404)
  const last = await remove('op', 'op@example.org')
  assert.deepEqual([last.status, /last operator/.test(last.body.detail)], [409, true])
})

/** An operator, and Ann, whose address is not verified. */
async function opened(t: TestContext, operatorEmails: readonly string[] = []) {
  const harness = await DashboardApiHarness.open(t, { operatorEmails })
  const as = await harness.addPerson('op', { operator: true })
  await harness.addPerson('ann', { confirmed: false })
  return { harness, as }
}

async function addSession({ store, nowMs }: DashboardApiHarness, userId: string) {
  const [createdAt, expiresAt] = [nowMs, nowMs + 60_000].map((ms) => new Date(ms).toISOString())
  const [ipAddress, userAgent] = ['192.0.2.9', 'Firefox']
  const row = { id: 's1', userId, token: 'secret', createdAt, updatedAt: createdAt, expiresAt, ipAddress, userAgent }
  await store.signIn.queries.insertInto('sessions').values(row).execute()
  return { id: 's1', createdAtMs: nowMs, expiresAtMs: nowMs + 60_000, address: ipAddress, userAgent }
}
