import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'

/** Ann owns an organization, Abe is its admin, Moe its member. */
async function openTeam(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  for (const id of ['ann', 'abe', 'moe']) await harness.addPerson(id)
  const { id } = await harness.addOrganization('ann', 'Acme')
  await harness.join(id, 'ann', { id: 'abe', role: 'admin' })
  await harness.join(id, 'ann', { id: 'moe', role: 'member' })
  const path = `/api/organizations/${id}`
  const roles = async () => {
    const { members } = await harness.get('GET', `${path}/members`, { as: 'ann' })
    return Object.fromEntries(members.map((member: { userId: string; role: string }) => [member.userId, member.role]))
  }
  return { harness, path, roles }
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
