import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, SignInHarness } from '../../test/support/auth/sign-in-harness.ts'

/** 128 characters that are hard to guess. */
const LONGEST = 'the engine weaves algebraic patterns '.repeat(4).slice(0, 128)

test('signs up and in immediately without a mail server', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = harness.visitor()
  assert.equal(await ada.session(), undefined)
  const { status, headers } = await ada.signUp('Ada@Example.org')
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  const session = await ada.session()
  assert.deepEqual(
    { ...session, userId: typeof session?.userId, confirmedAtMs: typeof session?.confirmedAtMs },
    {
      userId: 'string',
      email: 'ada@example.org',
      name: 'Ada',
      emailVerified: false,
      twoFactor: false,
      needsSecondFactor: false,
      confirmedAtMs: 'number',
    },
  )
  assert.deepEqual(harness.events, [])
})

test('signs in with any letter case of the address, and signs out', async (t) => {
  const harness = await SignInHarness.open(t)
  await harness.person('ada@example.org')
  const again = harness.visitor()
  assert.equal((await again.signInWith('ADA@example.org', 'not the password')).status, 401)
  assert.equal((await again.signInWith('ADA@example.org')).status, 200)
  assert.equal((await again.session())?.email, 'ada@example.org')
  assert.equal((await again.post('/sign-out')).status, 200)
  assert.equal(await again.session(), undefined)
})

test('refuses a password of fewer than 10 or more than 128 characters', async (t) => {
  const harness = await SignInHarness.open(t)
  for (const [password, status] of [
    ['k8fj2ms9q', 400],
    ['k8fj2ms9qp', 200],
    [LONGEST, 200],
    [`${LONGEST}x`, 400],
  ] as const) {
    const answer = await harness.visitor().signUp(`n${password.length}@example.org`, { password })
    assert.equal(answer.status, status, `${password.length}`)
  }
})

test('refuses weak passwords at sign-up, change and reset, and says why', async (t) => {
  const harness = await SignInHarness.open(t)
  const refused = await harness.visitor().signUp('ada@example.org', { password: 'password12' })
  assert.deepEqual([refused.status, refused.body.code, refused.body.field], [400, 'weak-password', 'password'])
  assert.match(refused.body.detail, /common password/)
  const ada = await harness.person('ada@example.org')
  const { userId = '', email = '' } = (await ada.session()) ?? {}
  await harness.store.organizations.create('Northgate Health', { userId, name: email })
  const change = { currentPassword: PASSWORD, newPassword: 'northgate-health' }
  const changed = await ada.post('/change-password', change)
  assert.deepEqual([changed.status, changed.body.field], [400, 'newPassword'])
  const { link } = (await harness.signIn.createResetLink(userId, { name: 'command line' })) ?? { link: '' }
  const token = link.split('#')[1]
  const reset = await harness.visitor().post('/reset-password', { token, newPassword: 'northgate-health' })
  assert.deepEqual([reset.status, reset.body.code], [400, 'weak-password'])
  assert.equal(
    (await harness.visitor().post('/reset-password', { token, newPassword: 'a brand new password' })).status,
    200,
  )
})

test('changes the password given the old one, and ends the other sessions', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person('ada@example.org')
  const otherDevice = harness.visitor()
  await otherDevice.signInWith('ada@example.org')
  const change = { newPassword: 'another long password', revokeOtherSessions: true }
  assert.equal((await ada.post('/change-password', { ...change, currentPassword: 'wrong' })).status, 400)
  assert.equal((await ada.post('/change-password', { ...change, currentPassword: PASSWORD })).status, 200)
  assert.equal(await otherDevice.session(), undefined)
  assert.equal((await ada.session())?.email, 'ada@example.org')
  assert.equal((await otherDevice.signInWith('ada@example.org')).status, 401)
  assert.equal((await otherDevice.signInWith('ada@example.org', 'another long password')).status, 200)
})

