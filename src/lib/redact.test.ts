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

test('redacts a text of 64 kB in a few milliseconds', async () => {
  for (const text of ['svc_sk%'.repeat(10_000), '%25'.repeat(22_000), 'a://'.repeat(4_000)]) {
    const ms = await cpuMsOf(() => redact(text))
    assert.ok(ms < 1000, `${ms} ms`)
  }
})
