import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeVlq, encodeVlq } from './base64-vlq.ts'

test('writes numbers as source maps do', () => {
  assert.equal(encodeVlq([0, 1, -1, 15, 16, -123]), 'ACDegB3H')
})

test('round-trips numbers of 30 bits', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -(2 ** 30 - 1), max: 2 ** 30 - 1 })), (numbers) => {
      assert.deepEqual(decodeVlq(encodeVlq(numbers)), numbers)
    }),
  )
})
