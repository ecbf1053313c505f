import assert from 'node:assert/strict'
import { createSecretKey, generateKeyPairSync } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { HOME, type IdentityProvider, openWithProvider, signInBy } from '../../test/support/auth/identity-provider.ts'
import type { SignInHarness } from '../../test/support/auth/sign-in-harness.ts'

test('the provider ends the sessions that single sign-on has begun, and no others', async (t) => {
  const { harness, provider, ada } = await openSignedIn(t)
  const withPassword = await visitorWithoutProvider({ harness, provider })
  const eve = await harness.person('eve@example.org')
  assert.equal(await logOut(harness, await provider.logoutToken({ sub: 'somebody else' })), 200)
  assert.notEqual(await ada.session(), undefined)
  assert.equal(await logOut(harness, await provider.logoutToken({ sub: 'ada' })), 200)
  assert.equal(await ada.session(), undefined)
  assert.notEqual(await withPassword.session(), undefined)
  assert.notEqual(await eve.session(), undefined)
  const [entry] = await harness.store.audit.list({ organizationId: null, limit: 1, kind: 'account.sessions-ended' })
  assert.equal(entry.actor.name, 'single sign-on')
})

test('a token with sid ends the session of that sign-in only', async (t) => {
  const { harness, provider, ada } = await openSignedIn(t)
  const other = harness.visitor()
  await signInBy(provider, other)
  const [first] = await providerSessions(harness)
  assert.ok(first.length > 10, first)
  assert.equal(await logOut(harness, await provider.logoutToken({ sid: first })), 200)
  const open = [await ada.session(), await other.session()].filter((session) => session !== undefined)
  assert.equal(open.length, 1)
})

test('a token works once', async (t) => {
  const { harness, provider } = await openSignedIn(t)
  const token = await provider.logoutToken({ sub: 'ada' })
  assert.equal(await logOut(harness, token), 200)
  const again = harness.visitor()
  await signInBy(provider, again)
  assert.equal(await logOut(harness, token), 400)
  assert.notEqual(await again.session(), undefined)
})

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const NOW = Math.floor(Date.now() / 1000)

for (const [what, claims] of Object.entries({
  'of another issuer': { iss: 'https://evil.example' },
  'for another client': { aud: 'another' },
  'without iat': { iat: undefined },
  'that is an hour old': { iat: NOW - 3600, exp: undefined },
  'that has expired': { exp: NOW - 120 },
  'without jti': { jti: undefined },
  'without events': { events: undefined },
  'with another event': { events: { 'https://example.org/event': {} } },
  'with an event that is no object': { events: { [EVENT]: 'yes' } },
  'with a nonce, as ID tokens have': { nonce: 'n' },
  'without sub and sid': { sub: undefined },
  'with a sub that is no text': { sub: 1 },
})) {
  test(`refuses a token ${what}`, async (t) => {
    const { harness, provider, ada } = await openSignedIn(t)
    assert.equal(await logOut(harness, await provider.logoutToken({ sub: 'ada', ...claims })), 400)
    assert.notEqual(await ada.session(), undefined)
  })
}

test('refuses signatures by other keys, by a secret, and none at all', async (t) => {
  const { harness, provider, ada } = await openSignedIn(t)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const secret = createSecretKey(Buffer.from('a secret of the client, which is long enough'))
  const good = await provider.logoutToken({ sub: 'ada' })
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${good.split('.')[1]}.`
  for (const token of [
    await provider.logoutToken({ sub: 'ada' }, { key: privateKey }),
    await provider.logoutToken({ sub: 'ada' }, { key: secret, alg: 'HS256' }),
    unsigned,
    `${good.slice(0, -4)}AAAA`,
    '',
  ]) {
    assert.equal(await logOut(harness, token), 400)
  }
  assert.notEqual(await ada.session(), undefined)
})

test('limits failed attempts by network address', async (t) => {
  const { harness } = await openSignedIn(t)
  const statuses: number[] = []
  for (let n = 0; n < 22; n++) statuses.push(await logOut(harness, 'x'))
  assert.deepEqual([statuses[0], statuses.at(-1)], [400, 429])
})

async function openSignedIn(t: TestContext) {
  const { harness, provider } = await openWithProvider(t)
  const ada = harness.visitor()
  await signInBy(provider, ada)
  return { harness, provider, ada }
}

async function logOut(harness: SignInHarness, token: string): Promise<number> {
  const body = new URLSearchParams({ logout_token: token })
  const request = new Request(`${HOME}/api/auth/oidc/backchannel-logout`, { method: 'POST', body })
  const response = await harness.signIn.handle(request)
  assert.equal(response.headers.get('cache-control') ?? 'no-store', 'no-store')
  return response.status
}

async function providerSessions(harness: SignInHarness): Promise<string[]> {
  const rows = await harness.store.signIn.queries.selectFrom('sessions').select('providerSession').execute()
  return rows.map(({ providerSession }) => String(providerSession))
}

/** Another browser of the person, whose session began in another way. */
async function visitorWithoutProvider({ harness, provider }: { harness: SignInHarness; provider: IdentityProvider }) {
  const visitor = harness.visitor()
  const before = await providerSessions(harness)
  await signInBy(provider, visitor)
  await harness.store.signIn.queries
    .updateTable('sessions')
    .set({ providerSession: null })
    .where('providerSession', 'not in', before)
    .execute()
  return visitor
}
