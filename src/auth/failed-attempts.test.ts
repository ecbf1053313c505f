import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, SignInHarness } from '../../test/support/auth/sign-in-harness.ts'

const WRONG = 'not the password'

test('blocks an account after six wrong passwords, twice as long each time', async (t) => {
  const harness = await SignInHarness.open(t)
  await harness.person('ada@example.org')
  const attacker = harness.visitor('198.51.100.1')
  for (let n = 0; n < 6; n++) assert.equal((await attacker.signInWith('ada@example.org', WRONG)).status, 401)
  for (const waitS of [1, 2, 4, 8]) {
    const refused = await attacker.signInWith('Ada@example.org', PASSWORD)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), String(waitS))
    assert.equal(refused.body.code, 'too-many-attempts')
    const wait = waitS === 1 ? '1 second' : `${waitS} seconds`
    assert.equal(refused.body.detail, `Too many failed attempts. Wait ${wait}, then try again.`)
    harness.advance(waitS * 1000)
    assert.equal((await attacker.signInWith('ada@example.org', WRONG)).status, 401)
  }
})

test('lets the owner sign in after the wait, and clears the failed attempts', async (t) => {
  const harness = await SignInHarness.open(t)
  await harness.person('ada@example.org')
  const visitor = harness.visitor()
  for (let n = 0; n < 6; n++) await visitor.signInWith('ada@example.org', WRONG)
  assert.equal((await visitor.signInWith('ada@example.org')).status, 429)
  harness.advance(1000)
  assert.equal((await visitor.signInWith('ada@example.org')).status, 200)
  for (let n = 0; n < 5; n++) assert.equal((await visitor.signInWith('ada@example.org', WRONG)).status, 401)
  assert.equal((await visitor.signInWith('ada@example.org')).status, 200)
})

test('a malformed attempt between wrong passwords does not clear them', async (t) => {
  const harness = await SignInHarness.open(t)
  await harness.person('ada@example.org')
  const attacker = harness.visitor('198.51.100.1')
  for (let n = 0; n < 6; n++) {
    assert.equal((await attacker.signInWith('ada@example.org', WRONG)).status, 401)
    assert.equal((await attacker.post('/sign-in/email', { email: 'ada@example.org' })).status, n < 5 ? 400 : 429)
  }
  assert.equal((await attacker.signInWith('ada@example.org', WRONG)).status, 429)
})

test('allows concurrent attempts no more tries than sequential ones', async (t) => {
  const harness = await SignInHarness.open(t)
  await harness.person('ada@example.org')
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => harness.visitor('198.51.100.1').signInWith('ada@example.org', WRONG)),
  )
  assert.equal(answers.filter(({ status }) => status === 401).length, 6)
  assert.equal(answers.filter(({ status }) => status === 429).length, 6)
})

test('a guesser does not block the account for its owner at another address', async (t) => {
  const harness = await SignInHarness.open(t)
  await harness.person('ada@example.org')
  for (let n = 0; n < 12; n++) await harness.visitor('203.0.113.7').signInWith('ada@example.org', WRONG)
  assert.equal((await harness.visitor('203.0.113.7').signInWith('ada@example.org')).status, 429)
  assert.equal((await harness.visitor('198.51.100.2').signInWith('ada@example.org')).status, 200)
})

test('blocks an account after 51 wrong passwords from many addresses', async (t) => {
  const harness = await SignInHarness.open(t)
  await harness.person('ada@example.org')
  const attempt = (n: number) => harness.visitor(`198.51.100.${n}`).signInWith('ada@example.org', WRONG)
  for (let n = 0; n < 51; n++) assert.equal((await attempt(n)).status, 401, `${n}`)
  assert.equal((await attempt(51)).status, 429)
})

test('blocks an address that tries many accounts for a minute at most, and no other address', async (t) => {
  const harness = await SignInHarness.open(t)
  await harness.person('ada@example.org')
  const guess = (n: number) => harness.visitor('203.0.113.9').signInWith(`n${n}@example.org`, WRONG)
  for (let n = 0; n < 51; n++) {
    const { status } = await guess(n)
    assert.equal(status, 401, `${n}`)
  }
  assert.equal((await harness.visitor('203.0.113.9').signInWith('ada@example.org')).status, 429)
  assert.equal((await harness.visitor('198.51.100.2').signInWith('ada@example.org')).status, 200)
  harness.advance(60_000)
  assert.equal((await harness.visitor('203.0.113.9').signInWith('ada@example.org')).status, 200)
})

test('responds alike whether or not the account exists', async (t) => {
  const harness = await SignInHarness.open(t)
  await harness.person('ada@example.org')
  for (let n = 0; n < 8; n++) {
    const known = await harness.visitor('198.51.100.1').signInWith('ada@example.org', WRONG)
    const unknown = await harness.visitor('198.51.100.2').signInWith('bob@example.org', WRONG)
    assert.equal(known.status, unknown.status)
    assert.deepEqual(known.body, unknown.body)
  }
})

test('counts unknown reset tokens and wrong setup links as failed attempts', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person('ada@example.org')
  const { userId = '' } = (await ada.session()) ?? {}
  const attacker = harness.visitor('198.51.100.1')
  for (let n = 0; n < 21; n++) {
    const { status } = await attacker.post('/reset-password', { token: `t${n}`, newPassword: PASSWORD })
    assert.equal(status, 400)
    assert.equal(await harness.signIn.claimSetup(`t${n}`, userId, { address: '198.51.100.1' }), 'wrong-token')
  }
  assert.equal((await attacker.post('/reset-password', { token: 't', newPassword: PASSWORD })).status, 429)
  assert.equal(await harness.signIn.claimSetup('t', userId, { address: '198.51.100.1' }), 'refused')
})

test("records attempts in the audit logs of the user's organizations, and each wait once", async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person('ada@example.org')
  const { userId = '' } = (await ada.session()) ?? {}
  // Waits until the sign-up is recorded, in no log.
  await harness.signIn.close()
  const { id } = await harness.store.organizations.create('Acme', { userId, name: 'ada@example.org' })
  const attacker = harness.visitor('198.51.100.1')
  for (let n = 0; n < 9; n++) await attacker.signInWith('ada@example.org', WRONG)
  harness.advance(1000)
  await attacker.signInWith('ada@example.org')
  await harness.signIn.close()
  const entries = await harness.store.audit.list({ organizationId: id, limit: 100 })
  assert.deepEqual(
    entries
      .map(({ kind, actor, detail }) => [kind, actor.name, actor.address, detail.method])
      .reverse()
      .slice(1),
    [
      ...Array.from({ length: 6 }, () => ['sign-in.failed', 'ada@example.org', '198.51.100.1', 'password']),
      ['sign-in.blocked', 'ada@example.org', '198.51.100.1', 'password'],
      ['sign-in.succeeded', 'ada@example.org', '198.51.100.1', 'password'],
    ],
  )
  assert.equal(entries[0].actor.userId, userId)
})
