import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeedOrigin, requestOptionsOf } from './request-options.ts'
import { Secrets } from './secrets.ts'

const START = new URL('https://publisher.example/feed')
const OTHERS = ['https://other.example/', 'http://publisher.example/', 'https://publisher.example:8443/']

const asked = (own: FeedOrigin, url: string) => own.requestUrl(new URL(url)).href
const plain = (own: FeedOrigin, url: string) => own.plainUrl(new URL(url)).href

test('gives headers and parameters to its own origin, and to no other', () => {
  const own = new FeedOrigin(START, { headers: { 'x-api-key': 'k' }, query: { key: 'a b&c' } })
  assert.deepEqual(own.headersFor(START), { 'x-api-key': 'k' })
  assert.equal(asked(own, START.href), 'https://publisher.example/feed?key=a+b%26c')
  for (const other of OTHERS) {
    assert.deepEqual(own.headersFor(new URL(other)), {})
    assert.equal(asked(own, other), other)
  }
})

test('leaves what the publisher wrote in a URL as it was written', () => {
  const own = new FeedOrigin(START, { query: { key: 'k' } })
  const written = 'https://publisher.example/%24bulk-publish?a=1%2c2&b=x%20y'
  assert.equal(asked(own, written), `${written}&key=k`)
  assert.equal(asked(own, 'https://publisher.example/?key=other'), 'https://publisher.example/?key=other')
})

test('takes its parameters out of a URL that repeats them, and nothing else', () => {
  const own = new FeedOrigin(START, { query: { key: 'a b' } })
  assert.equal(
    plain(own, 'https://publisher.example/?a=1%2c&key=a%20b&b=2'),
    'https://publisher.example/?a=1%2c&b=2',
  )
  assert.equal(plain(own, 'https://other.example/?key=a+b'), 'https://other.example/')
  assert.equal(plain(own, 'https://publisher.example/?key=c'), 'https://publisher.example/?key=c')
  assert.equal(plain(own, 'https://me:pass@publisher.example/'), 'https://publisher.example/')
})

test('knows which URLs would carry secrets in the clear', () => {
  const own = new FeedOrigin(new URL('http://publisher.example/'), { isSecret: true })
  assert.equal(own.exposesSecrets(new URL('http://publisher.example/x')), true)
  assert.equal(own.exposesSecrets(new URL('http://other.example/x')), false)
  assert.equal(
    new FeedOrigin(new URL('http://publisher.example/'), {}).exposesSecrets(
      new URL('http://publisher.example/'),
    ),
    false,
  )
})

test('fills in what the options of a source refer to', () => {
  const secrets = new Secrets((name) => (name === 'SOURCE_KEY' ? 'k3y-value' : undefined))
  const key = '$' + '{SOURCE_KEY}'
  const options = { headers: { 'X-Api-Key': key }, query: { v: '2' } }
  assert.deepEqual(requestOptionsOf(options, secrets), {
    headers: { 'x-api-key': 'k3y-value' },
    query: { v: '2' },
    isSecret: true,
  })
  assert.deepEqual(requestOptionsOf({}, new Secrets(() => undefined)), {
    headers: {},
    query: {},
    isSecret: false,
  })
})
