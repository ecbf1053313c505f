import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { codeOf, enableTwoFactor } from '../../test/support/auth/one-time-codes.ts'
import { SignInHarness, type SignInHarnessOptions, type Visitor } from '../../test/support/auth/sign-in-harness.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { Mail } from '../notifications/mail/mails.ts'
import type { Store } from '../store/contracts/store.ts'
import { AuthSecrets } from './auth-secrets.ts'
import { encryptAgain } from './encrypt-again.ts'

const EMAIL = 'ada@example.org'
const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map((name) =>
  `the ${name} secret`.replaceAll(' ', '-').padEnd(40, 'x'),
)

test('a secret is rotated in two restarts that sign nobody out', async (t) => {
  const before = await SignInHarness.open(t, { authSecret: OLD })
  const { store } = before
  const ada = await before.person(EMAIL)
  const { secret, backupCodes } = await enableTwoFactor(ada)

  const during = await restart(t, store, { authSecret: NEW, previousAuthSecrets: [OTHER, OLD] })
  assert.equal((await sessionIn(during, ada))?.email, EMAIL)
  const device = during.visitor()
  await device.signInWith(EMAIL)
  assert.equal((await device.post('/two-factor/verify-totp', { code: codeOf(secret, 1) })).status, 200)
  await useCookieForADay(during, ada)
  const settings = { ...during.settings, authSecret: NEW, previousAuthSecrets: [OLD] }
  assert.deepEqual(await encryptAgain(settings, store), { encrypted: 1, unreadable: 0, deletedGenerated: false })
  assert.equal((await encryptAgain(settings, store)).encrypted, 0)

  const after = await restart(t, store, { authSecret: NEW })
  assert.equal((await sessionIn(after, ada))?.email, EMAIL)
  assert.equal((await sessionIn(after, device))?.email, EMAIL)
  const other = after.visitor()
  await other.signInWith(EMAIL)
  assert.equal((await other.post('/two-factor/verify-backup-code', { code: backupCodes[0] })).status, 200)
})

// In the square of the length, a text that is a hundred times as long as a header would take hours.
test('reads the cookies of a stranger in linear time', { timeout: 5 * MINUTE_MS }, () => {
  const secrets = new AuthSecrets(NEW, [OLD])
  for (const unit of ['a', 'a=', 'a=.;', `a=.${'b'.repeat(44)};`, '%']) {
    const headers = new Headers({ cookie: unit.repeat(Math.floor(1_600_000 / unit.length)) })
    assert.equal(secrets.renewCookies(headers).get('cookie'), headers.get('cookie'))
  }
})

test('a secret that is neither current nor previous signs nobody in', async (t) => {
  const before = await SignInHarness.open(t, { authSecret: OLD })
  const ada = await before.person(EMAIL)
  const after = await restart(t, before.store, { authSecret: NEW, previousAuthSecrets: [OTHER] })
  assert.equal(await sessionIn(after, ada), undefined)
})

test('a link that an earlier secret signed verifies the address', async (t) => {
  const mails: Mail[] = []
  const mailer = { post: (mail: Mail) => mails.push(mail) } as unknown as NonNullable<SignInHarnessOptions['mailer']>
  const before = await SignInHarness.open(t, { authSecret: OLD, mailer })
  await before.visitor().signUp(EMAIL)
  await before.signIn.close()
  const token = /confirm-email#(\S+)/.exec(JSON.stringify(mails))?.[1].replace(/[^\w.-].*$/, '') ?? ''
  const after = await restart(t, before.store, { authSecret: NEW, previousAuthSecrets: [OLD], mailer })
  const visitor = after.visitor()
  assert.equal((await visitor.post('/verify-email', { token: `${token}x` })).status, 401)
  assert.equal((await visitor.post('/verify-email', { token })).status, 200)
  assert.equal((await visitor.session())?.emailVerified, true)
})

test('a configured secret replaces the generated one, which is deleted once nothing needs it', async (t) => {
  const before = await SignInHarness.open(t)
  const { store } = before
  const ada = await before.person(EMAIL)
  await enableTwoFactor(ada)
  const after = await restart(t, store, { authSecret: NEW })
  assert.equal((await sessionIn(after, ada))?.email, EMAIL)
  const settings = { ...after.settings, authSecret: NEW }
  assert.deepEqual(await encryptAgain(settings, store), { encrypted: 1, unreadable: 0, deletedGenerated: true })
  assert.equal(await store.operators.findSecret('auth'), undefined)
})

test('counts second factors that no secret decrypts, and changes nothing about them', async (t) => {
  const before = await SignInHarness.open(t, { authSecret: OLD })
  await enableTwoFactor(await before.person(EMAIL))
  const result = await encryptAgain({ ...before.settings, authSecret: NEW }, before.store)
  assert.deepEqual(result, { encrypted: 0, unreadable: 1, deletedGenerated: false })
  assert.equal((await encryptAgain({ ...before.settings, authSecret: OLD }, before.store)).unreadable, 0)
})

function restart(t: TestContext, store: Store, options: SignInHarnessOptions): Promise<SignInHarness> {
  return SignInHarness.open(t, { ...options, store })
}

function sessionIn(harness: SignInHarness, visitor: Visitor) {
  return harness.signIn.sessionOf(visitor.headers)
}

/** The cookie is set again at most once a day. */
async function useCookieForADay(harness: SignInHarness, visitor: Visitor): Promise<void> {
  const expiresAt = new Date(Date.now() + 28.5 * 86_400_000).toISOString()
  await harness.store.signIn.queries.updateTable('sessions').set({ expiresAt }).execute()
  const [line] = await harness.signIn.renew(visitor.headers)
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  visitor.cookies.set(name, value)
}
