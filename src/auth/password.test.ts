import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, SignInBed } from '../../test/support/auth/sign-in-harness.ts'

test('signs up, and signs in at once where no mail can be sent', async (t) => {
  const bed = await SignInBed.open(t)
  const ada = bed.visitor()
  assert.equal(await ada.session(), undefined)
  const { status, headers } = await ada.signUp('Ada@Example.org')
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  const session = await ada.session()
  assert.deepEqual(
    { ...session, userId: typeof session?.userId, createdAtMs: typeof session?.createdAtMs },
    {
      userId: 'string',
      email: 'ada@example.org',
      name: 'Ada',
      emailConfirmed: false,
      twoFactor: false,
      isOperator: false,
      createdAtMs: 'number',
    },
  )
  assert.deepEqual(bed.events, [])
})

test('signs in with the password, in any spelling of the address, and out', async (t) => {
  const bed = await SignInBed.open(t)
  await bed.person('ada@example.org')
  const again = bed.visitor()
  assert.equal((await again.signInWith('ADA@example.org', 'not the password')).status, 401)
  assert.equal((await again.signInWith('ADA@example.org')).status, 200)
  assert.equal((await again.session())?.email, 'ada@example.org')
  assert.equal((await again.post('/sign-out')).status, 200)
  assert.equal(await again.session(), undefined)
})

test('refuses a password of fewer than 10 or more than 128 characters', async (t) => {
  const bed = await SignInBed.open(t)
  for (const [password, status] of [
    ['123456789', 400],
    ['1234567890', 200],
    ['x'.repeat(128), 200],
    ['x'.repeat(129), 400],
  ] as const) {
    const answer = await bed.visitor().signUp(`n${password.length}@example.org`, { password })
    assert.equal(answer.status, status, `${password.length}`)
  }
})

test('changes the password for whoever knows the old one, and ends the other sessions', async (t) => {
  const bed = await SignInBed.open(t)
  const ada = await bed.person('ada@example.org')
  const elsewhere = bed.visitor()
  await elsewhere.signInWith('ada@example.org')
  const change = { newPassword: 'another long password', revokeOtherSessions: true }
  assert.equal((await ada.post('/change-password', { ...change, currentPassword: 'wrong' })).status, 400)
  assert.equal((await ada.post('/change-password', { ...change, currentPassword: PASSWORD })).status, 200)
  assert.equal(await elsewhere.session(), undefined)
  assert.equal((await ada.session())?.email, 'ada@example.org')
  assert.equal((await elsewhere.signInWith('ada@example.org')).status, 401)
  assert.equal((await elsewhere.signInWith('ada@example.org', 'another long password')).status, 200)
})

test('lists sessions and ends one by one', async (t) => {
  const bed = await SignInBed.open(t)
  const ada = await bed.person('ada@example.org', '192.0.2.7')
  const elsewhere = bed.visitor('198.51.100.9')
  await elsewhere.signInWith('ada@example.org')
  const { body: sessions } = await ada.get('/list-sessions')
  assert.deepEqual(sessions.map((each: { ipAddress: string }) => each.ipAddress).sort(), [
    '192.0.2.7',
    '198.51.100.9',
  ])
  const other = sessions.find((each: { ipAddress: string }) => each.ipAddress === '198.51.100.9')
  assert.equal((await ada.post('/revoke-session', { token: other.token })).status, 200)
  assert.equal(await elsewhere.session(), undefined)
  assert.equal((await ada.session())?.email, 'ada@example.org')
})

test('keeps a name without what cannot be seen, and never a picture', async (t) => {
  const bed = await SignInBed.open(t)
  const ada = bed.visitor()
  await ada.signUp('ada@example.org', {
    name: '  Ada\n\u202eLovelace ',
    image: 'https://elsewhere.example/a.png',
  })
  assert.equal((await ada.session())?.name, 'Ada Lovelace')
  assert.equal(
    (await ada.post('/update-user', { name: 'A', image: 'https://elsewhere.example/a.png' })).status,
    200,
  )
  assert.equal((await ada.session())?.name, 'A')
  assert.equal((await ada.get('/get-session')).body.user.image, null)
  assert.equal((await ada.post('/update-user', { name: 'x'.repeat(101) })).status, 400)
  assert.equal((await ada.post('/update-user', { name: ' \u200b ' })).status, 400)
})

test('cannot be told to confirm an address or to be somebody by the form', async (t) => {
  const bed = await SignInBed.open(t)
  const ada = bed.visitor()
  await ada.signUp('ada@example.org', { emailVerified: true, twoFactorEnabled: true, id: 'me' })
  await ada.post('/update-user', { name: 'Ada', emailVerified: true })
  const session = await ada.session()
  assert.deepEqual(
    [session?.emailConfirmed, session?.twoFactor, session?.userId === 'me'],
    [false, false, false],
  )
})

test('changes the address at once where no mail can be sent, and leaves it unconfirmed', async (t) => {
  const bed = await SignInBed.open(t, { operatorEmails: ['chief@example.org'] })
  const ada = await bed.person('ada@example.org')
  assert.equal((await ada.post('/change-email', { newEmail: 'chief@example.org' })).status, 200)
  const session = await ada.session()
  assert.deepEqual(
    [session?.email, session?.emailConfirmed, session?.isOperator],
    ['chief@example.org', false, false],
  )
})

test('lets only the routes through that the dashboard needs', async (t) => {
  const bed = await SignInBed.open(t)
  const ada = await bed.person('ada@example.org')
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

test('knows no password where only the single sign-on is to be used', async (t) => {
  const bed = await SignInBed.open(t, { passwordSignIn: false })
  assert.equal((await bed.visitor().signUp('ada@example.org')).status, 404)
  assert.equal((await bed.visitor().signInWith('ada@example.org')).status, 404)
  assert.equal(
    (await bed.visitor().post('/reset-password', { token: 'x', newPassword: PASSWORD })).status,
    404,
  )
  assert.equal((await bed.signIn.options()).password, false)
})

test('refuses a change that another site sends, and a body that is no JSON object', async (t) => {
  const bed = await SignInBed.open(t)
  const ada = await bed.person('ada@example.org')
  for (const origin of ['https://evil.example', 'null', 'http://localhost:8081']) {
    assert.equal((await ada.post('/sign-out', {}, { origin })).status, 403, origin)
    assert.equal((await bed.visitor().post('/sign-in/email', {}, { origin })).status, 403, origin)
  }
  assert.equal((await ada.post('/update-user', [])).status, 400)
  assert.notEqual(await ada.session(), undefined)
})

test('a session lives 30 days from its last use, and is prolonged when the dashboard is opened', async (t) => {
  const bed = await SignInBed.open(t)
  const ada = await bed.person('ada@example.org')
  assert.deepEqual(await bed.signIn.renew(ada.headers), [])
  const { queries } = bed.store.signIn
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  await queries
    .updateTable('sessions')
    .set({ expiresAt: inDays(28.5) })
    .execute()
  const [line] = await bed.signIn.renew(ada.headers)
  assert.match(line, /^slots\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  const { expiresAt } = await queries.selectFrom('sessions').select('expiresAt').executeTakeFirstOrThrow()
  assert.ok(expiresAt > inDays(29.9))
  await queries
    .updateTable('sessions')
    .set({ expiresAt: inDays(-1) })
    .execute()
  assert.equal(await ada.session(), undefined)
  await bed.signIn.purge()
  assert.equal((await queries.selectFrom('sessions').select('id').execute()).length, 0)
})
