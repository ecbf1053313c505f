import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, enableTwoFactor } from '../../test/support/auth/one-time-codes.ts'
import { PASSWORD, SignInHarness } from '../../test/support/auth/sign-in-harness.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'

const EMAIL = 'ada@example.org'

test('suspending an account ends its sessions and refuses sign-ins with the reason, until it is resumed', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  const userId = (await ada.session())?.userId ?? ''
  const { accounts } = harness.store
  assert.equal(await accounts.suspend(userId, 'Shared', COMMAND_LINE), 'done')
  assert.equal(await ada.session(), undefined)
  const visitor = harness.visitor()
  const refused = await visitor.signInWith(EMAIL)
  assert.deepEqual([refused.status, refused.body.code], [403, 'account-suspended'])
  assert.match(refused.body.detail, /^This account is suspended\. Reason: Shared\. Contact the operator/)
  await harness.signIn.close()
  const entries = await harness.store.audit.after(0, 100)
  assert.deepEqual(
    entries.slice(-1).map(({ kind, detail }) => [kind, detail]),
    [['sign-in.failed', { method: 'password', reason: 'the account is suspended' }]],
  )
  assert.deepEqual([visitor.cookies.size, (await accounts.find(userId))?.sessions.length], [0, 0])
  const wrong = await visitor.signInWith(EMAIL, 'a wrong password')
  assert.equal(wrong.status, 401)
  assert.equal(await accounts.resume(userId, COMMAND_LINE), true)
  assert.equal((await visitor.signInWith(EMAIL)).status, 200)
  assert.equal((await visitor.session())?.userId, userId)
})

test('a session that begins while the account is suspended is no session', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  const userId = (await ada.session())?.userId ?? ''
  const { queries } = harness.store.signIn
  const rows = await queries.selectFrom('sessions').selectAll().where('userId', '=', userId).execute()
  await harness.store.accounts.suspend(userId, 'Shared', COMMAND_LINE)
  await queries.insertInto('sessions').values(rows).execute()
  assert.equal(await ada.session(), undefined)
})

test('the second factor of a suspended account is asked for before the reason', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  const { secret } = await enableTwoFactor(ada)
  const userId = (await ada.session())?.userId ?? ''
  await harness.store.accounts.suspend(userId, 'Shared', COMMAND_LINE)
  const visitor = harness.visitor()
  const first = await visitor.signInWith(EMAIL)
  assert.deepEqual([first.status, first.body.twoFactorRedirect], [200, true])
  const second = await visitor.post('/two-factor/verify-totp', { code: codeOf(secret, 1) })
  assert.deepEqual([second.status, second.body.code], [403, 'account-suspended'])
})

test('after a reset of the second factor, the password is enough, also on a trusted device', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  await enableTwoFactor(ada)
  const userId = (await ada.session())?.userId ?? ''
  assert.equal(await harness.store.accounts.resetSecondFactor(userId, COMMAND_LINE), true)
  assert.equal(await harness.store.accounts.resetSecondFactor(userId, COMMAND_LINE), false)
  const visitor = harness.visitor()
  const { status, body } = await visitor.signInWith(EMAIL)
  assert.deepEqual([status, body.signedIn], [200, true])
  assert.equal((await visitor.session())?.twoFactor, false)
  assert.equal((await visitor.post('/two-factor/enable', { password: PASSWORD })).status, 200)
})
