import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, SignInBed } from '../../test/support/auth/sign-in-harness.ts'
import { addressBlock } from './address-block.ts'

const WRONG = 'not the password'

test('after five wrong passwords an account has to wait, twice as long each time', async (t) => {
  const bed = await SignInBed.open(t)
  await bed.person('ada@example.org')
  const guesser = bed.visitor('198.51.100.1')
  for (let n = 0; n < 6; n++) assert.equal((await guesser.signInWith('ada@example.org', WRONG)).status, 401)
  for (const waitS of [1, 2, 4, 8]) {
    const refused = await guesser.signInWith('Ada@example.org', PASSWORD)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), String(waitS))
    assert.equal(refused.body.code, 'too-many-attempts')
    assert.match(
      refused.body.detail,
      /^That was wrong too often\. Please wait \d+ seconds, then try again\.$/,
    )
    bed.advance(waitS * 1000)
    assert.equal((await guesser.signInWith('ada@example.org', WRONG)).status, 401)
  }
})

test('an account that has to wait lets its owner in afterwards, and forgets', async (t) => {
  const bed = await SignInBed.open(t)
  await bed.person('ada@example.org')
  const visitor = bed.visitor()
  for (let n = 0; n < 6; n++) await visitor.signInWith('ada@example.org', WRONG)
  assert.equal((await visitor.signInWith('ada@example.org')).status, 429)
  bed.advance(1000)
  assert.equal((await visitor.signInWith('ada@example.org')).status, 200)
  for (let n = 0; n < 5; n++) assert.equal((await visitor.signInWith('ada@example.org', WRONG)).status, 401)
  assert.equal((await visitor.signInWith('ada@example.org')).status, 200)
})

test('of many guesses sent at once no more are tried than of as many in a row', async (t) => {
  const bed = await SignInBed.open(t)
  await bed.person('ada@example.org')
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => bed.visitor(`198.51.100.${n}`).signInWith('ada@example.org', WRONG)),
  )
  assert.equal(answers.filter(({ status }) => status === 401).length, 6)
  assert.equal(answers.filter(({ status }) => status === 429).length, 6)
})

test('an address that tries many accounts has to wait, others not', async (t) => {
  const bed = await SignInBed.open(t)
  await bed.person('ada@example.org')
  for (let n = 0; n < 21; n++) {
    assert.equal((await bed.visitor('198.51.100.1').signInWith(`n${n}@example.org`, WRONG)).status, 401)
  }
  assert.equal((await bed.visitor('198.51.100.1').signInWith('ada@example.org')).status, 429)
  assert.equal((await bed.visitor('198.51.100.2').signInWith('ada@example.org')).status, 200)
})

test('answers alike whether there is such an account or not', async (t) => {
  const bed = await SignInBed.open(t)
  await bed.person('ada@example.org')
  for (let n = 0; n < 8; n++) {
    const known = await bed.visitor('198.51.100.1').signInWith('ada@example.org', WRONG)
    const unknown = await bed.visitor('198.51.100.2').signInWith('bob@example.org', WRONG)
    assert.equal(known.status, unknown.status)
    assert.deepEqual(known.body, unknown.body)
  }
})

test('an unknown reset token, and a wrong setup link, are guesses too', async (t) => {
  const bed = await SignInBed.open(t)
  const ada = await bed.person('ada@example.org')
  const { userId = '' } = (await ada.session()) ?? {}
  const guesser = bed.visitor('198.51.100.1')
  for (let n = 0; n < 21; n++) {
    const { status } = await guesser.post('/reset-password', { token: `t${n}`, newPassword: PASSWORD })
    assert.equal(status, 400)
    assert.equal(await bed.signIn.claimSetup(`t${n}`, { userId, address: '198.51.100.1' }), 'wrong-token')
  }
  assert.equal((await guesser.post('/reset-password', { token: 't', newPassword: PASSWORD })).status, 429)
  assert.equal(await bed.signIn.claimSetup('t', { userId, address: '198.51.100.1' }), 'refused')
})

test('notes in the logs of the person who tried, and a wait once', async (t) => {
  const bed = await SignInBed.open(t)
  const ada = await bed.person('ada@example.org')
  const { userId = '' } = (await ada.session()) ?? {}
  // The sign-up has been noted by then, in no log.
  await bed.signIn.close()
  const { id } = await bed.store.organizations.create('Acme', { userId, name: 'ada@example.org' })
  const guesser = bed.visitor('198.51.100.1')
  for (let n = 0; n < 9; n++) await guesser.signInWith('ada@example.org', WRONG)
  bed.advance(1000)
  await guesser.signInWith('ada@example.org')
  await bed.signIn.close()
  const entries = await bed.store.audit.list({ organizationId: id, limit: 100 })
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

test('counts the whole of an IPv6 network as one address', () => {
  assert.equal(addressBlock('192.0.2.1'), '192.0.2.1')
  assert.equal(addressBlock('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(addressBlock('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(addressBlock('2001:DB8:1:2::7'), '2001:db8:1:2::/64')
  assert.equal(addressBlock('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(addressBlock('::1'), '0:0:0:0::/64')
  assert.equal(addressBlock('unknown'), 'unknown')
})
