import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, SignInBed, type Visitor } from '../../test/support/auth/sign-in-harness.ts'
import type { Session } from './sign-in.ts'

test('deletes an account with all that is kept of it, but for what logs say', async (t) => {
  const bed = await SignInBed.open(t)
  const owner = await sessionOf(await bed.person('owner@example.org'))
  const ada = await bed.person('ada@example.org')
  const session = await sessionOf(ada)
  const { id } = await bed.store.organizations.create('Acme', { userId: owner.userId, name: owner.email })
  await join(bed, id, session)
  assert.deepEqual(await bed.signIn.deleteAccount(session, 'bob@example.org'), { outcome: 'not-confirmed' })
  assert.deepEqual(await bed.signIn.deleteAccount(session, ' Ada@example.org'), { outcome: 'deleted' })
  assert.equal(await ada.session(), undefined)
  assert.equal((await bed.visitor().signInWith('ada@example.org')).status, 401)
  for (const table of ['sessions', 'credentials', 'passkeys', 'two_factors']) {
    const rows = await bed.store.signIn.queries
      .selectFrom(table)
      .select('id')
      .where('userId', '=', session.userId)
      .execute()
    assert.deepEqual(rows, [], table)
  }
  assert.deepEqual(
    (await bed.store.memberships.list(id)).map(({ email }) => email),
    ['owner@example.org'],
  )
  await bed.signIn.close()
  const [left] = await bed.store.audit.list({ organizationId: id, limit: 1, kind: 'member.left' })
  assert.equal(left.actor.name, 'ada@example.org')
})

test('deletes no account that owns an organization, nor for a sign-in of long ago', async (t) => {
  const bed = await SignInBed.open(t)
  const ada = await bed.person('ada@example.org')
  const session = await sessionOf(ada)
  await bed.store.organizations.create('Acme', { userId: session.userId, name: session.email })
  assert.deepEqual(await bed.signIn.deleteAccount(session, 'ada@example.org'), {
    outcome: 'owner',
    organizations: ['Acme'],
  })
  bed.advance(86_400_000)
  assert.deepEqual(await bed.signIn.deleteAccount(session, 'ada@example.org'), { outcome: 'not-fresh' })
  assert.equal((await ada.post('/change-email', { newEmail: 'eve@example.org' })).body.code, 'sign-in-again')
  assert.notEqual(await ada.session(), undefined)
})

test("the operator's link sets a password once, ends all sessions and confirms nothing", async (t) => {
  const bed = await SignInBed.open(t)
  const ada = await bed.person('ada@example.org')
  const { userId } = await sessionOf(ada)
  assert.equal(await bed.signIn.makeResetLink('nobody'), undefined)
  const { link, expiresAtMs } = (await bed.signIn.makeResetLink(userId)) ?? { link: '', expiresAtMs: 0 }
  assert.match(link, /^http:\/\/localhost:8080\/app\/reset-password#by-operator-[\w-]{43}$/)
  assert.ok(Math.abs(expiresAtMs - Date.now() - 3_600_000) < 60_000)
  // Whoever forgot it has guessed before.
  const visitor = bed.visitor()
  for (let n = 0; n < 6; n++) await visitor.signInWith('ada@example.org', 'not the password')
  const reset = { token: link.split('#')[1], newPassword: 'a brand new password' }
  assert.equal((await visitor.post('/reset-password', reset)).status, 200)
  assert.equal((await visitor.post('/reset-password', reset)).status, 400)
  assert.equal(await ada.session(), undefined)
  assert.equal((await visitor.signInWith('ada@example.org', 'a brand new password')).status, 200)
  assert.equal((await visitor.session())?.emailConfirmed, false)
})

test("the operator's word confirms an address, and finds an account by it", async (t) => {
  const bed = await SignInBed.open(t, { operatorEmails: ['ada@example.org'] })
  const ada = await bed.person('ada@example.org')
  const found = await bed.signIn.findAccount(' ADA@example.org')
  assert.equal(found?.email, 'ada@example.org')
  assert.equal(await bed.signIn.findAccount('bob@example.org'), undefined)
  await bed.signIn.confirmAddress(found?.id ?? '')
  const session = await sessionOf(ada)
  assert.deepEqual([session.emailConfirmed, session.isOperator], [true, true])
})

test('knows whether a person has a password', async (t) => {
  const bed = await SignInBed.open(t)
  const { userId } = await sessionOf(await bed.person('ada@example.org'))
  assert.equal(await bed.signIn.hasPassword(userId), true)
  await bed.store.signIn.queries.deleteFrom('credentials').execute()
  assert.equal(await bed.signIn.hasPassword(userId), false)
  assert.equal((await bed.visitor().signInWith('ada@example.org', PASSWORD)).status, 401)
})

test('over https every cookie has the prefix that ties it to this host', async (t) => {
  const bed = await SignInBed.open(t, { dashboardUrl: 'https://slots.example/' })
  const ada = bed.visitor()
  const signedUp = await ada.signUp('ada@example.org')
  const challenge = await ada.get('/passkey/generate-authenticate-options')
  const enabling = await ada.post('/two-factor/enable', { password: PASSWORD })
  assert.equal(enabling.status, 200)
  const lines = [...signedUp.headers.getSetCookie(), ...challenge.headers.getSetCookie()]
  assert.equal(lines.length, 2)
  for (const line of lines) {
    assert.match(line, /^__Host-slots[.\w-]+=[^;]+(?=;)/)
    assert.match(line, /; Path=\/(;|$)/)
    assert.match(line, /; HttpOnly(;|$)/)
    assert.match(line, /; Secure(;|$)/)
    assert.match(line, /; SameSite=Lax(;|$)/i)
    assert.doesNotMatch(line, /; Domain/i)
  }
  assert.equal((await ada.session())?.email, 'ada@example.org')
})

async function sessionOf(visitor: Visitor): Promise<Session> {
  const session = await visitor.session()
  assert.ok(session !== undefined)
  return session
}

async function join(bed: SignInBed, organizationId: string, { userId, email }: Session): Promise<void> {
  const by = { name: 'command line' }
  const terms = {
    organizationId,
    role: 'member',
    tokenHash: 'hash',
    expiresAtMs: Date.now() + 60_000,
  } as const
  await bed.store.invitations.create(terms, by)
  const { outcome } = await bed.store.invitations.accept(
    'hash',
    { id: userId, email },
    { userId, name: email },
  )
  assert.equal(outcome, 'joined')
}
