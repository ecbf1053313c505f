import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { PASSWORD, SignInHarness, type Visitor } from '../../test/support/auth/sign-in-harness.ts'

const EMAIL = 'ada@example.org'

test('requires a code after the password once two-factor authentication is verified', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  assert.equal((await ada.post('/two-factor/enable', { password: 'not the password' })).status, 400)
  const { secret } = await enable(ada)
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
  const { secret } = await enable(await harness.person(EMAIL))
  const code = codeOf(secret, 1)
  const [first, second] = [harness.visitor(), harness.visitor()]
  await first.signInWith(EMAIL)
  await second.signInWith(EMAIL)
  assert.equal((await first.post('/two-factor/verify-totp', { code })).status, 200)
  const again = await second.post('/two-factor/verify-totp', { code })
  assert.deepEqual([again.status, again.body.code], [401, 'invalid-code'])
  assert.equal(await second.session(), undefined)
})

test('accepts each backup code once', async (t) => {
  const harness = await SignInHarness.open(t)
  const { backupCodes } = await enable(await harness.person(EMAIL))
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

test('limits failed attempts at codes across sign-ins', async (t) => {
  const harness = await SignInHarness.open(t)
  const { secret, backupCodes } = await enable(await harness.person(EMAIL))
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

test('requires the password to disable two-factor authentication', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person(EMAIL)
  await enable(ada)
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

/** Enables two-factor authentication as the dashboard does. */
async function enable(visitor: Visitor): Promise<{ secret: string; backupCodes: string[] }> {
  const { status, body } = await visitor.post('/two-factor/enable', { password: PASSWORD })
  assert.equal(status, 200)
  assert.match(body.totpURI, /^otpauth:\/\/totp\/Scheduling%20Slots:ada%40example\.org\?secret=/)
  const secret = new URL(body.totpURI).searchParams.get('secret') ?? ''
  // Each code counts once; the tests use the code of the next period.
  assert.equal((await visitor.post('/two-factor/verify-totp', { code: codeOf(secret, 0) })).status, 200)
  assert.equal((await visitor.session())?.twoFactor, true)
  return { secret, backupCodes: body.backupCodes }
}

/** The code of this period of 30 s, or of an earlier or later one (RFC 6238). */
function codeOf(secret: string, periods: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + periods))
  const digest = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const at = digest[19] & 15
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** A code that is invalid in this and the surrounding periods. */
function wrongCode(secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((periods) => codeOf(secret, periods)))
  for (let n = 500_000; ; n += 1000) {
    const run = Array.from({ length: 10 }, (_, more) => String(n + more))
    if (!run.some((code) => near.has(code))) return String(n)
  }
}

function decodeBase32(text: string): Buffer {
  const bits = [...text.replace(/=+$/, '')]
    .map((character) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'))
    .join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
