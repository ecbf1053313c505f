import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMsOf } from '../../test/support/cpu-time.ts'
import { redact } from './redact.ts'

const KEY = `svc_sk_${'a1B2'.repeat(12)}`

test('redacts API keys, also percent-encoded ones', () => {
  const encoded = KEY.replaceAll('_', '%5F')
  const whole = [...KEY].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('')
  const twice = encoded.replaceAll('%', '%25')
  for (const form of [KEY, encoded, encoded.toLowerCase(), whole, twice, KEY.slice(0, 8)]) {
    assert.equal(redact(`/v1?publisher=${form}&limit=1`), '/v1?publisher=svc_sk_[redacted]&limit=1', form)
  }
})

test('redacts every key of a text and leaves other text as it is', () => {
  assert.equal(redact(`${KEY}/${KEY}`), 'svc_sk_[redacted]/svc_sk_[redacted]')
  for (const text of ['svc_sk', 'svc_sk_', 'svc_pk_abc', '%5F%6b', '']) assert.equal(redact(text), text)
})

test('redacts passwords in URLs, also percent-encoded ones', () => {
  for (const password of ['secret', 'p@ss/word:1', 'a b&c'].map(encodeURIComponent)) {
    const url = `https://ada:${password}@feeds.example/manifest`
    const once = encodeURIComponent(url)
    for (const form of [url, once, once.toLowerCase(), encodeURIComponent(once)]) {
      const redacted = redact(`GET /x?url=${form}&limit=1`)
      assert.match(redacted, /^GET \/x\?url=https\S*ada:\[redacted\]@feeds\.example\S*manifest&limit=1$/i, form)
    }
  }
  assert.equal(redact('https:%2F%2Fada:secret@feeds.example%2F'), 'https:%2F%2Fada:[redacted]@feeds.example%2F')
  for (const url of ['https://feeds.example:8443/a@b', 'https://ada@feeds.example/', 'mailto:a@b.example']) {
    const encoded = encodeURIComponent(url)
    assert.deepEqual([redact(url), redact(encoded)], [url, encoded])
  }
})

test('redacts a text of 64 kB in a few milliseconds', async () => {
  for (const text of [
    'svc_sk%'.repeat(10_000),
    '%25'.repeat(22_000),
    'a://'.repeat(4_000),
    'a%3A%2F%2F'.repeat(6_000),
    'a%3A%2F%2Fb%3A'.repeat(4_000),
  ]) {
    const ms = await cpuMsOf(() => redact(text))
    assert.ok(ms < 1000, `${ms} ms`)
  }
})
