import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { codeOf, enableTwoFactor } from '../../test/support/auth/one-time-codes.ts'
import { FAST_HASHING, PASSWORD, SignInHarness, type Visitor } from '../../test/support/auth/sign-in-harness.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import type { PasswordHashing } from './better-auth.ts'
import { deleteExpiredSignIns } from './expired-sign-ins.ts'

const EMAIL = 'ada@example.org'
const NEW_PASSWORD = 'another long password'

test('lists sessions and ends one of them', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person('ada@example.org', '192.0.2.7')
  const otherDevice = harness.visitor('198.51.100.9')
  await otherDevice.signInWith('ada@example.org')
  const { body: sessions } = await ada.get('/list-sessions')
  assert.deepEqual(sessions.map((each: { ipAddress: string }) => each.ipAddress).sort(), ['192.0.2.7', '198.51.100.9'])
  const other = sessions.find((each: { ipAddress: string }) => each.ipAddress === '198.51.100.9')
  assert.equal((await ada.post('/revoke-session', { id: other.id })).status, 200)
  assert.equal(await otherDevice.session(), undefined)
  assert.equal((await ada.post('/revoke-session', { id: other.id })).status, 404)
  assert.equal((await ada.session())?.email, 'ada@example.org')
})

test('stores the beginning of a long User-Agent', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  const headers = { 'user-agent': `Mozilla/5.0 ${'x'.repeat(30_000)}` }
  assert.equal((await ada.post('/sign-in/email', { email: EMAIL, password: PASSWORD }, headers)).status, 200)
  const [session] = (await ada.get('/list-sessions')).body
  assert.equal(session.userAgent, headers['user-agent'].slice(0, 256))
})

test('no response contains a session token', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = harness.visitor()
  const answers = [await ada.signUp(EMAIL), await ada.signInWith(EMAIL), await ada.get('/get-session')]
  answers.push(await ada.get('/list-sessions'))
  answers.push(await ada.post('/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }))
  const { queries } = harness.store.signIn
  const tokens = (await queries.selectFrom('sessions').select('token').execute()).map(({ token }) => token)
  assert.equal(tokens.length, 1)
  for (const { status, body } of answers) {
    assert.equal(status, 200)
    assert.doesNotMatch(JSON.stringify(body), /"token"/)
    assert.ok(!JSON.stringify(body).includes(tokens[0]))
  }
  assert.deepEqual([answers[0].body.signedIn, answers[1].body.signedIn], [true, true])
})

test('ends a session 90 days after the sign-in, however often it is used', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  await signInBefore(harness, 90 * DAY_MS - 60_000)
  assert.equal((await ada.get('/get-session')).body.user.email, EMAIL)
  harness.advance(60_000)
  assert.equal((await ada.get('/get-session')).body, null)
  assert.equal(await ada.session(), undefined)
  assert.deepEqual(await harness.store.signIn.queries.selectFrom('sessions').selectAll().execute(), [])
})

test('ends a session of an operator 12 hours after the sign-in', async (t) => {
  const harness = await SignInHarness.open(t)
  const [chief, ada] = [await harness.person('chief@example.org'), await harness.person(EMAIL)]
  await harness.store.operators.add((await chief.session())?.userId ?? '')
  await signInBefore(harness, 12 * HOUR_MS - 60_000)
  assert.equal((await chief.session())?.operatorRole, 'operator')
  harness.advance(60_000)
  const rename = await chief.post('/update-user', { name: 'Eve' })
  assert.equal(rename.status, 401)
  assert.equal(await chief.session(), undefined)
  assert.equal((await ada.session())?.email, EMAIL)
})

test('a new sign-in ends the session that the browser had', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  const before = copyOf(harness, ada)
  assert.equal((await ada.signInWith(EMAIL)).status, 200)
  assert.equal(await before.session(), undefined)
  assert.equal((await ada.session())?.email, EMAIL)
  await enableTwoFactor(ada)
  const enabled = copyOf(harness, ada)
  assert.equal((await ada.signInWith(EMAIL)).body.twoFactorRedirect, true)
  assert.equal(await enabled.session(), undefined)
})

test('a device is no longer trusted after a new password, another second factor and "sign out everywhere"', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  const { secret } = await enableTwoFactor(ada)
  const device = harness.visitor()
  await device.signInWith(EMAIL)
  await device.post('/two-factor/verify-totp', { code: codeOf(secret, 1), trustDevice: true })
  const isTrusted = async (password = PASSWORD) => {
    // Each use of a trusted device replaces its cookie.
    const signedIn = await device.signInWith(EMAIL, password)
    return signedIn.body.twoFactorRedirect === undefined
  }
  const trustAgain = async () => {
    const { userId = '' } = (await ada.session()) ?? {}
    await harness.store.signIn.queries.deleteFrom('verifications').where('value', '=', 'spent').execute()
    await device.post('/two-factor/verify-totp', { code: codeOf(secret, 1), trustDevice: true })
    assert.equal(await isTrusted(), true)
    return userId
  }
  assert.equal(await isTrusted(), true)
  assert.equal((await ada.post('/revoke-other-sessions')).status, 200)
  assert.equal(await isTrusted(), false)
  await trustAgain()
  await ada.post('/two-factor/generate-backup-codes', { password: PASSWORD })
  assert.equal(await isTrusted(), false)
  await harness.signIn.signOutEverywhere(await trustAgain(), COMMAND_LINE)
  assert.equal(await isTrusted(), false)
  await trustAgain()
  await device.post('/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
  assert.equal(await isTrusted(NEW_PASSWORD), false)
})

