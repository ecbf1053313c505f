import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PublisherOrigin, requestOptionsOf } from './request-options.ts'
import { Secrets } from './secrets.ts'

const START = new URL('https://publisher.example/feed')
const OTHERS = ['https://other.example/', 'http://publisher.example/', 'https://publisher.example:8443/']

const asked = (own: PublisherOrigin, url: string) => own.requestUrl(new URL(url)).href
const plain = (own: PublisherOrigin, url: string) => own.plainUrl(new URL(url)).href

test('adds headers and parameters only for its own origin', () => {
  const own = new PublisherOrigin(START, { headers: { 'x-api-key': 'k' }, query: { key: 'a b&c' } })
  assert.deepEqual(own.headersFor(START), { 'x-api-key': 'k' })
  assert.equal(asked(own, START.href), 'https://publisher.example/feed?key=a+b%26c')
  for (const other of OTHERS) {
    assert.deepEqual(own.headersFor(new URL(other)), {})
    assert.equal(asked(own, other), other)
  }
})

test('keeps the query of a URL unchanged', () => {
  const own = new PublisherOrigin(START, { query: { key: 'k' } })
  const written = 'https://publisher.example/%24bulk-publish?a=1%2c2&b=x%20y'
  assert.equal(asked(own, written), `${written}&key=k`)
  assert.equal(asked(own, 'https://publisher.example/?key=other'), 'https://publisher.example/?key=other')
})

test('removes only its own parameters from a URL', () => {
  const own = new PublisherOrigin(START, { query: { key: 'a b' } })
  assert.equal(plain(own, 'https://publisher.example/?a=1%2c&key=a%20b&b=2'), 'https://publisher.example/?a=1%2c&b=2')
  assert.equal(plain(own, 'https://other.example/?key=a+b'), 'https://other.example/')
  assert.equal(plain(own, 'https://publisher.example/?key=c'), 'https://publisher.example/?key=c')
  assert.equal(plain(own, 'https://me:pass@publisher.example/'), 'https://publisher.example/')
})

test('detects URLs that would expose secrets', () => {
  const own = new PublisherOrigin(new URL('http://publisher.example/'), { isSecret: true })
  assert.equal(own.exposesSecrets(new URL('http://publisher.example/x')), true)
  assert.equal(own.exposesSecrets(new URL('http://other.example/x')), false)
  assert.equal(
    new PublisherOrigin(new URL('http://publisher.example/'), {}).exposesSecrets(new URL('http://publisher.example/')),
    false,
  )
})

test('replaces references in the options of a source', () => {
  const secrets = new Secrets({ SOURCE_KEY: 'k3y-value' })
  const key = '$' + '{SOURCE_KEY}'
  const options = { headers: { 'X-Api-Key': key }, query: { v: '2' } }
  assert.deepEqual(requestOptionsOf(options, secrets), {
    headers: { 'x-api-key': 'k3y-value' },
    query: { v: '2' },
    isSecret: true,
  })
  assert.deepEqual(requestOptionsOf({}, new Secrets({})), {
    headers: {},
    query: {},
    isSecret: false,
  })
})
