import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BASE62, hashKey } from './key-ring.ts'
import { lastFourOf, mintApiKey, mintKey } from './mint-key.ts'

test('a key is svc_sk_ followed by 49 base62 characters', () => {
  assert.match(mintKey(), /^svc_sk_[0-9A-Za-z]{49}$/)
})

test('a key encodes all 256 bits, including leading zeros', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat({ max: 32 }), (bits, zeros) => {
      bits.fill(0, 0, zeros)
      let value = 0n
      for (const character of mintKey(bits).slice(7, 50)) value = value * 62n + BigInt(BASE62.indexOf(character))
      assert.equal(value.toString(16).padStart(64, '0'), Buffer.from(bits).toString('hex'))
    }),
  )
})

test('mints no two equal keys', () => {
  assert.equal(new Set(Array.from({ length: 1000 }, () => mintKey())).size, 1000)
})

test('a hash is the SHA-256 of the text', () => {
  // FIPS 180-2, appendix B.1.
  assert.equal(hashKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('the stored form has the hash and the last four characters, not the key', () => {
  const { secret, key } = mintApiKey({ organizationId: 'acme', name: 'web', expiresAtMs: 2000 }, 1000)
  assert.equal(key.hash, hashKey(secret))
  assert.equal(key.lastFour, secret.slice(-4))
  assert.equal(lastFourOf(secret), secret.slice(52))
  assert.deepEqual([key.organizationId, key.name, key.createdAtMs, key.expiresAtMs], ['acme', 'web', 1000, 2000])
  assert.ok(!JSON.stringify(key).includes(secret.slice(7, 50)))
})
