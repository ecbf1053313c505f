import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openWithProvider, signInBy } from '../../test/support/auth/identity-provider.ts'
import { PostOffice, tokenIn } from '../../test/support/mail/smtp-server.ts'
import { openMailer } from '../notifications/mail/smtp-mailer.ts'

const EMAIL = 'admin@example.org'

/** A service that sends mail, with a provider that has not verified the address of its person. */
async function openUnverified(t: TestContext) {
  const office = await PostOffice.open(t)
  const mailer = openMailer({ smtpUrl: office.smtpUrl, mailFrom: 'Slots <no-reply@slots.example>' }, () => undefined)
  t.after(() => mailer.close())
  const { provider, harness } = await openWithProvider(t, { mailer, operatorEmails: [EMAIL] })
  provider.person = { sub: 'eve', email: EMAIL, email_verified: false, name: 'Eve' }
  return { office, provider, harness }
}

test('with a mail server, an address that the provider has not verified signs in once its link is opened', async (t) => {
  const { office, provider, harness } = await openUnverified(t)
  const visitor = harness.visitor()
  assert.equal(await signInBy(provider, visitor), '/app/sign-in?error=email_not_verified')
  assert.equal(await visitor.session(), undefined)
  const mail = await office.mailTo(EMAIL)
  assert.equal(mail.subject, 'Verify your email address')
  assert.equal((await visitor.post('/verify-email', { token: tokenIn(mail) })).status, 200)
  assert.equal((await visitor.session())?.emailVerified, true)
  assert.equal(await signInBy(provider, visitor), '/app')
})

test('who only claimed an address does not share the account with its owner', async (t) => {
  const { office, provider, harness } = await openUnverified(t)
  await signInBy(provider, harness.visitor())
  const { queries } = harness.store.signIn
  const { id: userId } = await queries.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const passkey = { id: 'p', userId, publicKey: '', credentialID: 'c', counter: 0, deviceType: 'x', backedUp: 0 }
  await queries.insertInto('passkeys').values(passkey).execute()
  const owner = harness.visitor()
  await owner.post('/request-password-reset', { email: EMAIL })
  const token = tokenIn(await office.mailTo(EMAIL, 2))
  assert.equal((await owner.post('/reset-password', { token, newPassword: 'a brand new password' })).status, 200)
  await owner.signInWith(EMAIL, 'a brand new password')
  assert.equal((await owner.session())?.operatorRole, 'operator')
  const stranger = harness.visitor()
  assert.match(await signInBy(provider, stranger), /error=account_not_linked/)
  assert.equal(await stranger.session(), undefined)
  assert.deepEqual(await queries.selectFrom('passkeys').select('id').execute(), [])
  const entries = await harness.store.audit.list({ organizationId: null, limit: 4 })
  const kinds = new Set(entries.map(({ kind }) => kind))
  assert.ok(kinds.has('account.passkey-removed') && kinds.has('account.sign-on-unlinked'), [...kinds].join())
})
