import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { codeOf, enableTwoFactor, wrongCode } from '../../test/support/auth/one-time-codes.ts'
import { PASSWORD, SignInHarness, type Visitor } from '../../test/support/auth/sign-in-harness.ts'
import { MINUTE_MS } from '../lib/time.ts'

const EMAIL = 'ada@example.org'

const PRIVILEGED = [
  ['POST', '/change-email'],
  ['GET', '/passkey/generate-register-options'],
  ['POST', '/passkey/verify-registration'],
  ['POST', '/passkey/delete-passkey'],
  ['POST', '/link-social'],
  ['POST', '/unlink-account'],
  ['POST', '/revoke-session'],
  ['POST', '/revoke-sessions'],
  ['POST', '/revoke-other-sessions'],
] as const

for (const [method, path] of PRIVILEGED) {
  test(`${method} ${path} requires a confirmation within 15 minutes`, async (t) => {
    const { harness, ada } = await openWithPerson(t)
    const ask = () =>
      method === 'GET' ? ada.get(path) : ada.post(path, { newEmail: 'eve@example.org', provider: 'oidc' })
    harness.advance(15 * MINUTE_MS)
    const refused = await ask()
    assert.deepEqual([refused.status, refused.body.code], [403, 'confirmation-required'])
    assert.equal((await ada.post('/confirm-password', { password: PASSWORD })).status, 200)
    assert.notEqual((await ask()).body?.code, 'confirmation-required')
  })
}

test('only the right password confirms, and attempts are limited', async (t) => {
  const { harness, ada } = await openWithPerson(t)
  harness.advance(15 * MINUTE_MS)
  const statuses: number[] = []
  for (let n = 0; n < 7; n++) {
    statuses.push((await ada.post('/confirm-password', { password: `attempt ${n}` })).status)
  }
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 400, 429])
  assert.equal((await ada.post('/confirm-password', { password: PASSWORD })).status, 429)
  assert.equal((await ada.post('/revoke-sessions')).body.code, 'confirmation-required')
  assert.equal((await harness.visitor().post('/confirm-password', { password: PASSWORD })).status, 401)
})

test('a one-time code confirms, once', async (t) => {
  const { harness, ada } = await openWithPerson(t)
  const { secret } = await enableTwoFactor(ada)
  harness.advance(15 * MINUTE_MS)
  assert.equal((await ada.post('/two-factor/verify-totp', { code: wrongCode(secret) })).status, 401)
  assert.equal((await ada.post('/revoke-other-sessions')).status, 403)
  const code = codeOf(secret, 1)
  assert.equal((await ada.post('/two-factor/verify-totp', { code })).status, 200)
  assert.equal((await ada.post('/revoke-other-sessions')).status, 200)
  harness.advance(15 * MINUTE_MS)
  assert.equal((await ada.post('/two-factor/verify-totp', { code })).body.code, 'invalid-code')
  assert.equal((await ada.post('/revoke-other-sessions')).status, 403)
})

test('a confirmation is of one session and does not extend it', async (t) => {
  const { harness, ada } = await openWithPerson(t)
  const other = harness.visitor()
  await other.signInWith(EMAIL)
  harness.advance(15 * MINUTE_MS)
  await ada.post('/confirm-password', { password: PASSWORD })
  assert.equal((await other.post('/revoke-other-sessions')).body.code, 'confirmation-required')
  const rows = await harness.store.signIn.queries.selectFrom('sessions').select('createdAt').execute()
  assert.ok(rows.every(({ createdAt }) => new Date(createdAt).getTime() <= Date.now()))
})

async function openWithPerson(t: TestContext): Promise<{ harness: SignInHarness; ada: Visitor }> {
  const harness = await SignInHarness.open(t)
  return { harness, ada: await harness.person(EMAIL) }
}
