import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CLIENT, IdentityProvider } from '../../test/support/auth/identity-provider.ts'
import { type BedOptions, SignInBed, type Visitor } from '../../test/support/auth/sign-in-harness.ts'
import { hashToken } from './sign-up-policy.ts'

const HOME = 'http://localhost:8080'
const CALLBACK = `${HOME}/api/auth/callback/oidc`

async function openWithProvider(t: TestContext, options: BedOptions = {}) {
  const provider = await IdentityProvider.open(t, CALLBACK)
  const oidc = { issuer: provider.issuer, ...CLIENT, name: 'Example' }
  return { provider, bed: await SignInBed.open(t, { oidc, ...options }) }
}

/** Goes all the way, and says where the visitor lands. */
async function signInBy(
  provider: IdentityProvider,
  visitor: Visitor,
  additionalData?: object,
): Promise<string> {
  const { status, body } = await visitor.post('/sign-in/social', {
    provider: 'oidc',
    callbackURL: '/app',
    errorCallbackURL: '/app/sign-in',
    ...(additionalData && { additionalData }),
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(new URL(body.url).searchParams.get('code_challenge_method'), 'S256')
  const back = await provider.visit(body.url, HOME)
  assert.ok(back.startsWith(`${CALLBACK}?`), back)
  const answer = await visitor.get(back.slice(`${HOME}/api/auth`.length))
  assert.equal(answer.status, 302)
  return answer.headers.get('location') ?? ''
}

test('makes an account for whoever comes from the provider, and knows them again', async (t) => {
  const { bed, provider } = await openWithProvider(t, { passwordSignIn: false })
  const ada = bed.visitor()
  assert.equal(await signInBy(provider, ada), '/app')
  const session = await ada.session()
  assert.deepEqual(
    [session?.email, session?.name, session?.emailConfirmed],
    ['ada@example.org', 'Ada Lovelace', true],
  )
  assert.equal(await bed.signIn.hasPassword(session?.userId ?? ''), false)
  const again = bed.visitor()
  assert.equal(await signInBy(provider, again), '/app')
  assert.equal((await again.session())?.userId, session?.userId)
  const options = await bed.signIn.options()
  assert.deepEqual([options.password, options.oidc], [false, { name: 'Example' }])
  assert.deepEqual(bed.events, [])
})

test('keeps no token by which the provider could be asked in a person’s name', async (t) => {
  const { bed, provider } = await openWithProvider(t)
  await signInBy(provider, bed.visitor())
  await signInBy(provider, bed.visitor())
  const [row] = await bed.store.signIn.queries.selectFrom('credentials').selectAll().execute()
  assert.deepEqual([row.accountId, row.accessToken, row.refreshToken, row.idToken], ['ada', null, null, null])
})

test('links an account with the same address only if both sides have it confirmed', async (t) => {
  const { bed, provider } = await openWithProvider(t)
  const ada = await bed.person('ada@example.org')
  const visitor = bed.visitor()
  assert.match(await signInBy(provider, visitor), /^\/app\/sign-in\?error=account_not_linked/)
  assert.equal(await visitor.session(), undefined)
  const { userId = '' } = (await ada.session()) ?? {}
  await bed.signIn.confirmAddress(userId)
  for (const unproven of [false, undefined, 'true', 1]) {
    provider.person = { ...provider.person, email_verified: unproven }
    assert.match(
      await signInBy(provider, visitor),
      /^\/app\/sign-in\?error=account_not_linked/,
      String(unproven),
    )
  }
  provider.person = { ...provider.person, email_verified: true }
  assert.equal(await signInBy(provider, visitor), '/app')
  assert.equal((await visitor.session())?.userId, userId)
})

test('lets the policy decide who may make an account by the provider', async (t) => {
  const { bed, provider } = await openWithProvider(t, { signUp: 'invited' })
  const refused = new URL(await signInBy(provider, bed.visitor()), HOME)
  assert.equal(refused.searchParams.get('error'), 'SIGN_UP_REFUSED')
  assert.match(refused.searchParams.get('error_description') ?? '', /people who were invited/)
  const by = { name: 'command line' }
  const { id: organizationId } = await bed.store.organizations.create('Acme', by)
  const terms = { organizationId, role: 'member', expiresAtMs: Date.now() + 60_000 } as const
  await bed.store.invitations.create({ ...terms, tokenHash: hashToken('the token') }, by)
  const ada = bed.visitor()
  assert.equal(await signInBy(provider, ada, { invitation: 'the token' }), '/app')
  assert.equal((await ada.session())?.email, 'ada@example.org')
  // Whoever has an account needs no invitation.
  assert.equal(await signInBy(provider, bed.visitor()), '/app')
})

test('takes a domain for proven only if the provider says so', async (t) => {
  const { bed, provider } = await openWithProvider(t, { signUp: 'domains', signUpDomains: ['example.org'] })
  provider.person = { ...provider.person, email_verified: false }
  assert.match(await signInBy(provider, bed.visitor()), /error=SIGN_UP_REFUSED/)
  provider.person = { sub: 'eve', email: 'eve@elsewhere.example', email_verified: true }
  assert.match(await signInBy(provider, bed.visitor()), /error=SIGN_UP_REFUSED/)
  provider.person = { sub: 'bob', email: 'bob@example.org', email_verified: true }
  const bob = bed.visitor()
  assert.equal(await signInBy(provider, bob), '/app')
  assert.equal((await bob.session())?.name, 'bob')
})

test('an operator of the configuration is one if the provider says that the address is theirs', async (t) => {
  const { bed, provider } = await openWithProvider(t, { operatorEmails: ['ada@example.org'] })
  const ada = bed.visitor()
  provider.person = { ...provider.person, email_verified: false }
  await signInBy(provider, ada)
  assert.equal((await ada.session())?.isOperator, false)
  provider.person = { sub: 'ada', email: 'ada@example.org', email_verified: true }
  await signInBy(provider, ada)
  assert.equal((await ada.session())?.isOperator, true)
})

test('runs without a provider that is away, says so, and finds it later', async (t) => {
  const { bed, provider } = await openWithProvider(t)
  const away = await SignInBed.open(t, {
    oidc: { issuer: 'http://127.0.0.1:9', ...CLIENT, name: 'Example' },
    store: bed.store,
  })
  const visitor = away.visitor()
  const begin = { provider: 'oidc', callbackURL: '/app' }
  const { status, body, headers } = await visitor.post('/sign-in/social', begin)
  assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'provider-unavailable', '5'])
  assert.equal((await visitor.signUp('bob@example.org')).status, 200)
  assert.deepEqual(
    away.events.map(({ level, message }) => [level, message]),
    [['warn', 'sign-in provider could not be found']],
  )
  assert.equal((await visitor.post('/sign-in/social', begin)).status, 503)
  assert.equal(away.events.length, 1)
  away.advance(5000)
  await visitor.post('/sign-in/social', begin)
  assert.equal(away.events.length, 2)
  assert.equal(await signInBy(provider, bed.visitor()), '/app')
})

test('leads nowhere but to our own pages', async (t) => {
  const { bed } = await openWithProvider(t)
  for (const callbackURL of ['https://evil.example/', '//evil.example/', 'javascript:alert(1)']) {
    const { status } = await bed.visitor().post('/sign-in/social', { provider: 'oidc', callbackURL })
    assert.equal(status, 403, callbackURL)
  }
  assert.equal((await bed.visitor().get('/callback/oidc?code=x&state=forged')).status, 302)
})
