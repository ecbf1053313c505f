import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword } from 'better-auth/crypto'
import { PASSWORD, SignInHarness } from '../../test/support/auth/sign-in-harness.ts'
import { isCurrentHash, scryptHashing } from './password-hashing.ts'

test('hashes with scrypt, N = 2^17, r = 8 and p = 1, and a salt', async () => {
  const [one, other] = [await scryptHashing.hash(PASSWORD), await scryptHashing.hash(PASSWORD)]
  assert.match(one, /^\$scrypt\$ln=17,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/)
  assert.notEqual(one, other)
  assert.equal(await scryptHashing.verify({ hash: one, password: PASSWORD }), true)
  assert.equal(await scryptHashing.verify({ hash: one, password: `${PASSWORD} ` }), false)
})

test('replaces a hash of better-auth at the next sign-in, and only with the right password', async (t) => {
  const harness = await SignInHarness.open(t, { passwordHashing: 'default' })
  await harness.person('ada@example.org')
  const { queries } = harness.store.signIn
  const hashed = async () => (await queries.selectFrom('credentials').select('password').execute())[0].password
  await queries
    .updateTable('credentials')
    .set({ password: await hashPassword(PASSWORD) })
    .execute()
  assert.equal((await harness.visitor().signInWith('ada@example.org', 'not the password')).status, 401)
  assert.equal(isCurrentHash(await hashed()), false)
  assert.equal((await harness.visitor().signInWith('ada@example.org')).status, 200)
  const renewed = await hashed()
  assert.equal(isCurrentHash(renewed), true)
  assert.equal((await harness.visitor().signInWith('ada@example.org')).status, 200)
  assert.equal(await hashed(), renewed)
})