test('an operator ends all sessions of an account', async (t) => {
  const harness = await SignInHarness.open(t)
  const [ada, bob] = [await harness.person(EMAIL), await harness.person('bob@example.org')]
  const { userId = '' } = (await ada.session()) ?? {}
  assert.equal(await harness.signIn.signOutEverywhere('nobody', COMMAND_LINE), false)
  assert.equal(await harness.signIn.signOutEverywhere(userId, COMMAND_LINE), true)
  assert.equal(await ada.session(), undefined)
  assert.equal((await bob.session())?.email, 'bob@example.org')
  assert.equal((await ada.signInWith(EMAIL)).status, 200)
})

test('a session expires 30 days after its last use, and is extended when the dashboard opens', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person('ada@example.org')
  assert.deepEqual(await harness.signIn.renew(ada.headers), [])
  const { queries } = harness.store.signIn
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  await queries
    .updateTable('sessions')
    .set({ expiresAt: inDays(28.5) })
    .execute()
  const [line] = await harness.signIn.renew(ada.headers)
  assert.match(line, /^slots\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  const { expiresAt } = await queries.selectFrom('sessions').select('expiresAt').executeTakeFirstOrThrow()
  assert.ok(expiresAt > inDays(29.9))
  await queries
    .updateTable('sessions')
    .set({ expiresAt: inDays(-1) })
    .execute()
  assert.equal(await ada.session(), undefined)
  await deleteExpiredSignIns(harness.store, Date.now())
  assert.equal((await queries.selectFrom('sessions').select('id').execute()).length, 0)
})

/** Moves every sign-in into the past. */
async function signInBefore(harness: SignInHarness, ms: number): Promise<void> {
  const createdAt = new Date(Date.now() - ms).toISOString()
  await harness.store.signIn.queries.updateTable('sessions').set({ createdAt }).execute()
}

/** A browser with the same cookies as another has now. */
function copyOf(harness: SignInHarness, visitor: Visitor): Visitor {
  const copy = harness.visitor()
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
  return copy
}

test('refuses a sign-in whose password was replaced while it was checked: its session would outlive the change', async (t) => {
  const { finishSignIn, reset, harness, ada } = await openPausable(t, 'verify')
  assert.equal(await reset(), 200)
  const { status, body } = await finishSignIn()
  assert.deepEqual([status, body.code], [401, 'INVALID_EMAIL_OR_PASSWORD'])
  assert.deepEqual(await harness.store.signIn.queries.selectFrom('sessions').selectAll().execute(), [])
  assert.equal((await ada.signInWith(EMAIL, NEW_PASSWORD)).status, 200)
})

test('the renewal of an old hash does not undo a new password', async (t) => {
  const { finishSignIn, reset, ada } = await openPausable(t, 'hash')
  assert.equal(await reset(), 200)
  await finishSignIn()
  assert.equal((await ada.signInWith(EMAIL, PASSWORD)).status, 401)
  assert.equal((await ada.signInWith(EMAIL, NEW_PASSWORD)).status, 200)
})

/** A sign-in that waits while its password is verified, or while its hash is renewed, until it is told to finish. */
async function openPausable(t: TestContext, at: 'verify' | 'hash') {
  const [begun, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let pauses = 0
  const pause = async (step: typeof at) => {
    if (step !== at || pauses-- !== 1) return
    begun.resolve()
    await resumed.promise
  }
  const passwordHashing: PasswordHashing = {
    hash: (password) => pause('hash').then(() => FAST_HASHING.hash(password)),
    verify: (password) => pause('verify').then(() => FAST_HASHING.verify(password)),
  }
  const harness = await SignInHarness.open(t, { passwordHashing })
  const ada = await harness.person(EMAIL)
  const { link = '' } = (await harness.signIn.createResetLink((await ada.session())?.userId ?? '', COMMAND_LINE)) ?? {}
  const body = { token: new URL(link).hash.slice(1), newPassword: NEW_PASSWORD }
  pauses = 1
  const signedIn = harness.visitor().signInWith(EMAIL)
  await begun.promise
  const finishSignIn = () => {
    resumed.resolve()
    return signedIn
  }
  return { harness, ada, finishSignIn, reset: async () => (await ada.post('/reset-password', body)).status }
}
