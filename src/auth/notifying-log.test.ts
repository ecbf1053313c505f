import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openWithProvider, signInBy } from '../../test/support/auth/identity-provider.ts'
import { enableTwoFactor } from '../../test/support/auth/one-time-codes.ts'
import { PASSWORD, SignInHarness, type Visitor } from '../../test/support/auth/sign-in-harness.ts'
import { PostOffice } from '../../test/support/mail/smtp-server.ts'
import { openMailer } from '../notifications/mail/smtp-mailer.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'

const EMAIL = 'ada@example.org'

/** Ada, who signed up before there was a mail server. `next()` waits for the next mail to her. */
async function open(t: TestContext) {
  const { store, cookies } = await signUp(t)
  const { office, mailer } = await openPost(t)
  const harness = await SignInHarness.open(t, { mailer, store })
  const ada = withCookies(harness, cookies)
  const session = await ada.session()
  assert.ok(session !== undefined)
  let mails = 0
  const next = () => office.mailTo(EMAIL, ++mails)
  return { harness, office, ada, userId: session.userId, next }
}

async function openPost(t: TestContext) {
  const office = await PostOffice.open(t)
  const smtp = { smtpUrl: office.smtpUrl, mailFrom: 'no-reply@slots.example' }
  const mailer = openMailer(smtp, (event) => assert.fail(JSON.stringify(event)))
  t.after(() => mailer.close())
  return { office, mailer }
}

function withCookies(harness: SignInHarness, cookies: ReadonlyMap<string, string>): Visitor {
  const visitor = harness.visitor()
  for (const [name, value] of cookies) visitor.cookies.set(name, value)
  return visitor
}

async function signUp(t: TestContext) {
  const harness = await SignInHarness.open(t)
  const { cookies } = await harness.person(EMAIL)
  return { store: harness.store, cookies }
}

test('notifies the owner when two-factor authentication is turned on and off', async (t) => {
  const { harness, ada, next } = await open(t)
  await enableTwoFactor(ada)
  const on = await next()
  assert.equal(on.subject, 'Two-factor authentication was turned on')
  assert.match(on.whole, /was turned on for your Scheduling Slots account on \w{3}, .* GMT, from the network address/)
  assert.ok(on.whole.includes(harness.address))
  assert.match(on.whole, /http:\/\/localhost:8080\/app\/account/)
  assert.equal((await ada.post('/two-factor/generate-backup-codes', { password: PASSWORD })).status, 200)
  assert.equal((await next()).subject, 'New backup codes were created')
  assert.equal((await ada.post('/two-factor/disable', { password: PASSWORD })).status, 200)
  assert.equal((await next()).subject, 'Two-factor authentication was turned off')
})

test('notifies the owner of a removed passkey', async (t) => {
  const { harness, ada, userId, next } = await open(t)
  const passkey = { id: 'p', userId, publicKey: 'k', credentialID: 'c', counter: 0, deviceType: 'd', backedUp: 0 }
  await harness.store.signIn.queries.insertInto('passkeys').values(passkey).execute()
  assert.equal((await ada.post('/passkey/delete-passkey', { id: 'p' })).status, 200)
  assert.equal((await next()).subject, 'A passkey was removed')
})

test('notifies the owner of what an operator did, without the address of the operator', async (t) => {
  const { harness, userId, next } = await open(t)
  const operator = { userId: 'olga', name: 'olga@example.org', address: '203.0.113.9' }
  const made = await harness.signIn.createResetLink(userId, operator)
  const link = await next()
  assert.equal(link.subject, 'An operator created a password reset link')
  assert.equal(link.whole.includes('203.0.113.9'), false)
  assert.equal(link.whole.includes(made?.link.split('#')[1] ?? ''), false)
  assert.equal(await harness.signIn.signOutEverywhere(userId, COMMAND_LINE), true)
  assert.equal((await next()).subject, 'An operator ended all sessions')
})

