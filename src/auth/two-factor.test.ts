import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, enableTwoFactor, wrongCode } from '../../test/support/auth/one-time-codes.ts'
import { PASSWORD, SignInHarness } from '../../test/support/auth/sign-in-harness.ts'

const EMAIL = 'ada@example.org'

test('requires a code after the password once two-factor authentication is verified', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  assert.equal((await ada.post('/two-factor/enable', { password: 'not the password' })).status, 400)
  const { secret } = await enableTwoFactor(ada)
  const otherDevice = harness.visitor()
  const { status, body } = await otherDevice.signInWith(EMAIL)
  assert.deepEqual([status, body.twoFactorRedirect, body.twoFactorMethods], [200, true, ['totp']])
  assert.equal(await otherDevice.session(), undefined)
  assert.equal((await otherDevice.post('/two-factor/verify-totp', { code: wrongCode(secret) })).status, 401)
  assert.equal((await otherDevice.post('/two-factor/verify-totp', { code: codeOf(secret, 1) })).status, 200)
  assert.equal((await otherDevice.session())?.twoFactor, true)
})

test('requires no code before two-factor authentication is verified', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  await ada.post('/two-factor/enable', { password: PASSWORD })
  const otherDevice = harness.visitor()
  assert.equal((await otherDevice.signInWith(EMAIL)).status, 200)
  assert.equal((await otherDevice.session())?.twoFactor, false)
})

test('accepts each one-time code once', async (t) => {
  const harness = await SignInHarness.open(t)
  const { secret } = await enableTwoFactor(await harness.person(EMAIL))
  const code = codeOf(secret, 1)
  const [first, second] = [harness.visitor(), harness.visitor()]
  await first.signInWith(EMAIL)
  await second.signInWith(EMAIL)
  assert.equal((await first.post('/two-factor/verify-totp', { code })).status, 200)
  const again = await second.post('/two-factor/verify-totp', { code })
  assert.deepEqual([again.status, again.body.code], [401, 'invalid-code'])
  assert.equal(await second.session(), undefined)
})

test('accepts each one-time code once, however the cookie of the sign-in is written', async (t) => {
  const harness = await SignInHarness.open(t)
  const { secret } = await enableTwoFactor(await harness.person(EMAIL))
  const code = codeOf(secret, 1)
  const first = harness.visitor()
  await first.signInWith(EMAIL)
  assert.equal((await first.post('/two-factor/verify-totp', { code })).status, 200)
  for (const cookieOf of WRITTEN) {
    const visitor = harness.visitor()
    await visitor.signInWith(EMAIL)
    const cookie = cookieOf('slots.two_factor', visitor.cookies.get('slots.two_factor') ?? '')
    const again = await visitor.post('/two-factor/verify-totp', { code }, { cookie })
    assert.deepEqual([again.status, again.body.code], [401, 'invalid-code'], cookie)
  }
})

test('accepts each backup code once', async (t) => {
  const harness = await SignInHarness.open(t)
  const { backupCodes } = await enableTwoFactor(await harness.person(EMAIL))
  for (const [code, status] of [
    ['aaaaa-bbbbb', 401],
    [backupCodes[0], 200],
    [backupCodes[0], 401],
    [backupCodes[1], 200],
  ] as const) {
    const visitor = harness.visitor()
    await visitor.signInWith(EMAIL)
    assert.equal((await visitor.post('/two-factor/verify-backup-code', { code })).status, status)
    assert.equal((await visitor.session()) !== undefined, status === 200)
  }
})

test('stores backup codes as hashes and accepts them as people type them', async (t) => {
  const harness = await SignInHarness.open(t)
  const { backupCodes } = await enableTwoFactor(await harness.person(EMAIL))
  assert.deepEqual(new Set(backupCodes).size, 10)
  for (const code of backupCodes) assert.match(code, /^([a-z2-7]{6}-){3}[a-z2-7]{6}$/)
  const stored = async (): Promise<string[]> => {
    const row = await harness.store.signIn.queries.selectFrom('two_factors').select('backupCodes').executeTakeFirst()
    return JSON.parse(row?.backupCodes)
  }
  const hashes = await stored()
  for (const hash of hashes) assert.match(hash, /^sha256:[0-9a-f]{64}$/)
  const visitor = harness.visitor()
  await visitor.signInWith(EMAIL)
  assert.equal((await visitor.post('/two-factor/verify-backup-code', { code: hashes[1] })).status, 401)
  const typed = backupCodes[0].replaceAll('o', '0').replaceAll('l', '1').replaceAll('b', '8')
  assert.equal(
    (await visitor.post('/two-factor/verify-backup-code', { code: typed.toUpperCase().replaceAll('-', ' ') })).status,
    200,
  )
  assert.deepEqual(await stored(), hashes.slice(1))
})

