import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, SignInHarness, type Visitor } from '../../test/support/auth/sign-in-harness.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import type { Session } from './sign-in.ts'

test('deletes an account and all its data except audit log entries', async (t) => {
  const harness = await SignInHarness.open(t)
  const owner = await sessionOf(await harness.person('owner@example.org'))
  const ada = await harness.person('ada@example.org')
  const session = await sessionOf(ada)
  const { id } = await harness.store.organizations.create('Acme', { userId: owner.userId, name: owner.email })
  await join(harness, id, session)
  assert.deepEqual(await harness.signIn.deleteAccount(session, 'bob@example.org'), {
    outcome: 'not-confirmed',
  })
  assert.deepEqual(await harness.signIn.deleteAccount(session, ' Ada@example.org'), { outcome: 'deleted' })
  assert.equal(await ada.session(), undefined)
  assert.equal((await harness.visitor().signInWith('ada@example.org')).status, 401)
  for (const table of ['sessions', 'credentials', 'passkeys', 'two_factors']) {
    const rows = await harness.store.signIn.queries
      .selectFrom(table)
      .select('id')
      .where('userId', '=', session.userId)
      .execute()
    assert.deepEqual(rows, [], table)
  }
  assert.deepEqual(
    (await harness.store.memberships.list(id)).map(({ email }) => email),
    ['owner@example.org'],
  )
  await harness.signIn.close()
  const [left] = await harness.store.audit.list({ organizationId: id, limit: 1, kind: 'member.left' })
  assert.equal(left.actor.name, 'ada@example.org')
})

test('refuses to delete the owner of an organization', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person('ada@example.org')
  const session = await sessionOf(ada)
  await harness.store.organizations.create('Acme', { userId: session.userId, name: session.email })
  assert.deepEqual(await harness.signIn.deleteAccount(session, 'ada@example.org'), {
    outcome: 'owner',
    organizations: ['Acme'],
  })
  assert.notEqual(await ada.session(), undefined)
})

test('the last operator deletes the account only if the configuration names another one', async (t) => {
  for (const operatorEmails of [[], ['other@example.org']]) {
    const harness = await SignInHarness.open(t, { operatorEmails })
    const session = await sessionOf(await harness.person('ada@example.org'))
    await harness.store.operators.add(session.userId)
    const bob = await sessionOf(await harness.person('bob@example.org'))
    await harness.store.operators.add(bob.userId, { role: 'viewer' })
    const outcome = operatorEmails.length === 0 ? 'last-operator' : 'deleted'
    assert.deepEqual(await harness.signIn.deleteAccount(session, session.email), { outcome })
  }
})

test("an operator's link resets the password once, ends all sessions and verifies no address", async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person('ada@example.org')
  const { userId } = await sessionOf(ada)
  assert.equal(await harness.signIn.createResetLink('unknown', COMMAND_LINE), undefined)
  const { link, expiresAtMs } = (await harness.signIn.createResetLink(userId, COMMAND_LINE)) ?? {
    link: '',
    expiresAtMs: 0,
  }
  assert.match(link, /^http:\/\/localhost:8080\/app\/reset-password#by-operator-[\w-]{43}$/)
  assert.ok(Math.abs(expiresAtMs - Date.now() - 3_600_000) < 60_000)
  // Failed attempts before the reset must not block the user after it.
  const visitor = harness.visitor()
  for (let n = 0; n < 6; n++) await visitor.signInWith('ada@example.org', 'not the password')
  const reset = { token: link.split('#')[1], newPassword: 'a brand new password' }
  assert.equal((await visitor.post('/reset-password', reset)).status, 200)
  assert.equal((await visitor.post('/reset-password', reset)).status, 400)
  assert.equal(await ada.session(), undefined)
  assert.equal((await visitor.signInWith('ada@example.org', 'a brand new password')).status, 200)
  assert.equal((await visitor.session())?.emailVerified, false)
})

test('takes the token of a reset link from the body only, where all guards see it', async (t) => {
  const harness = await SignInHarness.open(t)
  const { userId } = await sessionOf(await harness.person('ada@example.org'))
  const { link = '' } = (await harness.signIn.createResetLink(userId, COMMAND_LINE)) ?? {}
  const token = link.split('#')[1]
  const visitor = harness.visitor()
  const newPassword = 'a brand new password'
  const refused = await visitor.post(`/reset-password?${new URLSearchParams({ token })}`, { newPassword })
  assert.deepEqual([refused.status, refused.body.code], [400, 'INVALID_TOKEN'])
  assert.equal((await visitor.signInWith('ada@example.org')).status, 200)
  assert.equal((await visitor.post('/reset-password', { token, newPassword })).status, 200)
})

test('an operator finds an account by its email address and verifies it', async (t) => {
  const harness = await SignInHarness.open(t, { operatorEmails: ['ada@example.org'] })
  const ada = await harness.person('ada@example.org')
  const found = await harness.signIn.findAccount(' ADA@example.org')
  assert.equal(found?.email, 'ada@example.org')
  assert.equal(await harness.signIn.findAccount('bob@example.org'), undefined)
  await harness.store.accounts.verifyEmail(found?.id ?? '', 'ada@example.org', COMMAND_LINE)
  const session = await sessionOf(ada)
  assert.deepEqual([session.emailVerified, session.operatorRole], [true, 'operator'])
})

test('reports whether a user has a password', async (t) => {
  const harness = await SignInHarness.open(t)
  const { userId } = await sessionOf(await harness.person('ada@example.org'))
  assert.equal(await harness.signIn.hasPassword(userId), true)
  await harness.store.signIn.queries.deleteFrom('credentials').execute()
  assert.equal(await harness.signIn.hasPassword(userId), false)
  assert.equal((await harness.visitor().signInWith('ada@example.org', PASSWORD)).status, 401)
})

test('over https every cookie has the __Host- prefix', async (t) => {
  const harness = await SignInHarness.open(t, { dashboardUrl: 'https://slots.example/' })
  const ada = harness.visitor()
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

async function join(harness: SignInHarness, organizationId: string, { userId, email }: Session): Promise<void> {
  const by = { name: 'command line' }
  const terms = {
    organizationId,
    role: 'member',
    tokenHash: 'hash',
    expiresAtMs: Date.now() + 60_000,
  } as const
  await harness.store.invitations.create(terms, by)
  const { outcome } = await harness.store.invitations.accept('hash', { id: userId, email }, { userId, name: email })
  assert.equal(outcome, 'joined')
}
