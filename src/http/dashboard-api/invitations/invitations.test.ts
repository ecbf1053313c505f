import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness, ORIGIN } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { INVITATION_MS } from '../../../shared/contract/invitations.ts'
import type { InvitationMail } from '../context.ts'
import { OPEN_INVITATIONS_MAX } from './invitations.ts'

const LOOKUP = '/api/invitations/lookup'
const ACCEPT = '/api/invitations/accept'

async function openAcme(t: TestContext, mails?: InvitationMail[]) {
  const harness = await DashboardApiHarness.open(
    t,
    mails === undefined ? {} : { mailInvitation: (mail) => mails.push(mail) },
  )
  for (const id of ['ann', 'bob', 'cyd']) await harness.addPerson(id)
  const { id } = await harness.addOrganization('ann', 'Acme')
  return { harness, id, path: `/api/organizations/${id}` }
}

test('a link shows its invitation, admits one person and is then used up', async (t) => {
  const { harness, id } = await openAcme(t)
  const { link, token, invitation, mailed } = await harness.invite(id, 'ann', { role: 'admin' })
  assert.equal(link, `${ORIGIN}/app/invitation#${token}`)
  assert.match(token, /^[\w-]{43}$/)
  assert.equal(mailed, false)
  assert.deepEqual(await harness.get('POST', LOOKUP, { body: { token } }), {
    organization: 'Acme',
    requiresSecondFactor: false,
    role: 'admin',
    status: 'open',
    invitedBy: 'ann@example.org',
    expiresAtMs: harness.nowMs + INVITATION_MS,
  })
  const joined = await harness.get('POST', ACCEPT, { as: 'bob', body: { token } })
  assert.deepEqual([joined.id, joined.role], [id, 'admin'])
  assert.equal((await harness.ask('POST', ACCEPT, { as: 'cyd', body: { token } })).status, 410)
  const { invitations } = await harness.get('GET', `/api/organizations/${id}/invitations`, { as: 'ann' })
  assert.deepEqual(invitations, [{ ...invitation, status: 'accepted', acceptedBy: 'bob@example.org' }])
})

test('a link shows that its organization is suspended', async (t) => {
  const { harness, id } = await openAcme(t)
  const { token } = await harness.invite(id, 'ann')
  await harness.store.organizations.suspend(id, 'Unpaid', { name: 'command line' })
  const preview = await harness.get('POST', LOOKUP, { body: { token } })
  assert.deepEqual([preview.status, preview.isSuspended], ['open', true])
})

test('admits only one of two people who accept a link concurrently', async (t) => {
  const { harness, id } = await openAcme(t)
  const { token } = await harness.invite(id, 'ann')
  const both = ['bob', 'cyd'].map((as) => harness.ask('POST', ACCEPT, { as, body: { token } }))
  const statuses = (await Promise.all(both)).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 410])
})

test('a member who accepts a link does not use it up', async (t) => {
  const { harness, id } = await openAcme(t)
  const { token } = await harness.invite(id, 'ann')
  const again = await harness.get('POST', ACCEPT, { as: 'ann', body: { token } })
  assert.deepEqual([again.id, again.role], [id, 'owner'])
  assert.equal((await harness.get('POST', LOOKUP, { body: { token } })).status, 'open')
})

test('a link expires after 7 days and can be revoked', async (t) => {
  const { harness, id, path } = await openAcme(t)
  const old = await harness.invite(id, 'ann')
  harness.advance(INVITATION_MS)
  const fresh = await harness.invite(id, 'ann')
  const revoke = () => harness.ask('DELETE', `${path}/invitations/${fresh.invitation.id}`, { as: 'ann' })
  assert.equal((await revoke()).status, 204)
  assert.equal((await revoke()).status, 404)
  for (const [token, status] of [
    [old.token, 'expired'],
    [fresh.token, 'revoked'],
  ]) {
    assert.equal((await harness.get('POST', LOOKUP, { body: { token } })).status, status)
    assert.equal((await harness.ask('POST', ACCEPT, { as: 'bob', body: { token } })).status, 410)
  }
})

test('an invitation for an address admits only that address', async (t) => {
  const { harness, id } = await openAcme(t)
  const { token, invitation } = await harness.invite(id, 'ann', { role: 'member', email: 'Bob@Example.org' })
  assert.equal(invitation.email, 'bob@example.org')
  assert.equal((await harness.ask('POST', ACCEPT, { as: 'cyd', body: { token } })).status, 403)
  assert.equal((await harness.ask('POST', ACCEPT, { as: 'bob', body: { token } })).status, 200)
})

