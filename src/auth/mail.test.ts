import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { enableTwoFactor } from '../../test/support/auth/one-time-codes.ts'
import { PASSWORD, SignInHarness, type Visitor } from '../../test/support/auth/sign-in-harness.ts'
import { PostOffice, tokenIn } from '../../test/support/mail/smtp-server.ts'
import { DAY_MS } from '../lib/time.ts'
import { openMailer } from '../notifications/mail/smtp-mailer.ts'

async function openWithMail(t: TestContext) {
  const office = await PostOffice.open(t)
  const smtp = { smtpUrl: office.smtpUrl, mailFrom: 'Slots <no-reply@slots.example>' }
  const mailer = openMailer(smtp, (event) => assert.fail(JSON.stringify(event)))
  t.after(() => mailer.close())
  return { office, harness: await SignInHarness.open(t, { mailer }) }
}

test('signs in once the email address is verified', async (t) => {
  const { harness, office } = await openWithMail(t)
  const ada = harness.visitor()
  const { status, body } = await ada.signUp('ada@example.org')
  assert.deepEqual([status, body.signedIn], [200, false])
  assert.equal(await ada.session(), undefined)
  const refused = await ada.signInWith('ada@example.org')
  assert.deepEqual([refused.status, refused.body.code], [403, 'EMAIL_NOT_VERIFIED'])
  const mail = await office.mailTo('ada@example.org', 2)
  assert.equal(mail.subject, 'Verify your email address')
  assert.match(mail.whole, /http:\/\/localhost:8080\/app\/confirm-email#/)
  assert.equal((await ada.post('/verify-email', { token: `${tokenIn(mail)}x` })).status, 401)
  assert.equal((await ada.post('/verify-email', { token: tokenIn(mail) })).status, 200)
  assert.equal((await ada.session())?.emailVerified, true)
})

test('sends the verification email again, and does not reveal whether an account exists', async (t) => {
  const { harness, office } = await openWithMail(t)
  const ada = harness.visitor()
  await ada.signUp('ada@example.org')
  const known = await ada.post('/send-verification-email', { email: 'ada@example.org' })
  const unknown = await ada.post('/send-verification-email', { email: 'bob@example.org' })
  assert.deepEqual([known.status, known.body], [unknown.status, unknown.body])
  await office.mailTo('ada@example.org', 2)
  assert.equal(office.mails.filter(({ to }) => to.includes('bob@example.org')).length, 0)
})

test('responds alike to a sign-up with a registered address, and notifies its owner', async (t) => {
  const { harness, office } = await openWithMail(t)
  const first = await harness.visitor().signUp('ada@example.org', { name: 'Ada' })
  const second = await harness.visitor().signUp('ADA@example.org', { name: 'Eve', password: 'the password of Eve' })
  assert.equal(second.status, first.status)
  assert.deepEqual(shapeOf(second.body), shapeOf(first.body))
  assert.equal(second.body.user.email, 'ada@example.org')
  assert.equal((await office.mailTo('ada@example.org', 2)).subject, 'You already have an account')
  assert.equal((await harness.visitor().signInWith('ada@example.org', 'the password of Eve')).status, 401)
})

test('resets the password by a one-time link, ends all sessions and verifies the address', async (t) => {
  const { harness, office } = await openWithMail(t)
  await harness.visitor().signUp('ada@example.org')
  const visitor = harness.visitor()
  const known = await visitor.post('/request-password-reset', { email: 'ada@example.org' })
  const unknown = await visitor.post('/request-password-reset', { email: 'bob@example.org' })
  assert.deepEqual([known.status, known.body], [unknown.status, unknown.body])
  const mail = await office.mailTo('ada@example.org', 2)
  assert.equal(mail.subject, 'Reset your password')
  assert.match(mail.whole, /http:\/\/localhost:8080\/app\/reset-password#/)
  const reset = { token: tokenIn(mail), newPassword: 'a brand new password' }
  assert.equal((await visitor.post('/reset-password', { ...reset, newPassword: 'short' })).status, 400)
  assert.equal((await visitor.post('/reset-password', reset)).status, 200)
  assert.equal((await visitor.post('/reset-password', reset)).status, 400)
  assert.equal((await office.mailTo('ada@example.org', 3)).subject, 'Your password was changed')
  assert.equal((await visitor.signInWith('ada@example.org')).status, 401)
  assert.equal((await visitor.signInWith('ada@example.org', 'a brand new password')).status, 200)
  assert.equal((await visitor.session())?.emailVerified, true)
})

test('stores no token that could reset a password', async (t) => {
  const { harness, office } = await openWithMail(t)
  await harness.visitor().signUp('ada@example.org')
  await harness.visitor().post('/request-password-reset', { email: 'ada@example.org' })
  const token = tokenIn(await office.mailTo('ada@example.org', 2))
  const rows = await harness.store.signIn.queries.selectFrom('verifications').selectAll().execute()
  assert.equal(rows.length, 1)
  assert.equal(JSON.stringify(rows).includes(token), false)
})

test('changes the address once the signed-in user verifies the new one, and notifies the old one', async (t) => {
  const { harness, office } = await openWithMail(t)
  const ada = await verified(harness, office, 'ada@example.org')
  assert.equal((await ada.post('/change-email', { newEmail: 'ada@example.com' })).status, 200)
  const mail = await office.mailTo('ada@example.com')
  assert.equal(mail.subject, 'Verify your new email address')
  assert.equal((await ada.session())?.email, 'ada@example.org')
  const stranger = await harness.visitor().post('/verify-email', { token: tokenIn(mail) })
  assert.deepEqual([stranger.status, stranger.body.code], [401, 'session-required'])
  assert.equal((await ada.post('/verify-email', { token: tokenIn(mail) })).status, 200)
  const session = await ada.session()
  assert.deepEqual([session?.email, session?.emailVerified], ['ada@example.com', true])
  const notice = await office.mailTo('ada@example.org', 2)
  assert.equal(notice.subject, 'Your email address was changed')
  assert.match(notice.whole, /ada@example\.com/)
})

test('a reset link that was sent to the old address does not work after the change', async (t) => {
  const { harness, office } = await openWithMail(t)
  const ada = await verified(harness, office, 'ada@example.org')
  await harness.visitor().post('/request-password-reset', { email: 'ada@example.org' })
  const reset = tokenIn(await office.mailTo('ada@example.org', 2))
  await ada.post('/change-email', { newEmail: 'ada@example.com' })
  assert.equal(
    (await ada.post('/verify-email', { token: tokenIn(await office.mailTo('ada@example.com')) })).status,
    200,
  )
  const readerOfOldMail = await harness
    .visitor()
    .post('/reset-password', { token: reset, newPassword: 'a brand new password' })
  assert.deepEqual([readerOfOldMail.status, readerOfOldMail.body.code], [400, 'INVALID_TOKEN'])
  assert.equal((await harness.visitor().signInWith('ada@example.com')).status, 200)
})

test('a verification link skips the second factor in no browser but that of the session', async (t) => {
  const { harness, office } = await openWithMail(t)
  const ada = await verified(harness, office, 'ada@example.org')
  const bob = await verified(harness, office, 'bob@example.org')
  await enableTwoFactor(ada)
  const { queries } = harness.store.signIn
  const emailOf = async (visitor: Visitor) => (await visitor.session())?.email
  const verifyAgain = async (visitor: Visitor, count: number) => {
    await queries.updateTable('users').set({ emailVerified: 0 }).where('email', '=', 'ada@example.org').execute()
    await ada.post('/send-verification-email', { email: 'ada@example.org' })
    const mail = await office.mailTo('ada@example.org', count)
    assert.equal((await visitor.post('/verify-email', { token: tokenIn(mail) })).status, 200)
  }
  const stranger = harness.visitor()
  const before = office.mails.filter(({ to }) => to.includes('ada@example.org')).length
  await verifyAgain(stranger, before + 1)
  assert.equal(await emailOf(stranger), undefined)
  await verifyAgain(bob, before + 2)
  assert.equal(await emailOf(bob), 'bob@example.org')
  // A session that is extended sets its cookie before that of the account.
  const expiresAt = new Date(Date.now() + 28.5 * DAY_MS).toISOString()
  await queries.updateTable('sessions').set({ expiresAt }).execute()
  await verifyAgain(bob, before + 3)
  assert.equal(await emailOf(bob), 'bob@example.org')
  await verifyAgain(ada, before + 4)
  assert.equal(await emailOf(ada), 'ada@example.org')
  const sessions = await queries.selectFrom('sessions').select('id').execute()
  assert.equal(sessions.length, 2)
})

test('responds alike to a change to a registered address, and sends nothing', async (t) => {
  const { harness, office } = await openWithMail(t)
  const ada = await verified(harness, office, 'ada@example.org')
  await verified(harness, office, 'bob@example.org')
  const before = office.mails.length
  const taken = await ada.post('/change-email', { newEmail: 'bob@example.org' })
  const free = await ada.post('/change-email', { newEmail: 'eve@example.org' })
  assert.deepEqual([taken.status, taken.body], [free.status, free.body])
  await office.mailTo('eve@example.org')
  assert.equal(office.mails.length, before + 1)
})

test('notifies the user of a password change', async (t) => {
  const { harness, office } = await openWithMail(t)
  const ada = await verified(harness, office, 'ada@example.org')
  const change = { currentPassword: PASSWORD, newPassword: 'a brand new password' }
  assert.equal((await ada.post('/change-password', change)).status, 200)
  assert.equal((await office.mailTo('ada@example.org', 2)).subject, 'Your password was changed')
})

test('limits the emails to one address', async (t) => {
  const { harness, office } = await openWithMail(t)
  await harness.visitor().signUp('ada@example.org')
  const ask = () => harness.visitor().post('/request-password-reset', { email: 'ada@example.org' })
  const answers = await Promise.all(Array.from({ length: 15 }, ask))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  await harness.signIn.close()
  // The verification email was the first.
  await office.mailTo('ada@example.org', 11)
  harness.advance(6 * 3_600_000)
  assert.equal((await ask()).status, 200)
  await office.mailTo('ada@example.org', 12)
  assert.equal(office.mails.length, 12)
})

test('a configured operator becomes one once the address is verified', async (t) => {
  const office = await PostOffice.open(t)
  const mailer = openMailer({ smtpUrl: office.smtpUrl, mailFrom: 'no-reply@slots.example' }, () => assert.fail())
  t.after(() => mailer.close())
  const harness = await SignInHarness.open(t, {
    mailer,
    operatorEmails: ['ada@example.org'],
    signUp: 'invited',
  })
  assert.equal((await harness.visitor().signUp('bob@example.org')).status, 403)
  const ada = await verified(harness, office, 'ada@example.org')
  assert.equal((await ada.session())?.operatorRole, 'operator')
  assert.equal((await harness.signIn.options()).needsOperator, false)
})

async function verified(harness: SignInHarness, office: PostOffice, email: string) {
  const visitor = harness.visitor()
  await visitor.signUp(email)
  const { status } = await visitor.post('/verify-email', { token: tokenIn(await office.mailTo(email)) })
  assert.equal(status, 200)
  return visitor
}

/** Names and types of all nested values, in order. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.entries(value).map(([name, each]) => [name, shapeOf(each)])
}
