import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportJWK, generateKeyPair, jwtVerify } from 'jose'
import { guarded, SECRET, searcherOf } from '../../../test/support/feeds/guarded-server.ts'
import { START_MS } from '../../../test/support/feeds/searcher.ts'
import { FeedFailure } from '../connector.ts'

for (const [alg, kty] of [
  ['RS384', 'RSA'],
  ['ES384', 'EC'],
] as const) {
  test(`authenticates with a private key (${alg})`, async (t) => {
    const { server, posts } = await guarded(t)
    const pair = await generateKeyPair(alg, { extractable: true })
    const jwk = { ...(await exportJWK(pair.privateKey)), alg, kid: 'key-1' }
    const searcher = searcherOf(
      server,
      { kind: 'backend-services', clientId: 'us', privateKey: SECRET },
      JSON.stringify(jwk),
    )
    await searcher.read()
    assert.equal(searcher.draft.slots.length, 3)
    const { client_assertion: assertion, ...form } = Object.fromEntries(posts[0].form)
    assert.equal(posts[0].authorization, undefined)
    assert.deepEqual(form, {
      grant_type: 'client_credentials',
      scope: ['Slot', 'Schedule', 'Location', 'PractitionerRole', 'Practitioner', 'HealthcareService']
        .map((type) => `system/${type}.read`)
        .join(' '),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    })
    const { payload, protectedHeader } = await jwtVerify(assertion, pair.publicKey, {
      issuer: 'us',
      subject: 'us',
      audience: `${server.origin}/token`,
      currentDate: new Date(START_MS),
    })
    assert.deepEqual(protectedHeader, { alg, kid: 'key-1', typ: 'JWT' })
    assert.ok((payload.exp ?? 0) - START_MS / 1000 <= 300)
    assert.match(payload.jti ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(jwk.kty, kty)
  })
}

test('reports what is missing in a private key without repeating its contents', async (t) => {
  const { server, posts } = await guarded(t)
  const { privateKey, publicKey } = await generateKeyPair('ES384', { extractable: true })
  const [jwk, open] = [await exportJWK(privateKey), await exportJWK(publicKey)]
  const named = { alg: 'ES384', kid: 'k' }
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    ['-----BEGIN PRIVATE KEY-----', /it must be a JSON Web Key as JSON$/],
    [jwk, /"alg" must be/],
    [{ ...jwk, alg: 'HS256', kid: 'k' }, /"alg" must be/],
    [{ ...jwk, alg: 'ES384' }, /"kid" is missing/],
    [{ ...open, ...named }, /"d" is missing/],
    [{ ...jwk, ...named, alg: 'RS384' }, /it must be a usable key for RS384$/],
    [{ ...jwk, ...named, d: 'AAAA' }, /it must be a usable key for ES384$/],
  ]
  for (const [key, reason] of wrong) {
    const text = typeof key === 'string' ? key : JSON.stringify(key)
    const searcher = searcherOf(server, { kind: 'backend-services', clientId: 'us', privateKey: SECRET }, text)
    await assert.rejects(searcher.read(), (error) => {
      assert.ok(error instanceof FeedFailure)
      assert.match(error.message, reason)
      assert.ok(!error.message.includes(String(jwk.d)) && !error.message.includes('BEGIN'))
      return true
    })
  }
  assert.equal(posts.length, 0)
})