test('mails an invitation for an address if mail is configured, within limits', async (t) => {
  const mails: InvitationMail[] = []
  const { harness, id } = await openAcme(t, mails)
  const { link, mailed } = await harness.invite(id, 'ann', { role: 'member', email: 'new@example.org' })
  const expiresAtMs = harness.nowMs + INVITATION_MS
  const invitation = { organization: 'Acme', role: 'member', invitedBy: 'ann@example.org', expiresAtMs }
  assert.deepEqual([mailed, mails], [true, [{ to: 'new@example.org', link, ...invitation }]])
  assert.equal((await harness.invite(id, 'ann')).mailed, false)
  for (let n = 0; n < 60; n++) await harness.invite(id, 'ann', { role: 'member', email: `n${n}@example.org` })
  assert.equal(mails.length, 51)
  harness.advance(3_600_000)
  assert.equal((await harness.invite(id, 'ann', { role: 'member', email: 'later@example.org' })).mailed, true)
})

test('rejects an invalid address or role and an existing member', async (t) => {
  const { harness, path } = await openAcme(t)
  for (const [body, status, field] of [
    [{ role: 'owner' }, 400, 'role'],
    [{}, 400, 'role'],
    [{ role: 'member', email: 'nobody' }, 400, 'email'],
    [{ role: 'member', email: `${'x'.repeat(250)}@a.org` }, 400, 'email'],
    [{ role: 'member', email: 'ANN@example.org' }, 409, 'email'],
  ] as const) {
    const answered = await harness.ask('POST', `${path}/invitations`, { as: 'ann', body })
    assert.deepEqual([answered.status, answered.body.field], [status, field])
  }
})

test('limits open invitations and does not count ended ones', async (t) => {
  const { harness, id, path } = await openAcme(t)
  for (let n = 0; n < OPEN_INVITATIONS_MAX; n++) await harness.invite(id, 'ann')
  const oneMore = () => harness.ask('POST', `${path}/invitations`, { as: 'ann', body: { role: 'member' } })
  assert.equal((await oneMore()).body.code, 'limit-reached')
  harness.advance(INVITATION_MS)
  assert.equal((await oneMore()).status, 200)
})

test('throttles only the client that tries invalid links', async (t) => {
  const { harness, id } = await openAcme(t)
  const { token } = await harness.invite(id, 'ann')
  const statuses = new Set<number>()
  for (let n = 0; n < 21; n++)
    statuses.add((await harness.ask('POST', LOOKUP, { body: { token: `guess-${n}` } })).status)
  assert.deepEqual([...statuses], [404])
  const refused = await harness.ask('POST', ACCEPT, { as: 'bob', body: { token } })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
  const elsewhere = { headers: { 'x-slots-client-address': '192.0.2.2' } }
  assert.equal((await harness.ask('POST', LOOKUP, { body: { token }, ...elsewhere })).status, 200)
  harness.advance(1000)
  assert.equal((await harness.ask('POST', LOOKUP, { body: { token } })).status, 200)
})

test('counts guesses of links from an IPv6 network together', async (t) => {
  const { harness } = await openAcme(t)
  const guess = async (address: string) => {
    const headers = { 'x-slots-client-address': address }
    return (await harness.ask('POST', LOOKUP, { body: { token: 'guess' }, headers })).status
  }
  for (let n = 0; n <= 20; n++) assert.equal(await guess(`2001:db8::${n}`), 404)
  assert.deepEqual([await guess('2001:db8::ffff'), await guess('2001:db8:0:1::1')], [429, 404])
})

test('returns 404 for the link of a deleted organization', async (t) => {
  const { harness, id, path } = await openAcme(t)
  const { token } = await harness.invite(id, 'ann')
  await harness.get('DELETE', path, { as: 'ann', body: { name: 'Acme' } })
  assert.equal((await harness.ask('POST', LOOKUP, { body: { token } })).status, 404)
})

test('takes the token in the body only, so that no log of paths contains it', async (t) => {
  const { harness, id } = await openAcme(t)
  const { token } = await harness.invite(id, 'ann')
  assert.equal((await harness.ask('GET', `/api/invitations/${token}`)).status, 404)
  assert.equal((await harness.ask('POST', `/api/invitations/${token}/accept`, { as: 'bob' })).status, 404)
  for (const body of [{}, { token: 1 }, { token: '' }, { token: 'x'.repeat(129) }, { token, more: 1 }]) {
    assert.equal((await harness.ask('POST', LOOKUP, { body })).status, 400, JSON.stringify(body))
    assert.equal((await harness.ask('POST', ACCEPT, { as: 'bob', body })).status, 400, JSON.stringify(body))
  }
})
