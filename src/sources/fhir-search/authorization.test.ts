import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { exportJWK, generateKeyPair, jwtVerify } from 'jose'
import { FeedFailure, type SourceAuthorization } from '../connector.ts'
import { RecordedDraft } from '../recorded-draft.test-double.ts'
import { fhirSearch } from './connector.ts'
import { FhirServer, outcome, sendJson } from './fhir-server.test-double.ts'
import { clinic, Searcher, START_MS, slot } from './searcher.test-double.ts'

const SECRET = '$' + '{SOURCE_CLINIC}'

/** A server that lets nobody in without the newest token, and its token endpoint. */
async function guarded(t: TestContext, lifeSeconds: unknown = 300) {
  const server = await FhirServer.open(clinic(3))
  t.after(() => server[Symbol.asyncDispose]())
  const state = {
    server,
    /** What was posted, with the header that came with it. */
    posts: [] as { form: URLSearchParams; authorization: string | undefined }[],
    valid: 0,
    answer: undefined as undefined | ((response: ServerResponse) => void),
  }
  server.intercept = (request, response) => {
    if (request.url === '/token') {
      void readText(request).then((text) => {
        state.posts.push({ form: new URLSearchParams(text), authorization: request.headers.authorization })
        if (state.answer !== undefined) return state.answer(response)
        const token = `token-${++state.valid}`
        sendJson(response, 200, { access_token: token, token_type: 'bearer', expires_in: lifeSeconds })
      })
      return true
    }
    if (request.headers.authorization === `Bearer token-${state.valid}`) return false
    return sendJson(response, 401, outcome('error', `who is ${request.headers.authorization}?`))
  }
  return state
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += piece
  return text
}

function searcherOf(
  server: FhirServer,
  authorization: Partial<SourceAuthorization> = {},
  secret = 'p&ss wörd',
): Searcher {
  const searcher = new Searcher(server.base)
  const tokenUrl = `${server.origin}/token`
  const given = {
    kind: 'client-credentials',
    tokenUrl,
    clientId: 'us:er',
    clientSecret: SECRET,
    ...authorization,
  }
  searcher.options = { authorization: given as SourceAuthorization }
  searcher.secrets.SOURCE_CLINIC = secret
  return searcher
}

test('gets a token by client credentials, once for all pages and syncs until it ends', async (t) => {
  const { server, posts } = await guarded(t)
  server.abilities.pageMax = 1
  const searcher = searcherOf(server, { scope: 'system/Slot.read' })
  await searcher.read()
  server.resources.push(slot(7))
  searcher.nowMs += 269_000
  await searcher.read()
  assert.equal(searcher.draft.slots.length, 4)
  assert.equal(posts.length, 1)
  assert.deepEqual(Object.fromEntries(posts[0].form), {
    grant_type: 'client_credentials',
    scope: 'system/Slot.read',
  })
  // RFC 6749, 2.3.1: both are form-encoded first.
  const pair = Buffer.from((posts[0].authorization ?? '').replace('Basic ', ''), 'base64').toString()
  assert.equal(pair, 'us%3Aer:p%26ss+w%C3%B6rd')
  searcher.nowMs += 2000
  await searcher.read()
  assert.equal(posts.length, 2)
})

test('puts the pair into the form where a server wants it there', async (t) => {
  const state = await guarded(t)
  state.answer = (response) => {
    state.answer = undefined
    sendJson(response, 401, { error: 'invalid_client' })
  }
  const searcher = searcherOf(state.server)
  await searcher.read()
  assert.equal(searcher.draft.slots.length, 3)
  const [, second] = state.posts
  assert.equal(second.authorization, undefined)
  assert.deepEqual(Object.fromEntries(second.form), {
    grant_type: 'client_credentials',
    client_id: 'us:er',
    client_secret: 'p&ss wörd',
  })
})

test('gets one other token where one is refused before its end, and gives up when that is refused', async (t) => {
  const state = await guarded(t)
  const searcher = searcherOf(state.server)
  await searcher.read()
  state.valid++
  await searcher.read()
  assert.equal(state.posts.length, 2)
  const { intercept } = state.server
  state.server.intercept = (request, response) =>
    request.url === '/token'
      ? intercept(request, response)
      : sendJson(response, 401, outcome('error', `who is ${request.headers.authorization}?`))
  await assert.rejects(searcher.read(), (error) => {
    assert.ok(error instanceof FeedFailure)
    assert.match(error.message, /status must be 200: got "401" \(who is Bearer \[secret\]\?\)/)
    return true
  })
  assert.equal(state.posts.length, 3)
})

