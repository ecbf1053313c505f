import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { FhirServer, outcome, sendJson } from '../../../test/support/feeds/fhir-server.ts'
import { guarded, SECRET, searcherOf } from '../../../test/support/feeds/guarded-server.ts'
import { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import { slot } from '../../../test/support/feeds/searcher.ts'
import { FeedFailure } from '../connector.ts'
import { AccessToken } from '../http/access-token.ts'
import { Secrets } from '../http/secrets.ts'
import { fhirSearch } from './connector.ts'

test('requests a token by client credentials once and uses it until it expires', async (t) => {
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

test('requests a token with the headers of the source except Accept, and without its parameters', async (t) => {
  const { server, posts } = await guarded(t)
  const searcher = searcherOf(server, { tokenUrl: `${server.origin}/token?tenant=7` })
  searcher.options = {
    ...searcher.options,
    headers: { Accept: 'application/fhir+json', 'x-api-key': 'gateway' },
    query: { _format: 'json' },
  }
  await searcher.read()
  assert.equal(searcher.draft.slots.length, 3)
  const [{ url, headers }] = posts
  assert.equal(url, '/token?tenant=7')
  assert.equal(headers.accept, 'application/json')
  assert.equal(headers['x-api-key'], 'gateway')
  assert.ok(server.asked().every((line) => line.startsWith('/token') || line.includes('_format=json')))
})

test('requests another token when the request options change', async (t) => {
  const { server, posts } = await guarded(t)
  const searcher = searcherOf(server)
  await searcher.read()
  searcher.options = { ...searcher.options, headers: { 'x-client': 'harbor' } }
  await searcher.read()
  await searcher.read()
  assert.equal(posts.length, 2)
})

test('sends credentials in the form if the server rejects the header', async (t) => {
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

test('requests one new token if a valid one is rejected, and fails if that is rejected too', async (t) => {
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

test('explains a failed token request without the secret', async (t) => {
  const state = await guarded(t)
  const answers: readonly (readonly [(response: ServerResponse) => void, RegExp])[] = [
    [
      (response) => sendJson(response, 400, { error: 'invalid_scope', error_description: 'not for p&ss wörd' }),
      /^Cannot get an access token from http.*\/token: status must be 200: got "400" \(invalid_scope: not for \[secret\]\)$/,
    ],
    [(response) => sendJson(response, 200, {}), /the response must have a text "access_token"$/],
    [(response) => sendJson(response, 200, { access_token: 'a b' }), /the response must have a text "access_token"$/],
    [(response) => response.end('<html>'), /the response must have a text "access_token"/],
    [
      (response) => sendJson(response, 200, { access_token: 'a', token_type: 'mac' }),
      /"token_type" must be Bearer: got "mac"$/,
    ],
    [(response) => response.writeHead(302, { location: '/elsewhere' }).end(), /status must be 200: got "302"/],
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

test('names a missing secret without sending a request', async (t) => {
  const { server, posts } = await guarded(t)
  await assert.rejects(searcherOf(server, {}, '').read(), {
    name: 'FeedFailure',
    message: 'Cannot read the feed: SOURCE_CLINIC must be set in the environment of the service',
  })
  assert.deepEqual([posts.length, server.asked()], [0, []])
})

test('sends a token only to its own server, also when a page links elsewhere or repeats it', async (t) => {
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
  assert.match(searcher.draft.rejected[0].sample, /"note":"\[secret\]"/)
  await searcher.read()
  assert.match(searcher.draft.rejected[0].sample, /"note":"\[secret\]"/)
})

test('sends no secret over plain http, unless private sources are allowed', async () => {
  const connector = fhirSearch({ allowPrivate: false, sourceSecrets: { SOURCE_CLINIC: 'a-secret' } })
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
    ['http://clinic.example/', { authorization: { ...authorization, tokenUrl: 'http://clinic.example/token' } }],
  ] as const) {
    const source = { slug: 'clinic', format: 'fhir-search', url, options, strict: false } as const
    const reading = connector.read(source, new RecordedDraft(), new AbortController().signal)
    await assert.rejects(reading, /the URL must use https because secrets are sent: got "http:"/)
  }
})

test('caches a token of unknown lifetime briefly, a short-lived one for half its lifetime, and none for over a day', async (t) => {
  for (const [life, heldMs] of [
    [undefined, 270_000],
    [null, 270_000],
    ['', 270_000],
    [' ', 270_000],
    [0, 270_000],
    [-1, 270_000],
    [[20], 270_000],
    ['soon', 270_000],
    ['20', 10_000],
    [20, 10_000],
    [86_400, 86_370_000],
    [86_401, 86_370_000],
    [1e300, 86_370_000],
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

test('removes only the rejected token from the cache', async () => {
  let asked = 0
  const client = {
    post: async () => ({ status: 200, text: JSON.stringify({ access_token: `token-${++asked}` }) }),
  }
  const authorization = {
    kind: 'client-credentials',
    tokenUrl: 'https://id.example/',
    clientId: 'us',
    clientSecret: 'x',
  } as const
  const secrets = new Secrets({})
  const token = new AccessToken({ authorization, secrets, cache: new Map(), name: 'clinic', now: () => 0 })
  assert.deepEqual(await Promise.all([token.header(client), token.header(client)]), [
    'Bearer token-1',
    'Bearer token-1',
  ])
  token.forget('Bearer token-0')
  assert.equal(await token.header(client), 'Bearer token-1')
  token.forget('Bearer token-1')
  assert.equal(await token.header(client), 'Bearer token-2')
})

test('removes parameters that a server repeats in its links', async () => {
  await using server = await FhirServer.open([slot(1), slot(2, { status: 'wrong' })])
  server.abilities.pageMax = 1
  const searcher = searcherOf(server)
  searcher.options = { query: { key: SECRET } }
  searcher.secrets.SOURCE_CLINIC = 'k3y+value'
  await searcher.read()
  assert.ok(server.asked().every((line) => /[?&]key=k3y%?/.test(line)))
  for (const { file } of searcher.draft.rejected) assert.ok(!/key|secret/.test(file), file)
})
