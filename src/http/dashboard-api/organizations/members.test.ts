import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'

/** Ann owns an organization, Abe is its admin, Moe its member. */
async function openTeam(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  for (const id of ['ann', 'abe', 'moe', 'cyd']) await harness.addPerson(id)
  const { id } = await harness.addOrganization('ann', 'Acme')
  await harness.join(id, 'ann', { id: 'abe', role: 'admin' })
  await harness.join(id, 'ann', { id: 'moe', role: 'member' })
  const path = `/api/organizations/${id}`
  const roles = async () => {
    const { members } = await harness.get('GET', `${path}/members`, { as: 'ann' })
    return Object.fromEntries(members.map((member: { userId: string; role: string }) => [member.userId, member.role]))
  }
  return { harness, id, path, roles }
}

test('a member sees the members of the organization', async (t) => {
  const { harness, path } = await openTeam(t)
  const { members } = await harness.get('GET', `${path}/members`, { as: 'moe' })
  assert.deepEqual(members[0], {
    userId: 'ann',
    name: 'ANN',
    email: 'ann@example.org',
    role: 'owner',
    joinedAtMs: harness.nowMs,
  })
  assert.equal(members.length, 3)
})

test('an admin promotes a member to admin and reverts it', async (t) => {
  const { harness, path, roles } = await openTeam(t)
  for (const role of ['admin', 'member']) {
    const { status } = await harness.ask('PATCH', `${path}/members/moe`, { as: 'abe', body: { role } })
    assert.equal(status, 204)
    assert.equal((await roles()).moe, role)
  }
})

test('rejects role changes to and from owner', async (t) => {
  const { harness, path, roles } = await openTeam(t)
  const owner = await harness.ask('PATCH', `${path}/members/moe`, { as: 'ann', body: { role: 'owner' } })
  assert.deepEqual([owner.status, owner.body.field], [400, 'role'])
  const demoted = await harness.ask('PATCH', `${path}/members/ann`, { as: 'abe', body: { role: 'member' } })
  assert.equal(demoted.status, 409)
  assert.equal((await harness.ask('DELETE', `${path}/members/ann`, { as: 'abe' })).status, 409)
  assert.deepEqual(await roles(), { ann: 'owner', abe: 'admin', moe: 'member' })
})

test('a removed member loses access immediately', async (t) => {
  const { harness, path } = await openTeam(t)
  assert.equal((await harness.ask('DELETE', `${path}/members/moe`, { as: 'abe' })).status, 204)
  assert.equal((await harness.ask('GET', path, { as: 'moe' })).status, 404)
  assert.equal((await harness.ask('DELETE', `${path}/members/moe`, { as: 'abe' })).status, 404)
})

test('revokes the open invitations of an admin who is demoted, removed or suspended, leaves or deletes the account', async (t) => {
  const { harness, id, path } = await openTeam(t)
  const { token: anns } = await harness.invite(id, 'ann')
  const accept = (token: string) => harness.ask('POST', '/api/invitations/accept', { as: 'cyd', body: { token } })
  const { memberships, accounts } = harness.store
  const operator = { name: 'command line' }
  const endings = [
    () => harness.ask('PATCH', `${path}/members/abe`, { as: 'ann', body: { role: 'member' } }),
    () => harness.ask('DELETE', `${path}/members/abe`, { as: 'ann' }),
    () => harness.ask('POST', `${path}/leave`, { as: 'abe' }),
    async () => {
      await accounts.suspend('abe', 'Taken over', operator)
      await accounts.resume('abe', operator)
    },
    () => memberships.removeAccount('abe', { by: { userId: 'abe', name: 'abe@example.org' }, allowNone: true }),
  ]
  for (const end of endings) {
    await memberships.remove({ organizationId: id, userId: 'abe' }, operator)
    await harness.join(id, 'ann', { id: 'abe', role: 'admin' })
    const { token, invitation } = await harness.invite(id, 'abe', { role: 'admin' })
    await end()
    assert.equal((await accept(token)).status, 410)
    const { entries } = await harness.get('GET', `${path}/audit?kind=invitation.revoked`, { as: 'ann' })
    assert.equal(entries[0].subject, invitation.id)
  }
  assert.equal((await accept(anns)).status, 200)
})

test('revokes them also if the audit log no longer has their creation', async (t) => {
  const { harness, id, path } = await openTeam(t)
  const { token } = await harness.invite(id, 'abe', { role: 'admin' })
  const { audit } = harness.store
  const [{ id: lastId }] = await audit.list({ organizationId: id, limit: 1 })
  await audit.putStreamed(lastId)
  await audit.deleteStreamed(1)
  assert.equal((await harness.ask('DELETE', `${path}/members/abe`, { as: 'ann' })).status, 204)
  const { status } = await harness.ask('POST', '/api/invitations/accept', { as: 'abe', body: { token } })
  assert.equal(status, 410)
})

test('any member except the owner can leave', async (t) => {
  const { harness, path, roles } = await openTeam(t)
  const owner = await harness.ask('POST', `${path}/leave`, { as: 'ann' })
  assert.deepEqual([owner.status, owner.body.code], [409, 'conflict'])
  assert.equal((await harness.ask('POST', `${path}/leave`, { as: 'moe' })).status, 204)
  assert.deepEqual(await roles(), { ann: 'owner', abe: 'admin' })
})

test('the owner transfers ownership to a member and becomes an admin', async (t) => {
  const { harness, path, roles } = await openTeam(t)
  const transfer = (userId: string) => harness.ask('POST', `${path}/transfer`, { as: 'ann', body: { userId } })
  assert.equal((await transfer('nobody')).status, 404)
  assert.equal((await transfer('ann')).status, 409)
  assert.equal((await transfer('moe')).status, 204)
  assert.deepEqual(await roles(), { moe: 'owner', ann: 'admin', abe: 'admin' })
  assert.equal((await transfer('ann')).status, 403)
})