test('notifies the owner of an address that an operator verified, and of the deleted account', async (t) => {
  const { harness, userId, next } = await open(t)
  await harness.signIn.notifyOwner({ kind: 'account.email-verified', userId, by: COMMAND_LINE })
  assert.equal((await next()).subject, 'An operator verified the email address')
  const by = COMMAND_LINE
  assert.equal((await harness.signIn.removeAccount(userId, { by, allowNone: true })).outcome, 'deleted')
  await harness.signIn.notifyOwner({ kind: 'account.deleted', userId, by, email: EMAIL })
  const deleted = await next()
  assert.equal(deleted.subject, 'An operator deleted the account')
  assert.doesNotMatch(deleted.whole, /security log/)
})

test('reports a notice that could not be sent, because the change is committed', async (t) => {
  const { harness, userId } = await open(t)
  const actor = { userId: 'olga', name: 'olga@example.org' }
  await harness.store.close()
  await harness.signIn.notifyOwner({ kind: 'account.suspended', userId, by: actor })
  const [event] = harness.events
  assert.deepEqual([event.level, event.message], ['error', 'owner of an account could not be notified'])
})

test('notifies the owner when all other sessions are signed out, and not of a single one', async (t) => {
  const { harness, ada, office, userId, next } = await open(t)
  const { length } = office.mails
  await harness.store.accounts.verifyEmail(userId, EMAIL, COMMAND_LINE)
  const before = await sessionIds(ada)
  assert.equal((await harness.visitor().signInWith(EMAIL)).status, 200)
  const [id] = (await sessionIds(ada)).filter((one) => !before.includes(one))
  assert.equal((await ada.post('/revoke-session', { id })).status, 200)
  assert.equal((await ada.post('/revoke-other-sessions')).status, 200)
  const mail = await next()
  assert.equal(mail.subject, 'Sessions were signed out')
  assert.equal(office.mails.length, length + 1)
})

async function sessionIds(visitor: Visitor): Promise<string[]> {
  const { body } = await visitor.get('/list-sessions')
  return body.map(({ id }: { id: string }) => id)
}

test('notifies the owner of single sign-on that is linked and unlinked, not of an account that it creates', async (t) => {
  const { store, cookies } = await signUp(t)
  const { office, mailer } = await openPost(t)
  const { harness, provider } = await openWithProvider(t, { mailer, store })
  const eve = { sub: 'eve', email: 'eve@example.org', email_verified: true, name: 'Eve' }
  provider.person = eve
  assert.equal(await signInBy(provider, harness.visitor()), '/app')

  const ada = withCookies(harness, cookies)
  const { userId = '' } = (await ada.session()) ?? {}
  await harness.store.accounts.verifyEmail(userId, EMAIL, COMMAND_LINE)
  provider.person = { ...eve, sub: 'ada', email: EMAIL }
  assert.equal(await signInBy(provider, harness.visitor()), '/app')
  const linked = await office.mailTo(EMAIL)
  assert.equal(linked.subject, 'Single sign-on was linked')
  assert.match(linked.whole, /from the network address/)
  const { body: accounts } = await ada.get('/list-accounts')
  const { id } = accounts.find(({ providerId }: { providerId: string }) => providerId === 'oidc')
  assert.equal((await ada.post('/unlink-account', { accountId: id })).status, 200)
  assert.equal((await office.mailTo(EMAIL, 2)).subject, 'Single sign-on was unlinked')
  assert.deepEqual(
    office.mails.filter(({ to }) => to.includes(eve.email)),
    [],
  )
})

test('sends nothing to other people', async (t) => {
  const { harness, office, userId, next } = await open(t)
  const { length } = office.mails
  await harness.signIn.createResetLink('nobody', COMMAND_LINE)
  await harness.signIn.signOutEverywhere(userId, COMMAND_LINE)
  await next()
  assert.equal(office.mails.length, length + 1)
})
