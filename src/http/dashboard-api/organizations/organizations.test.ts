import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { OWNED_MAX } from './organizations.ts'

test('the creator owns an organization, and the log records the creator and the address', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann')
  const made = await harness.get('POST', '/api/organizations', { as, body: { name: '  Good Health ' } })
  assert.deepEqual([made.name, made.role, made.createdAtMs], ['Good Health', 'owner', harness.nowMs])
  assert.ok(made.may.includes('organization.delete'))
  assert.deepEqual(await harness.get('GET', `/api/organizations/${made.id}`, { as }), made)
  const [entry] = await harness.store.audit.list({ organizationId: made.id, limit: 9 })
  assert.deepEqual(entry.actor, { userId: 'ann', name: 'ann@example.org', address: '192.0.2.1' })
})

test('a name is one line of 1 to 100 characters, some of them visible', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann')
  for (const name of [
    '',
    '  ',
    '\u200b',
    '\u2060\u00ad',
    'a\nb',
    'a\u2028b',
    'a\u202eb',
    'a\u001b',
    'x'.repeat(101),
    '\ud800',
    7,
    null,
  ]) {
    const { status, body } = await harness.ask('POST', '/api/organizations', { as, body: { name } })
    assert.deepEqual([status, body.field], [400, 'name'], JSON.stringify(name))
  }
})

test('returns 409 for a name in use, on creation and on rename', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann')
  await harness.addOrganization(as, 'Acme')
  const { id } = await harness.addOrganization(as, 'Other')
  for (const [method, path] of [
    ['POST', '/api/organizations'],
    ['PATCH', `/api/organizations/${id}`],
  ]) {
    const { status, body } = await harness.ask(method, path, { as, body: { name: 'ACME' } })
    assert.deepEqual([status, body.code, body.field], [409, 'conflict', 'name'])
  }
})

test('an admin renames an organization', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const [ann, bob] = [await harness.addPerson('ann'), await harness.addPerson('bob')]
  const { id } = await harness.addOrganization(ann)
  await harness.join(id, ann, { id: bob, role: 'admin' })
  const renamed = await harness.get('PATCH', `/api/organizations/${id}`, { as: bob, body: { name: 'New' } })
  assert.deepEqual([renamed.name, renamed.role], ['New', 'admin'])
})

test('limits the organizations that one account owns', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann')
  for (let n = 0; n < OWNED_MAX; n++) await harness.addOrganization(as, `Number ${n}`)
  const { status, body } = await harness.ask('POST', '/api/organizations', { as, body: { name: 'One more' } })
  assert.deepEqual([status, body.code], [409, 'limit-reached'])
})

test('transfers no organization to an account that owns as many as are allowed', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const [ann, bob] = [await harness.addPerson('ann'), await harness.addPerson('bob')]
  for (let n = 1; n < OWNED_MAX; n++) await harness.addOrganization(bob, `Number ${n}`)
  const outcomes: number[] = []
  for (const name of ['First', 'Second']) {
    const { id } = await harness.addOrganization(ann, name)
    await harness.join(id, ann, { id: bob, role: 'member' })
    const { status, body } = await harness.ask('POST', `/api/organizations/${id}/transfer`, {
      as: ann,
      body: { userId: bob },
    })
    outcomes.push(status)
    if (status !== 204) assert.equal(body.code, 'limit-reached')
    assert.equal(await harness.store.memberships.find(id, ann), status === 204 ? 'admin' : 'owner')
  }
  assert.deepEqual(outcomes, [204, 409])
})

test('deletes an organization after its name is typed, and its keys stop working immediately', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann')
  const { id } = await harness.addOrganization(as, 'Acme')
  const { key } = await harness.addKey(id, as)
  const path = `/api/organizations/${id}`
  const refused = await harness.ask('DELETE', path, { as, body: { name: 'acme' } })
  assert.deepEqual([refused.status, refused.body.field], [400, 'name'])
  harness.applied.splice(0)
  assert.equal((await harness.ask('DELETE', path, { as, body: { name: 'Acme' } })).status, 204)
  assert.deepEqual(
    harness.applied.map((applied) => [applied.id, applied.revokedAtMs]),
    [[key.id, harness.nowMs]],
  )
  assert.equal((await harness.ask('GET', path, { as })).status, 404)
  assert.equal((await harness.addOrganization(as, 'Acme')).name, 'Acme')
})

test('deletes an organization with a name of the command line that the dashboard does not give', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann')
  for (const name of ['x'.repeat(150), 'a\u202eb', '\u200b']) {
    const { id } = await harness.store.organizations.create(name, { userId: 'ann', name: 'ann@example.org' })
    const { status } = await harness.ask('DELETE', `/api/organizations/${id}`, { as, body: { name } })
    assert.equal(status, 204, JSON.stringify(name))
  }
})
