import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccountBed } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'

test('returns the account, its organizations and its permissions', async (t) => {
  const bed = await AccountBed.open(t)
  await bed.addPerson('ann', { operator: true })
  await bed.addPerson('bob', { confirmed: false })
  const { id } = await bed.addOrganization('ann', 'Acme')
  await bed.join(id, 'ann', { id: 'bob', role: 'member' })
  const me = await bed.get('GET', '/api/me', { as: 'bob' })
  const may = [
    'organization.read',
    'usage.read',
    'keys.read',
    'keys.create',
    'keys.rotate',
    'keys.revoke',
    'members.read',
  ]
  assert.deepEqual(me, {
    userId: 'bob',
    name: 'BOB',
    email: 'bob@example.org',
    emailConfirmed: false,
    twoFactor: false,
    hasPassword: true,
    isOperator: false,
    organizations: [{ id, name: 'Acme', createdAtMs: bed.nowMs, role: 'member', may }],
  })
  assert.equal((await bed.get('GET', '/api/me', { as: 'ann' })).isOperator, true)
})

test('returns the sign-in methods without a session', async (t) => {
  const bed = await AccountBed.open(t)
  assert.equal((await bed.get('GET', '/api/options')).signUp, 'open')
})

test('deletes an account after its address is typed to confirm', async (t) => {
  const bed = await AccountBed.open(t)
  const as = await bed.addPerson('ann')
  const remove = () => bed.ask('DELETE', '/api/me', { as, body: { confirm: 'ann@example.org' } })
  assert.equal((await remove()).status, 204)
  assert.deepEqual(bed.signIn.calls, [{ userId: 'ann', confirm: 'ann@example.org' }])
  bed.signIn.deletion = { outcome: 'not-confirmed' }
  assert.deepEqual([(await remove()).status, (await remove()).body.field], [400, 'confirm'])
  bed.signIn.deletion = { outcome: 'not-fresh' }
  assert.deepEqual([(await remove()).status, (await remove()).body.code], [403, 'sign-in-again'])
  bed.signIn.deletion = { outcome: 'owner', organizations: ['Acme', 'Other'] }
  const owner = await remove()
  assert.equal(owner.status, 409)
  assert.match(owner.body.detail, /You own Acme, Other\./)
})

test('a setup link makes its holder the operator, and an invalid link does not', async (t) => {
  const bed = await AccountBed.open(t)
  const as = await bed.addPerson('ann')
  const claim = () => bed.ask('POST', '/api/setup', { as, body: { token: 'secret' } })
  assert.equal((await claim()).body.isOperator, true)
  assert.deepEqual(bed.signIn.calls, [{ token: 'secret', userId: 'ann', address: '192.0.2.1' }])
  bed.signIn.claim = 'wrong-token'
  assert.equal((await claim()).status, 410)
  bed.signIn.claim = 'refused'
  assert.equal((await claim()).status, 429)
  assert.equal((await bed.ask('POST', '/api/setup', { as, body: {} })).body.field, 'token')
})
