import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { CLIENT, HOME, openWithProvider, signInBy } from '../../test/support/auth/identity-provider.ts'
import { SignInHarness } from '../../test/support/auth/sign-in-harness.ts'
import { listenOnLoopback } from '../../test/support/listen-on-loopback.ts'
import { hashToken } from './link-tokens.ts'

test('creates an account for a user of the provider, and recognizes the user later', async (t) => {
  const { harness, provider } = await openWithProvider(t, { passwordSignIn: false })
  const ada = harness.visitor()
  assert.equal(await signInBy(provider, ada), '/app')
  const session = await ada.session()
  assert.deepEqual([session?.email, session?.name, session?.emailVerified], ['ada@example.org', 'Ada Lovelace', true])
  assert.equal(await harness.signIn.hasPassword(session?.userId ?? ''), false)
  const again = harness.visitor()
  assert.equal(await signInBy(provider, again), '/app')
  assert.equal((await again.session())?.userId, session?.userId)
  const options = await harness.signIn.options()
  assert.deepEqual([options.password, options.oidc], [false, { name: 'Example' }])
  assert.deepEqual(harness.events, [])
})

test('stores no tokens of the provider', async (t) => {
  const { harness, provider } = await openWithProvider(t)
  await signInBy(provider, harness.visitor())
  await signInBy(provider, harness.visitor())
  const [row] = await harness.store.signIn.queries.selectFrom('credentials').selectAll().execute()
  assert.deepEqual([row.accountId, row.accessToken, row.refreshToken, row.idToken], ['ada', null, null, null])
})

test('links an account with the same address only if it is verified on both sides', async (t) => {
  const { harness, provider } = await openWithProvider(t)
  const ada = await harness.person('ada@example.org')
  const by = { userId: (await ada.session())?.userId ?? '', name: 'ada@example.org' }
  await harness.store.organizations.create('Acme', by)
  const visitor = harness.visitor()
  assert.match(await signInBy(provider, visitor), /^\/app\/sign-in\?error=account_not_linked/)
  assert.equal(await visitor.session(), undefined)
  const { userId = '' } = (await ada.session()) ?? {}
  await harness.store.accounts.verifyEmail(userId, 'ada@example.org', { name: 'command line' })
  for (const unproven of [false, undefined, 'true', 1]) {
    provider.person = { ...provider.person, email_verified: unproven }
    assert.match(await signInBy(provider, visitor), /^\/app\/sign-in\?error=account_not_linked/, String(unproven))
  }
  provider.person = { ...provider.person, email_verified: true }
  assert.equal(await signInBy(provider, visitor), '/app')
  assert.equal((await visitor.session())?.userId, userId)
})

test('an unverified account without organizations yields to the verified owner of the address', async (t) => {
  const { harness, provider } = await openWithProvider(t)
  const squatter = await harness.person('ada@example.org')
  const visitor = harness.visitor()
  provider.person = { ...provider.person, email_verified: false }
  assert.match(await signInBy(provider, visitor), /error=account_not_linked/)
  assert.notEqual(await squatter.session(), undefined)
  provider.person = { ...provider.person, email_verified: true }
  assert.equal(await signInBy(provider, visitor), '/app')
  assert.equal((await visitor.session())?.emailVerified, true)
  assert.equal(await squatter.session(), undefined)
  assert.equal((await harness.visitor().signInWith('ada@example.org')).status, 401)
})

test('an unverified operator does not yield to single sign-on', async (t) => {
  const { harness, provider } = await openWithProvider(t)
  const ada = await harness.person('ada@example.org')
  await harness.store.operators.add((await ada.session())?.userId ?? '')
  assert.match(await signInBy(provider, harness.visitor()), /error=account_not_linked/)
  assert.equal((await ada.session())?.operatorRole, 'operator')
})

test('refuses the discovery document of another issuer', async (t) => {
  const { harness, provider } = await openWithProvider(t)
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer: provider.issuer }))
  })
  const { origin: issuer } = await listenOnLoopback(t, server)
  const other = await SignInHarness.open(t, { oidc: { issuer, ...CLIENT, name: 'Example' }, store: harness.store })
  const refused = await other.visitor().post('/sign-in/social', { provider: 'oidc', callbackURL: '/app' })
  assert.deepEqual([refused.status, refused.body.code], [503, 'provider-unavailable'])
  assert.match(String(other.events[0].fields.error), /issuer must be OIDC_ISSUER: got "http:/)
})

test('refuses an address with a line break from the provider', async (t) => {
  const { harness, provider } = await openWithProvider(t)
  for (const email of ['eve@example.org\r\nBcc: bob@example.org', 'eve @example.org', 'eve']) {
    provider.person = { sub: 'eve', email, email_verified: true }
    const eve = harness.visitor()
    await signInBy(provider, eve).catch(() => undefined)
    assert.equal(await eve.session(), undefined, JSON.stringify(email))
  }
  assert.deepEqual(await harness.store.signIn.queries.selectFrom('users').select('email').execute(), [])
})

