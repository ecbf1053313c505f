import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOME, type IdentityProvider, openWithProvider } from '../../test/support/auth/identity-provider.ts'
import type { Visitor } from '../../test/support/auth/sign-in-harness.ts'
import { MINUTE_MS } from '../lib/time.ts'

test('a sign-in by the provider confirms if the person signed in there within 15 minutes', async (t) => {
  const { provider, ada, confirms } = await open(t)
  provider.authTime = secondsAgo(14)
  await signIn(provider, ada)
  assert.equal(await confirms(), true)
  provider.authTime = secondsAgo(16)
  await signIn(provider, ada)
  assert.equal(await confirms(), false, 'the provider recognized the person by a cookie')
  provider.authTime = undefined
  await signIn(provider, ada, { again: true })
  assert.equal(await confirms(), true)
})

test('asks the provider to authenticate the person again for a confirmation, and else when it did', async (t) => {
  const { ada } = await open(t)
  const parametersOf = async (fields: object) => new URL(await urlOf(ada, fields)).searchParams
  const [first, again] = [await parametersOf({}), await parametersOf({ again: true })]
  assert.deepEqual([first.get('prompt'), first.get('max_age')], [null, '7776000'])
  assert.deepEqual([again.get('prompt'), again.get('max_age')], ['login', '7776000'])
})

test('stores little of a stranger who only begins to sign in', async (t) => {
  const { harness } = await openWithProvider(t)
  const stranger = harness.visitor()
  const long = 'x'.repeat(60_000)
  const request = { provider: 'oidc', callbackURL: '/app' }
  const additionalData = { invitation: long, more: long, [long]: 1 }
  assert.equal((await stranger.post('/sign-in/social', { ...request, additionalData })).status, 200)
  for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL'])
    assert.equal((await stranger.post('/sign-in/social', { ...request, [name]: `/app?${long}` })).status, 400, name)
  const rows = await harness.store.signIn.queries.selectFrom('verifications').selectAll().execute()
  assert.equal(rows.length, 1)
  assert.ok(JSON.stringify(rows).length < 3000, JSON.stringify(rows))
})

test('a provider that announces auth_time confirms no sign-in without it', async (t) => {
  const { provider, ada, confirms } = await open(t)
  await signIn(provider, ada, { again: true }, silently)
  assert.equal(await confirms(), false, 'the browser has removed max_age and the prompt')
  await signIn(provider, ada, { again: true })
  assert.equal(await confirms(), true)
})

test('a provider that does not announce auth_time confirms only a sign-in for a confirmation', async (t) => {
  const { provider, ada, confirms } = await open(t)
  provider.announcesAuthTime = false
  await signIn(provider, ada, {}, silently)
  assert.equal(await confirms(), false)
  await signIn(provider, ada, { additionalData: { again: true } }, silently)
  assert.equal(await confirms(), false, 'the browser cannot claim it')
  await signIn(provider, ada, { again: true }, silently)
  assert.equal(await confirms(), true)
})

test('a person with only single sign-on has no password to confirm with', async (t) => {
  const { harness, provider, ada } = await open(t)
  await signIn(provider, ada)
  harness.advance(15 * MINUTE_MS)
  for (const password of ['', 'undefined', 'null'])
    assert.equal((await ada.post('/confirm-password', { password })).status, 400)
  assert.equal((await ada.post('/revoke-other-sessions')).body.code, 'confirmation-required')
})

async function open(t: TestContext) {
  const { harness, provider } = await openWithProvider(t, { passwordSignIn: true })
  const ada = harness.visitor()
  const confirms = async () => (await ada.post('/revoke-other-sessions')).status === 200
  return { harness, provider, ada, confirms }
}

async function urlOf(visitor: Visitor, fields: object): Promise<string> {
  const pages = { callbackURL: '/app', errorCallbackURL: '/app/sign-in' }
  return (await visitor.post('/sign-in/social', { provider: 'oidc', ...pages, ...fields })).body.url
}

async function signIn(
  provider: IdentityProvider,
  visitor: Visitor,
  fields: object = {},
  change: (url: string) => string = (url) => url,
): Promise<void> {
  const back = await provider.visit(change(await urlOf(visitor, fields)), HOME)
  const { headers } = await visitor.get(back.slice(`${HOME}/api/auth`.length))
  assert.equal(headers.get('location'), '/app')
}

/** The provider then recognizes the person by a cookie, and sends no `auth_time`. */
function silently(url: string): string {
  return url.replace(/&max_age=\d+/, '').replace('&prompt=login', '')
}

function secondsAgo(minutes: number): number {
  return Math.floor((Date.now() - minutes * MINUTE_MS) / 1000)
}
