import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { placeFrom, placeIn, placeNear } from './sorted-lists.ts'

const ascending = fc
  .uniqueArray(fc.integer({ min: 0, max: 5000 }), { maxLength: 500 })
  .map((numbers) => Uint32Array.from(numbers).sort())

test('a search from any guess finds the place that a binary search finds', () => {
  fc.assert(
    fc.property(ascending, fc.nat(5001), fc.integer({ min: -10, max: 600 }), fc.nat(500), (values, value, guess, n) => {
      assert.equal(placeNear(values, { from: 0, to: values.length }, value, guess), placeFrom(values, value))
      const from = Math.min(n, values.length)
      const expected = from + placeFrom(values.subarray(from), value)
      assert.equal(placeNear(values, { from, to: values.length }, value, guess), expected)
      assert.equal(placeIn(values, value), values.indexOf(value))
    }),
  )
})
