import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { EMPTY_USAGE } from '../../../keys/usage-batch.ts'

const REASON = 'Requests from unknown networks'

test('operators see the members, keys and usage of an organization, and no secret or hash', async (t) => {
  const { harness, as, id, key } = await opened(t)
  const hourMs = harness.nowMs - (harness.nowMs % 3_600_000)
  const requests = [{ keyId: key.id, hourMs, status: 200, count: 7 }]
  await harness.store.usage.add({ ...EMPTY_USAGE, requests, lastUsed: new Map([[key.id, harness.nowMs]]) })
  const get = (path = '') => harness.get('GET', `/api/operator/organizations/${id}${path}`, { as })
  const counts = { members: 2, keys: 1, requests30d: 7, lastRequestAtMs: harness.nowMs }
  assert.deepEqual(await get(), { id, name: 'Acme', createdAtMs: harness.nowMs, ...counts })
  const { members } = await get('/members?limit=1')
  assert.deepEqual(members, [
    { userId: 'ann', name: 'ANN', email: 'ann@example.org', role: 'owner', joinedAtMs: harness.nowMs },
  ])
  const { keys } = await get('/keys')
  assert.deepEqual([keys[0].id, keys[0].lastUsedAtMs, 'hash' in keys[0]], [key.id, harness.nowMs, false])
  const { hours } = await get(`/usage?fromMs=${hourMs}&toMs=${hourMs + 1}`)
  assert.deepEqual(hours, [{ hourMs, keyId: key.id, status: 200, requests: 7 }])
  for (const path of ['', '/members', '/keys', '/usage?fromMs=0&toMs=1']) {
    assert.equal((await harness.ask('GET', `/api/operator/organizations/org_none${path}`, { as })).status, 404)
  }
})

test('operators suspend and resume an organization, and apply it to the keys before they respond', async (t) => {
  const { harness, as, id, key } = await opened(t)
  const act = (what: string, body?: object) =>
    harness.ask('POST', `/api/operator/organizations/${id}/${what}`, { as, ...(body && { body }) })
  const applied = () => harness.applied.splice(0).map((each) => [each.id, each.organizationState?.suspended])
  applied()
  assert.equal((await act('resume')).status, 409)
  assert.equal((await act('suspend', { reason: ' ' })).body.field, 'reason')
  assert.equal((await act('suspend', { reason: REASON })).status, 204)
  assert.deepEqual(applied(), [[key.id, true]])
  assert.equal((await act('suspend', { reason: REASON })).status, 409)
  const suspension = { atMs: harness.nowMs, by: 'op@example.org', reason: REASON }
  const me = await harness.get('GET', '/api/me', { as: 'ann' })
  assert.deepEqual(me.organizations[0].suspension, suspension)
  assert.ok(!me.organizations[0].may.includes('keys.create'))
  const { organizations } = await harness.get('GET', '/api/operator/organizations', { as })
  assert.deepEqual(organizations[0].suspension, suspension)
  assert.equal((await act('resume')).status, 204)
  assert.deepEqual(applied(), [[key.id, false]])
})

test('members of a suspended organization read it, revoke keys and leave, and change nothing else', async (t) => {
  const { harness, as, id, key } = await opened(t)
  const { token } = await harness.invite(id, 'ann')
  await harness.addPerson('cyd')
  await harness.get('POST', `/api/operator/organizations/${id}/suspend`, { as, body: { reason: REASON } })
  const code = async (person: string, method: string, path: string, body?: object) => {
    const answer = await harness.ask(method, path, { as: person, ...(body && { body }) })
    return answer.status < 300 ? answer.status : answer.body.code
  }
  const below = `/api/organizations/${id}`
  for (const path of ['', '/keys', '/members', '/audit', '/invitations', '/logs']) {
    assert.equal(await code('ann', 'GET', below + path), 200, path)
  }
  const refused = 'organization-suspended'
  assert.equal(await code('ann', 'POST', `${below}/keys`, { name: 'new' }), refused)
  assert.equal(await code('ann', 'POST', `${below}/keys/${key.id}/rotate`, { keepOldForMs: 0 }), refused)
  assert.equal(await code('ann', 'PATCH', below, { name: 'New' }), refused)
  assert.equal(await code('ann', 'DELETE', below, { name: 'Acme' }), refused)
  assert.equal(await code('ann', 'DELETE', `${below}/members/bob`), refused)
  assert.equal(await code('ann', 'POST', `${below}/invitations`, { role: 'member' }), refused)
  assert.equal(await code('cyd', 'POST', '/api/invitations/accept', { token }), refused)
  assert.equal(await code('bob', 'PATCH', below, { name: 'New' }), 'forbidden')
  assert.equal(await code('bob', 'POST', `${below}/keys/${key.id}/revoke`, {}), 200)
  assert.equal(await code('bob', 'POST', `${below}/leave`), 204)
})

test('operators make a member the owner when the owner is gone', async (t) => {
  const { harness, as, id } = await opened(t)
  const transfer = (userId: string) =>
    harness.ask('POST', `/api/operator/organizations/${id}/transfer`, { as, body: { userId } })
  assert.equal((await transfer('op')).status, 404)
  const twice = await transfer('ann')
  assert.deepEqual([twice.status, twice.body.detail], [409, 'This member already owns Acme.'])
  assert.equal((await transfer('bob')).status, 204)
  const { members } = await harness.get('GET', `/api/operator/organizations/${id}/members`, { as })
  assert.deepEqual(
    members.map(({ userId, role }: { userId: string; role: string }) => [userId, role]),
    [
      ['bob', 'owner'],
      ['ann', 'admin'],
    ],
  )
  const { entries } = await harness.get('GET', `/api/operator/audit?subject=${id}`, { as })
  assert.deepEqual([entries[0].kind, entries[0].detail.organization], ['organization.transferred', 'Acme'])
})

test('operators delete an organization by its name, which the log of the service keeps', async (t) => {
  const { harness, as, id, key } = await opened(t)
  const remove = (name: string) => harness.ask('DELETE', `/api/operator/organizations/${id}`, { as, body: { name } })
  assert.deepEqual([(await remove('acme')).status, (await remove('acme')).body.field], [400, 'name'])
  assert.equal((await remove('Acme')).status, 204)
  assert.deepEqual([harness.applied.at(-1)?.id, harness.applied.at(-1)?.revokedAtMs], [key.id, harness.nowMs])
  assert.equal((await remove('Acme')).status, 404)
  const { entries } = await harness.get('GET', `/api/operator/audit?subject=${id}`, { as })
  assert.deepEqual([entries[0].kind, entries[0].detail.name], ['organization.deleted', 'Acme'])
})

/** An operator, and an organization with an owner, a member and a key. */
async function opened(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('op', { operator: true })
  await harness.addPerson('ann')
  await harness.addPerson('bob')
  const { id } = await harness.addOrganization('ann', 'Acme')
  await harness.join(id, 'ann', { id: 'bob', role: 'member' })
  const { key } = await harness.addKey(id, 'ann')
  return { harness, as, id, key }
}
