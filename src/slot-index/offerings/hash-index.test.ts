import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashEntry, mergeHashes, offeringsByHash } from './hash-index.ts'

/** Some differ only in bits that the index leaves out. */
const hash = fc.oneof(fc.constantFrom(0, 1, 31, 32, 2 ** 31, 2 ** 32 - 1), fc.nat({ max: 2 ** 32 - 1 }))
const batch = fc.array(hash, { maxLength: 50 })

test('finds the offerings with a hash and those with the same first bits, in any number of merges', () => {
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 5 }), (batches) => {
      const hashes = batches.flat()
      let number = 0
      let index = mergeHashes(undefined, [])
      for (const batch of batches)
        index = mergeHashes(
          index,
          batch.map((each) => hashEntry(each, number++)),
        )
      for (const wanted of [...hashes, 5, 2 ** 32 - 1])
        assert.deepEqual(
          offeringsByHash(index, wanted),
          [...hashes.keys()].filter((n) => hashes[n] >>> 5 === wanted >>> 5),
        )
    }),
  )
})