test('limits failed attempts at codes across sign-ins', async (t) => {
  const harness = await SignInHarness.open(t)
  const { secret, backupCodes } = await enableTwoFactor(await harness.person(EMAIL))
  const statuses: number[] = []
  for (let n = 0; n < 7; n++) {
    const attacker = harness.visitor(`198.51.100.${n}`)
    await attacker.signInWith(EMAIL)
    const code = String((Number(wrongCode(secret)) + n) % 1_000_000).padStart(6, '0')
    statuses.push((await attacker.post('/two-factor/verify-totp', { code })).status)
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 401, 429])
  const ada = harness.visitor()
  await ada.signInWith(EMAIL)
  assert.equal((await ada.post('/two-factor/verify-backup-code', { code: backupCodes[0] })).status, 429)
  harness.advance(1000)
  assert.equal((await ada.post('/two-factor/verify-backup-code', { code: backupCodes[0] })).status, 200)
})

test('counts failed attempts at codes for the account of the session before that of a sign-in', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  const { secret, backupCodes } = await enableTwoFactor(ada)
  const eve = await harness.person('eve@example.org')
  const { body } = await eve.post('/two-factor/enable', { password: PASSWORD })
  const own = new URL(body.totpURI).searchParams.get('secret') ?? ''
  await eve.post('/two-factor/verify-totp', { code: codeOf(own, 0) })
  const challenge = harness.visitor()
  await challenge.signInWith('eve@example.org')
  const cookie = [...ada.cookies, ...challenge.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (let n = 0; n < 6; n++) {
    const code = String(Number(wrongCode(secret)) + n)
    assert.equal((await challenge.post('/two-factor/verify-totp', { code }, { cookie })).status, 401)
  }
  const signIn = harness.visitor()
  await signIn.signInWith(EMAIL)
  assert.equal((await signIn.post('/two-factor/verify-backup-code', { code: backupCodes[0] })).status, 429)
})

test('requires the password to disable two-factor authentication', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  await enableTwoFactor(ada)
  assert.equal((await ada.post('/two-factor/disable', { password: 'not the password' })).status, 400)
  assert.equal((await ada.post('/two-factor/disable', { password: PASSWORD })).status, 200)
  const otherDevice = harness.visitor()
  await otherDevice.signInWith(EMAIL)
  assert.equal((await otherDevice.session())?.twoFactor, false)
})

test('limits failed attempts at the password in an open session', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  for (let n = 0; n < 6; n++) await ada.post('/two-factor/enable', { password: `attempt number ${n}` })
  assert.equal(
    (await ada.post('/change-password', { currentPassword: PASSWORD, newPassword: 'x'.repeat(10) })).status,
    429,
  )
  assert.equal((await harness.visitor().signInWith(EMAIL)).status, 429)
})

test('everybody: an account with a password has to set up a second factor', async (t) => {
  const harness = await SignInHarness.open(t, { requireSecondFactor: 'everybody' })
  const ada = await harness.person(EMAIL)
  assert.equal((await ada.session())?.needsSecondFactor, true)
  for (const path of ['/change-email', '/passkey/verify-registration']) {
    const refused = await ada.post(path, { newEmail: 'eve@example.org' })
    assert.deepEqual([refused.status, refused.body.code], [403, 'second-factor-required'], path)
  }
  await enableTwoFactor(ada)
  assert.equal((await ada.session())?.needsSecondFactor, false)
  await ada.post('/two-factor/disable', { password: PASSWORD })
  assert.equal((await ada.session())?.needsSecondFactor, true)
  await harness.store.signIn.queries.deleteFrom('credentials').execute()
  assert.equal((await ada.session())?.needsSecondFactor, false)
})

test('operators: only operators have to set up a second factor', async (t) => {
  const harness = await SignInHarness.open(t, { requireSecondFactor: 'operators' })
  const ada = await harness.person(EMAIL)
  const { userId = '', needsSecondFactor } = (await ada.session()) ?? {}
  assert.equal(needsSecondFactor, false)
  await harness.store.operators.add(userId)
  assert.equal((await ada.session())?.needsSecondFactor, true)
})

/** Forms of a cookie that better-auth reads alike. Of two cookies with one name the first counts. */
const WRITTEN: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${name}="${value}"`,
  (name, value) => `${name} = ${value}`,
  (name, value) => `${name}; ${name}=${value}`,
  (name, value) => `${name}=${value}; ${name}=other`,
]
