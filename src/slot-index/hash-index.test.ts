import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HashIndex } from './hash-index.ts'

test('finds the entries with a hash, in any number of chunks', () => {
  const index = new HashIndex()
  const entries = new Map<number, number[]>()
  // Rare, frequent, and the largest hashes.
  const hashes = [0, 1, 2 ** 31, 2 ** 32 - 1, ...Array.from({ length: 97 }, (_, n) => (n * 0x9e37_79b1) >>> 0)]
  for (let n = 0; n < 10_000; n++) {
    const hash = n % 5 === 0 ? 2 ** 32 - 1 : hashes[(n * n) % hashes.length]
    index.add(hash)
    entries.set(hash, [...(entries.get(hash) ?? []), n])
    if (n % 1000 === 0 || (n > 4090 && n < 4100))
      for (const each of hashes) assert.deepEqual(index.find(each), entries.get(each) ?? [])
  }
  assert.equal(index.length, 10_000)
  assert.deepEqual(index.find(3), [])
})