test('removes invisible characters from names, and never stores a picture', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = harness.visitor()
  await ada.signUp('ada@example.org', {
    name: '  Ada\n\u202eLovelace ',
    image: 'https://elsewhere.example/a.png',
  })
  assert.equal((await ada.session())?.name, 'Ada Lovelace')
  assert.equal((await ada.post('/update-user', { name: 'A', image: 'https://elsewhere.example/a.png' })).status, 200)
  assert.equal((await ada.session())?.name, 'A')
  assert.equal((await ada.get('/get-session')).body.user.image, null)
  assert.equal((await ada.post('/update-user', { name: 'x'.repeat(101) })).status, 400)
  for (const name of [null, 1, true, [], {}]) {
    assert.equal((await ada.post('/update-user', { name })).status, 400, JSON.stringify(name))
  }
  assert.equal((await ada.post('/update-user', { name: ' \u200b ' })).status, 400)
  assert.equal((await ada.post('/update-user', { name: '\u200d \u200c' })).status, 400)
  for (const [name, kept] of [
    ['👩🏽\u200d💻 Ada', '👩🏽\u200d💻 Ada'],
    ['می\u200cنا', 'می\u200cنا'],
    ['ශ්\u200dරී', 'ශ්\u200dරී'],
    ['A\u202eda\u2066 \u200d Love\u200b\tlace', 'A da Love lace'],
  ]) {
    assert.equal((await ada.post('/update-user', { name })).status, 200)
    assert.equal((await ada.session())?.name, kept)
  }
})

test('ignores verification, two-factor and ID fields from the form', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = harness.visitor()
  await ada.signUp('ada@example.org', { emailVerified: true, twoFactorEnabled: true, id: 'me' })
  await ada.post('/update-user', { name: 'Ada', emailVerified: true })
  const session = await ada.session()
  assert.deepEqual([session?.emailVerified, session?.twoFactor, session?.userId === 'me'], [false, false, false])
})

test('changes the email address immediately without a mail server, and leaves it unverified', async (t) => {
  const harness = await SignInHarness.open(t, { operatorEmails: ['chief@example.org'] })
  const ada = await harness.person('ada@example.org')
  assert.equal((await ada.post('/change-email', { newEmail: 'chief@example.org' })).status, 200)
  const session = await ada.session()
  assert.deepEqual(
    [session?.email, session?.emailVerified, session?.operatorRole],
    ['chief@example.org', false, undefined],
  )
})

test('exposes only the routes that the dashboard needs', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person('ada@example.org')
  for (const path of [
    '/delete-user',
    '/set-password',
    '/verify-password',
    '/two-factor/send-otp',
    '/get-access-token',
    '/',
  ]) {
    assert.equal((await ada.post(path, { password: PASSWORD })).status, 404, path)
  }
  assert.equal((await ada.get('/verify-email?token=x')).status, 404)
  assert.equal((await ada.get('/reset-password/x?callbackURL=/')).status, 404)
  assert.equal((await ada.get('/error')).status, 404)
})

test('has no password routes with single sign-on only', async (t) => {
  const harness = await SignInHarness.open(t, { passwordSignIn: false })
  assert.equal((await harness.visitor().signUp('ada@example.org')).status, 404)
  assert.equal((await harness.visitor().signInWith('ada@example.org')).status, 404)
  assert.equal((await harness.visitor().post('/reset-password', { token: 'x', newPassword: PASSWORD })).status, 404)
  assert.equal((await harness.signIn.options()).password, false)
})

test('rejects changes from other origins, and bodies that are not JSON objects', async (t) => {
  const harness = await SignInHarness.open(t)
  const ada = await harness.person('ada@example.org')
  for (const origin of ['https://evil.example', 'null', 'http://localhost:8081']) {
    assert.equal((await ada.post('/sign-out', {}, { origin })).status, 403, origin)
    assert.equal((await harness.visitor().post('/sign-in/email', {}, { origin })).status, 403, origin)
  }
  assert.equal((await ada.post('/update-user', [])).status, 400)
  assert.notEqual(await ada.session(), undefined)
})

test('rejects a body that is nested too deeply to be handed on', async (t) => {
  const harness = await SignInHarness.open(t)
  const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  const headers = { origin: harness.origin, 'content-type': 'application/json' }
  const body = `{"email":"ada@example.org","password":"x","more":${nested}}`
  const request = new Request(`${harness.origin}/api/auth/sign-in/email`, { method: 'POST', headers, body })
  assert.equal((await harness.signIn.handle(request)).status, 400)
})

test('limits the sign-ups of an address before it judges their passwords', async (t) => {
  const harness = await SignInHarness.open(t)
  const statuses = await Promise.all(
    Array.from(
      { length: 61 },
      async (_, at) => (await harness.visitor().signUp(`ada${at}@example.org`, { password: 'password12' })).status,
    ),
  )
  assert.deepEqual(
    statuses.map((status) => status === 429),
    Array.from({ length: 61 }, (_, at) => at === 60),
  )
  assert.equal((await harness.visitor('192.0.2.7').signUp('bob@example.org')).status, 200)
  harness.advance(60_000)
  assert.equal((await harness.visitor().signUp('cleo@example.org')).status, 200)
})
