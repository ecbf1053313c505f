import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { BASE62, hasKeyForm } from './key-ring.ts'
import { formatBase62, mintKey } from './mint-key.ts'

const KNOWN = 'svc_sk_00000000000000000000000000000000000000000004G4pqx'
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bits) => mintKey(bits))
const placesInKey = fc.nat({ max: 55 })

test('accepts the form of every minted key', () => {
  fc.assert(fc.property(keys, (key) => hasKeyForm(key)))
})

test('rejects a key with one changed character', () => {
  const characters = fc.constantFrom(...BASE62, ' ', '_', '-', '+', '/', '=', '\u0000', '\u00e9', '\uff10')
  fc.assert(
    fc.property(keys, placesInKey, characters, (key, at, character) => {
      fc.pre(key.charAt(at) !== character)
      return !hasKeyForm(key.slice(0, at) + character + key.slice(at + 1))
    }),
    { numRuns: 2000 },
  )
})

test('rejects a key with two adjacent characters swapped', () => {
  fc.assert(
    fc.property(keys, fc.nat({ max: 54 }), (key, at) => {
      fc.pre(key.charAt(at) !== key.charAt(at + 1))
      return !hasKeyForm(key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2))
    }),
    { numRuns: 2000 },
  )
})

test('rejects a truncated key and text before or after a key', () => {
  fc.assert(fc.property(keys, placesInKey, (key, length) => !hasKeyForm(key.slice(0, length))))
  fc.assert(fc.property(keys, fc.string({ minLength: 1 }), (key, more) => !hasKeyForm(key + more)))
  fc.assert(fc.property(keys, fc.string({ minLength: 1 }), (key, more) => !hasKeyForm(more + key)))
})

test('rejects any other text', () => {
  fc.assert(fc.property(fc.string({ minLength: 56, maxLength: 56, unit: anyCharacter }), (text) => !hasKeyForm(text)))
  assert.equal(hasKeyForm(''), false)
  assert.equal(hasKeyForm('svc_sk_'.repeat(1_000_000)), false)
})

test('rejects a key in another letter case', () => {
  const key = mintKey()
  assert.equal(hasKeyForm(key.toUpperCase()), false)
  assert.equal(hasKeyForm(key.toLowerCase()), false)
})

test('still accepts a key minted by the first release', () => {
  assert.equal(mintKey(new Uint8Array(32)), KNOWN)
  assert.ok(hasKeyForm(KNOWN))
})

test('base62 has 62 distinct characters in ASCII order and keeps leading zeros', () => {
  assert.deepEqual([...BASE62], [...new Set(BASE62)].sort())
  assert.equal(BASE62.length, 62)
  assert.equal(formatBase62(0n, 6), '000000')
  assert.equal(formatBase62(61n, 2), '0z')
  assert.equal(formatBase62(62n, 2), '10')
  assert.equal(formatBase62(2n ** 256n - 1n, 43).length, 43)
})