for (const [alg, kty] of [
  ['RS384', 'RSA'],
  ['ES384', 'EC'],
] as const) {
  test(`proves who it is with a private key (${alg})`, async (t) => {
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

test('says what a private key lacks, and nothing that it holds', async (t) => {
  const { server, posts } = await guarded(t)
  const { privateKey, publicKey } = await generateKeyPair('ES384', { extractable: true })
  const [jwk, open] = [await exportJWK(privateKey), await exportJWK(publicKey)]
  const named = { alg: 'ES384', kid: 'k' }
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    ['-----BEGIN PRIVATE KEY-----', /it must be a JSON Web Key as JSON$/],
    [jwk, /"alg" must be/],
    [{ ...jwk, alg: 'HS256', kid: 'k' }, /"alg" must be/],
    [{ ...jwk, alg: 'ES384' }, /"kid" must be there/],
    [{ ...open, ...named }, /"d" must be there/],
    [{ ...jwk, ...named, alg: 'RS384' }, /it must be a usable key for RS384$/],
    [{ ...jwk, ...named, d: 'AAAA' }, /it must be a usable key for ES384$/],
  ]
  for (const [key, reason] of wrong) {
    const text = typeof key === 'string' ? key : JSON.stringify(key)
    const searcher = searcherOf(
      server,
      { kind: 'backend-services', clientId: 'us', privateKey: SECRET },
      text,
    )
    await assert.rejects(searcher.read(), (error) => {
      assert.ok(error instanceof FeedFailure)
      assert.match(error.message, reason)
      assert.ok(!error.message.includes(String(jwk.d)) && !error.message.includes('BEGIN'))
      return true
    })
  }
  assert.equal(posts.length, 0)
})

test('says why there is no token, without the secret that was sent for it', async (t) => {
  const state = await guarded(t)
  const answers: readonly (readonly [(response: ServerResponse) => void, RegExp])[] = [
    [
      (response) =>
        sendJson(response, 400, { error: 'invalid_scope', error_description: 'not for p&ss wörd' }),
      /^Cannot get an access token of http.*\/token: status must be 200: got "400" \(invalid_scope: not for \[secret\]\)$/,
    ],
    [(response) => sendJson(response, 200, {}), /"access_token" must be a text: got "nothing"$/],
    [
      (response) => sendJson(response, 200, { access_token: 'a b' }),
      /"access_token" must be a text: got "another value"$/,
    ],
    [(response) => response.end('<html>'), /"access_token" must be a text/],
    [
      (response) => sendJson(response, 200, { access_token: 'a', token_type: 'mac' }),
      /"token_type" must be Bearer: got "mac"$/,
    ],
    [
      (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
      /status must be 200: got "302"/,
    ],
    [(response) => response.destroy(), /^Cannot read http.*\/token: /],
  ]
  for (const [answer, reason] of answers) {
    state.answer = answer
    await assert.rejects(searcherOf(state.server).read(), (error) => {
      assert.ok(error instanceof FeedFailure)
      assert.match(error.message, reason)
      return true
    })
  }
  state.answer = (response) => response.writeHead(429, { 'retry-after': '30' }).end()
  await assert.rejects(searcherOf(state.server).read(), { name: 'FeedFailure', retryAfterMs: 30_000 })
})

test('asks nobody where a secret is missing, and names it', async (t) => {
  const { server, posts } = await guarded(t)
  await assert.rejects(searcherOf(server, {}, '').read(), {
    name: 'FeedFailure',
    message: 'Cannot ask the publisher: SOURCE_CLINIC must be set in the environment of the service',
  })
  assert.deepEqual([posts.length, server.asked()], [0, []])
})

test('shows a token to its own server alone, also where a page leads elsewhere or repeats it', async (t) => {
  const { server } = await guarded(t)
  await using other = await FhirServer.open([])
  other.intercept = (_, response) =>
    sendJson(response, 200, {
      resourceType: 'Bundle',
      entry: [{ resource: { resourceType: 'Slot', note: 'token-1' } }],
    })
  const { intercept } = server
  server.intercept = (request, response) =>
    intercept(request, response) ||
    (request.url?.startsWith('/fhir/Slot') === true &&
      sendJson(response, 200, {
        resourceType: 'Bundle',
        link: [{ relation: 'next', url: `${other.base}/Slot` }],
      }))
  const searcher = searcherOf(server)
  await searcher.read()
  assert.deepEqual(other.asked(), ['/fhir/Slot 200'])
  assert.equal(other.heads[0].authorization, undefined)
  const [{ sample }] = searcher.draft.rejected
  assert.match(sample, /"note":"\[secret\]"/)
})

test('sends no secret over plain http, unless private sources are allowed', async () => {
  const connector = fhirSearch({ allowPrivate: false, secretOf: () => 'a-secret' })
  const authorization = {
    kind: 'client-credentials',
    tokenUrl: 'http://id.example/',
    clientId: 'us',
    clientSecret: SECRET,
  } as const
  for (const [url, options] of [
    ['https://clinic.example/', { authorization }],
    ['http://clinic.example/', { headers: { 'x-api-key': SECRET } }],
    ['http://clinic.example/', { query: { key: SECRET } }],
    [
      'http://clinic.example/',
      { authorization: { ...authorization, tokenUrl: 'http://clinic.example/token' } },
    ],
  ] as const) {
    const source = { slug: 'clinic', format: 'fhir-search', url, options, strict: false } as const
    const reading = connector.read(source, new RecordedDraft(), new AbortController().signal)
    await assert.rejects(reading, /protocol must be https where secrets are sent: got "http:"/)
  }
})

test('holds a token of unknown life for a while, and one of a short life for half of it', async (t) => {
  for (const [life, heldMs] of [
    [undefined, 270_000],
    ['20', 10_000],
  ] as const) {
    const { server, posts } = await guarded(t, life)
    const searcher = searcherOf(server)
    await searcher.read()
    const before = posts.length
    searcher.nowMs += heldMs - 1
    await searcher.read()
    assert.equal(posts.length, before, String(life))
    searcher.nowMs += 1
    await searcher.read()
    assert.equal(posts.length, before + 1, String(life))
  }
})