test('applies the sign-up policy to sign-ups by the provider', async (t) => {
  const { harness, provider } = await openWithProvider(t, { signUp: 'invited' })
  const refused = new URL(await signInBy(provider, harness.visitor()), HOME)
  assert.equal(refused.searchParams.get('error'), 'SIGN_UP_REFUSED')
  assert.match(refused.searchParams.get('error_description') ?? '', /requires an invitation/)
  const by = { name: 'command line' }
  const { id: organizationId } = await harness.store.organizations.create('Acme', by)
  const terms = { organizationId, role: 'member', expiresAtMs: Date.now() + 60_000 } as const
  await harness.store.invitations.create({ ...terms, tokenHash: hashToken('the token') }, by)
  const ada = harness.visitor()
  assert.equal(await signInBy(provider, ada, { invitation: 'the token' }), '/app')
  assert.equal((await ada.session())?.email, 'ada@example.org')
  // An existing account needs no invitation.
  assert.equal(await signInBy(provider, harness.visitor()), '/app')
})

test('accepts a domain only if the provider has verified the address', async (t) => {
  const { harness, provider } = await openWithProvider(t, {
    signUp: 'domains',
    signUpDomains: ['example.org'],
  })
  provider.person = { ...provider.person, email_verified: false }
  assert.match(await signInBy(provider, harness.visitor()), /error=SIGN_UP_REFUSED/)
  provider.person = { sub: 'eve', email: 'eve@elsewhere.example', email_verified: true }
  assert.match(await signInBy(provider, harness.visitor()), /error=SIGN_UP_REFUSED/)
  provider.person = { sub: 'bob', email: 'bob@example.org', email_verified: true }
  const bob = harness.visitor()
  assert.equal(await signInBy(provider, bob), '/app')
  assert.equal((await bob.session())?.name, 'bob')
})

test('a configured operator becomes one once the provider has verified the address', async (t) => {
  const { harness, provider } = await openWithProvider(t, { operatorEmails: ['ada@example.org'] })
  const ada = harness.visitor()
  provider.person = { ...provider.person, email_verified: false }
  await signInBy(provider, ada)
  assert.equal((await ada.session())?.operatorRole, undefined)
  provider.person = { sub: 'ada', email: 'ada@example.org', email_verified: true }
  await signInBy(provider, ada)
  assert.equal((await ada.session())?.operatorRole, 'operator')
})

test('runs without an unavailable provider, logs it, and retries later', async (t) => {
  const { harness, provider } = await openWithProvider(t)
  const offline = await SignInHarness.open(t, {
    oidc: { issuer: 'http://127.0.0.1:9', ...CLIENT, name: 'Example' },
    store: harness.store,
  })
  const visitor = offline.visitor()
  const begin = { provider: 'oidc', callbackURL: '/app' }
  const { status, body, headers } = await visitor.post('/sign-in/social', begin)
  assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'provider-unavailable', '5'])
  assert.equal((await visitor.signUp('bob@example.org')).status, 200)
  assert.deepEqual(
    offline.events.map(({ level, message }) => [level, message]),
    [['warn', 'sign-in provider discovery failed']],
  )
  assert.equal((await visitor.post('/sign-in/social', begin)).status, 503)
  assert.equal(offline.events.length, 1)
  offline.advance(5000)
  await visitor.post('/sign-in/social', begin)
  assert.equal(offline.events.length, 2)
  assert.equal(await signInBy(provider, harness.visitor()), '/app')
})

test('retries a discovery after which better-auth lacks the provider', async (t) => {
  for (const second of ['fails', 'hangs', 'lacks the keys'] as const) {
    let reads = 0
    const server = createServer((_request, response) => {
      reads++
      if (second === 'hangs' && reads === 2) return
      if (second === 'fails' && reads === 2) response.statusCode = 503
      const keys = second === 'lacks the keys' && reads <= 2 ? {} : { jwks_uri: `${issuer}/keys` }
      const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer, ...endpoints, ...keys }))
    })
    const { origin: issuer } = await listenOnLoopback(t, server)
    const harness = await SignInHarness.open(t, { oidc: { issuer, ...CLIENT, name: 'Example' } })
    const begin = { provider: 'oidc', callbackURL: '/app' }
    const { status, body } = await harness.visitor().post('/sign-in/social', begin)
    assert.deepEqual([status, body.code], [503, 'provider-unavailable'], second)
    assert.equal(harness.events.at(-1)?.message, 'sign-in provider discovery failed')
    harness.advance(5000)
    const again = await harness.visitor().post('/sign-in/social', begin)
    assert.equal(again.status, 200, second)
    assert.ok(String(again.body.url).startsWith(`${issuer}/authorize?`))
  }
})

test('redirects only to its own pages', async (t) => {
  const { harness } = await openWithProvider(t)
  for (const callbackURL of ['https://evil.example/', '//evil.example/', 'javascript:alert(1)']) {
    const { status } = await harness.visitor().post('/sign-in/social', { provider: 'oidc', callbackURL })
    assert.equal(status, 403, callbackURL)
  }
  assert.equal((await harness.visitor().get('/callback/oidc?code=x&state=forged')).status, 302)
})
