import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { Heap } from './heap.ts'
import { runAtOnce } from './steps.ts'

test('returns numbers in the order of a sorted list', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 200 }), (keys) => {
      const numbers = Uint32Array.from(keys.keys())
      const heap = runAtOnce(Heap.of(numbers.slice(), (a, b) => keys[a] < keys[b]))
      const found: number[] = []
      for (let left = keys.length; left > 0; left--) {
        assert.equal(heap.length, left)
        found.push(heap.pop())
      }
      assert.equal(heap.length, 0)
      assert.deepEqual(
        found.map((number) => keys[number]),
        keys.toSorted((a, b) => a - b),
      )
      assert.deepEqual(Uint32Array.from(found).sort(), numbers)
    }),
    { numRuns: casesOf(300) },
  )
})

test('pauses while many numbers are put in order', () => {
  const steps = Heap.of(new Uint32Array(10_000), () => false)
  let pauses = 0
  while (steps.next().done !== true) pauses++
  assert.ok(pauses >= 4)
})
