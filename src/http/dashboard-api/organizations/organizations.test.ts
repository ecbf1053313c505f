import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccountBed } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { OWNED_MAX } from './organizations.ts'

test('the creator owns an organization, and the log records the creator and the address', async (t) => {
  const bed = await AccountBed.open(t)
  const as = await bed.addPerson('ann')
  const made = await bed.get('POST', '/api/organizations', { as, body: { name: '  Good Health ' } })
  assert.deepEqual([made.name, made.role, made.createdAtMs], ['Good Health', 'owner', bed.nowMs])
  assert.ok(made.may.includes('organization.delete'))
  assert.deepEqual(await bed.get('GET', `/api/organizations/${made.id}`, { as }), made)
  const [entry] = await bed.store.audit.list({ organizationId: made.id, limit: 9 })
  assert.deepEqual(entry.actor, { userId: 'ann', name: 'ann@example.org', address: '192.0.2.1' })
})

test('a name is one line of 1 to 100 characters', async (t) => {
  const bed = await AccountBed.open(t)
  const as = await bed.addPerson('ann')
  for (const name of ['', '  ', 'a\nb', 'a\u001b', 'x'.repeat(101), '\ud800', 7, null]) {
    const { status, body } = await bed.ask('POST', '/api/organizations', { as, body: { name } })
    assert.deepEqual([status, body.field], [400, 'name'], JSON.stringify(name))
  }
})

test('returns 409 for a name in use, on creation and on rename', async (t) => {
  const bed = await AccountBed.open(t)
  const as = await bed.addPerson('ann')
  await bed.addOrganization(as, 'Acme')
  const { id } = await bed.addOrganization(as, 'Other')
  for (const [method, path] of [
    ['POST', '/api/organizations'],
    ['PATCH', `/api/organizations/${id}`],
  ]) {
    const { status, body } = await bed.ask(method, path, { as, body: { name: 'ACME' } })
    assert.deepEqual([status, body.code, body.field], [409, 'conflict', 'name'])
  }
})

test('an admin renames an organization', async (t) => {
  const bed = await AccountBed.open(t)
  const [ann, bob] = [await bed.addPerson('ann'), await bed.addPerson('bob')]
  const { id } = await bed.addOrganization(ann)
  await bed.join(id, ann, { id: bob, role: 'admin' })
  const renamed = await bed.get('PATCH', `/api/organizations/${id}`, { as: bob, body: { name: 'New' } })
  assert.deepEqual([renamed.name, renamed.role], ['New', 'admin'])
})

test('limits the organizations that one account owns', async (t) => {
  const bed = await AccountBed.open(t)
  const as = await bed.addPerson('ann')
  for (let n = 0; n < OWNED_MAX; n++) await bed.addOrganization(as, `Number ${n}`)
  const { status, body } = await bed.ask('POST', '/api/organizations', { as, body: { name: 'One more' } })
  assert.deepEqual([status, body.code], [409, 'limit-reached'])
})

test('deletes an organization after its name is typed, and its keys stop working immediately', async (t) => {
  const bed = await AccountBed.open(t)
  const as = await bed.addPerson('ann')
  const { id } = await bed.addOrganization(as, 'Acme')
  const { key } = await bed.addKey(id, as)
  const path = `/api/organizations/${id}`
  const refused = await bed.ask('DELETE', path, { as, body: { name: 'acme' } })
  assert.deepEqual([refused.status, refused.body.field], [400, 'name'])
  bed.applied.splice(0)
  assert.equal((await bed.ask('DELETE', path, { as, body: { name: 'Acme' } })).status, 204)
  assert.deepEqual(
    bed.applied.map((applied) => [applied.id, applied.revokedAtMs]),
    [[key.id, bed.nowMs]],
  )
  assert.equal((await bed.ask('GET', path, { as })).status, 404)
  assert.equal((await bed.addOrganization(as, 'Acme')).name, 'Acme')
})
