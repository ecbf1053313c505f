import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SecurityKey } from '../../test/support/auth/security-key.ts'
import { SignInHarness, type Visitor } from '../../test/support/auth/sign-in-harness.ts'

async function openWithKey(t: TestContext) {
  const harness = await SignInHarness.open(t)
  return { harness, ada: await harness.person('ada@example.org'), key: new SecurityKey(harness.origin) }
}

async function register(visitor: Visitor, key: SecurityKey) {
  const { body } = await visitor.get('/passkey/generate-register-options')
  assert.equal(body.authenticatorSelection.userVerification, 'required')
  return visitor.post('/passkey/verify-registration', { response: key.register(body), name: 'key' })
}

async function signIn(visitor: Visitor, key: SecurityKey) {
  const { body } = await visitor.get('/passkey/generate-authenticate-options')
  assert.equal(body.userVerification, 'required')
  return visitor.post('/passkey/verify-authentication', { response: key.signIn(body) })
}

test('signs in with a passkey', async (t) => {
  const { harness, ada, key } = await openWithKey(t)
  assert.equal((await register(ada, key)).status, 200)
  const visitor = harness.visitor()
  assert.equal((await signIn(visitor, key)).status, 200)
  assert.equal((await visitor.session())?.email, 'ada@example.org')
})

test('a stolen security key signs nobody in without its PIN', async (t) => {
  const { harness, ada, key } = await openWithKey(t)
  await register(ada, key)
  key.verifies = false
  const thief = harness.visitor()
  const refused = await signIn(thief, key)
  assert.deepEqual([refused.status, refused.body.code], [400, 'USER_NOT_VERIFIED'])
  assert.equal(await thief.session(), undefined)
})

test('refuses to register a security key without a PIN', async (t) => {
  const { ada, key } = await openWithKey(t)
  key.verifies = false
  const refused = await register(ada, key)
  assert.deepEqual([refused.status, refused.body.code], [400, 'USER_NOT_VERIFIED'])
  assert.deepEqual((await ada.get('/passkey/list-user-passkeys')).body, [])
})

test('limits the names of passkeys, and their number', async (t) => {
  const { harness, ada, key } = await openWithKey(t)
  const name = 'x'.repeat(101)
  const { id } = (await register(ada, key)).body
  const { body } = await ada.get('/passkey/generate-register-options')
  const other = new SecurityKey(harness.origin)
  const long = [
    await ada.post('/passkey/verify-registration', { response: other.register(body), name }),
    await ada.post('/passkey/update-passkey', { id, name }),
  ]
  for (const refused of long) assert.deepEqual([refused.status, refused.body.field], [400, 'name'])
  for (let count = 1; count < 50; count++)
    assert.equal((await register(ada, new SecurityKey(harness.origin))).status, 200)
  const refused = await register(ada, other)
  assert.deepEqual([refused.status, refused.body.code], [409, 'limit-reached'])
  assert.equal((await ada.get('/passkey/list-user-passkeys')).body.length, 50)
})

test('limits the number of passkeys also if several are registered at once', async (t) => {
  const { harness, ada, key } = await openWithKey(t)
  for (let count = 0; count < 49; count++) await register(ada, new SecurityKey(harness.origin))
  await register(ada, key)
  const [{ id }] = (await ada.get('/passkey/list-user-passkeys')).body
  await ada.post('/passkey/delete-passkey', { id })
  const browsers = [harness.visitor(), harness.visitor(), harness.visitor()]
  for (const browser of browsers) await signIn(browser, key)
  const registered = await Promise.all(browsers.map((browser) => register(browser, new SecurityKey(harness.origin))))
  const { length } = (await ada.get('/passkey/list-user-passkeys')).body
  assert.equal(length, 49 + registered.filter(({ status }) => status === 200).length)
  assert.ok(length <= 50, `${length} passkeys`)
})
