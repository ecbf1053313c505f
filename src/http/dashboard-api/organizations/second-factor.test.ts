import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import type { MemberView } from '../../../shared/contract/organizations.ts'
import { ROUTES } from '../dashboard-api.ts'

test('members without a second factor see nothing of an organization that requires it, and can leave', async (t) => {
  const { harness, org } = await openRequiring(t)
  const paths = ROUTES.filter(({ path }) => path.startsWith('/api/organizations/:org'))
  assert.ok(paths.length > 15)
  for (const { method, path } of paths.filter(({ path }) => !path.endsWith('/leave'))) {
    const target = path.replace(':org', org).replace(/:\w+/, 'any')
    const { status, body } = await harness.ask(method, target, { as: 'ann', ...(method !== 'GET' && { body: {} }) })
    const expected = status === 403 && (body.code === 'second-factor-required' || body.code === 'forbidden')
    assert.ok(expected, `${method} ${target}: ${status} ${body?.code}`)
  }
  const { body } = await harness.ask('GET', `/api/organizations/${org}/keys`, { as: 'ann' })
  assert.deepEqual(
    [body.code, body.detail],
    ['second-factor-required', 'acme requires two-factor authentication. Set it up first.'],
  )
  const { organizations } = await harness.get('GET', '/api/me', { as: 'ann' })
  assert.equal(organizations[0].requiresSecondFactor, true)
  harness.signIn.withTwoFactor.add('ann')
  assert.equal((await harness.ask('GET', `/api/organizations/${org}/keys`, { as: 'ann' })).status, 200)
  harness.signIn.withTwoFactor.delete('ann')
  assert.equal((await harness.ask('POST', `/api/organizations/${org}/leave`, { as: 'ann', body: {} })).status, 204)
})

test('an invitation is accepted once the person has a second factor', async (t) => {
  const { harness, org } = await openRequiring(t)
  await harness.addPerson('bob')
  const { token } = await harness.invite(org, 'owner')
  const accept = () => harness.ask('POST', '/api/invitations/accept', { as: 'bob', body: { token } })
  const preview = await harness.get('POST', '/api/invitations/lookup', { body: { token } })
  assert.equal(preview.requiresSecondFactor, true)
  const refused = await accept()
  assert.deepEqual([refused.status, refused.body.code], [403, 'second-factor-required'])
  harness.signIn.withTwoFactor.add('bob')
  assert.equal((await accept()).status, 200)
})

test('only an owner with a second factor requires it, and the audit log records it', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  await harness.addPerson('owner')
  const { id: org } = await harness.addOrganization('owner', 'acme')
  const set = (required: boolean) =>
    harness.ask('POST', `/api/organizations/${org}/second-factor`, { as: 'owner', body: { required } })
  assert.equal((await set(true)).status, 409)
  harness.signIn.withTwoFactor.add('owner')
  assert.equal((await set(true)).body.requiresSecondFactor, true)
  assert.equal((await set(true)).status, 200)
  assert.equal((await set(false)).body.requiresSecondFactor, false)
  const entries = await harness.store.audit.list({ organizationId: org, limit: 3 })
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['organization.second-factor-optional', 'organization.second-factor-required', 'organization.created'],
  )
})

test('the owner sees who would be locked out before requiring it, and admins who has a second factor', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  for (const id of ['owner', 'ann', 'bob']) await harness.addPerson(id)
  const { id: org } = await harness.addOrganization('owner', 'acme')
  await harness.join(org, 'owner', { id: 'ann', role: 'admin' })
  await harness.join(org, 'owner', { id: 'bob', role: 'member' })
  const at = new Date(harness.nowMs).toISOString()
  const credential = { id: 'c', userId: 'bob', accountId: 'bob', providerId: 'credential', password: 'hash' }
  await harness.store.signIn.queries
    .insertInto('credentials')
    .values({ ...credential, createdAt: at, updatedAt: at })
    .execute()
  const by = { userId: 'ann', name: 'ann@example.org' }
  await harness.store.audit.record({ kind: 'sign-in.succeeded', userId: 'ann', by })
  const path = `/api/organizations/${org}/second-factor`
  assert.deepEqual(await harness.get('GET', path, { as: 'owner' }), {
    without: [{ userId: 'bob', name: 'BOB', email: 'bob@example.org' }],
    total: 1,
  })
  assert.equal((await harness.ask('GET', path, { as: 'ann' })).status, 403)
  const seen = async (as: string) =>
    (await harness.get('GET', `/api/organizations/${org}/members`, { as })).members.map(
      ({ secondFactor, lastSignInAtMs }: MemberView) => [secondFactor, lastSignInAtMs],
    )
  assert.deepEqual(await seen('ann'), [
    ['not-needed', undefined],
    ['not-needed', harness.nowMs],
    ['off', undefined],
  ])
  assert.deepEqual(new Set((await seen('bob')).flat()), new Set([undefined]))
})

async function openRequiring(t: TestContext): Promise<{ harness: DashboardApiHarness; org: string }> {
  const harness = await DashboardApiHarness.open(t)
  for (const id of ['owner', 'ann']) await harness.addPerson(id)
  const { id: org } = await harness.addOrganization('owner', 'acme')
  await harness.join(org, 'owner', { id: 'ann', role: 'member' })
  harness.signIn.withTwoFactor.add('owner')
  await harness.get('POST', `/api/organizations/${org}/second-factor`, { as: 'owner', body: { required: true } })
  return { harness, org }
}
