import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { pausesOf } from '../../test/support/pauses.ts'
import { Heap } from './heap.ts'
import { runAtOnce } from './steps.ts'

test('returns numbers in the order of a sorted list', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 200 }), (keys) => {
      const heap = runAtOnce(Heap.of(keys.keys(), (a, b) => keys[a] < keys[b]))
      const found: number[] = []
      for (let left = keys.length; left > 0; left--) {
        assert.equal(heap.length, left)
        const { first } = heap
        found.push(heap.pop())
        assert.equal(found.at(-1), first)
      }
      assert.equal(heap.length, 0)
      assert.deepEqual(
        found.map((number) => keys[number]),
        keys.toSorted((a, b) => a - b),
      )
      assert.deepEqual(
        found.toSorted((a, b) => a - b),
        [...keys.keys()],
      )
    }),
    { numRuns: casesOf(300) },
  )
})

test('keeps the order when the first value changes', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }), { maxLength: 20 }), (lists) => {
      const sorted = lists.map((list) => list.toSorted((a, b) => a - b))
      const heap = runAtOnce(Heap.of(sorted, (a, b) => a[0] < b[0]))
      const merged: number[] = []
      while (heap.length > 0) {
        merged.push(...heap.first.splice(0, 1))
        if (heap.first.length === 0) heap.pop()
        else heap.reorderFirst()
      }
      assert.deepEqual(
        merged,
        lists.flat().toSorted((a, b) => a - b),
      )
    }),
    { numRuns: casesOf(300) },
  )
})

test('pauses while many values are put in order', () => {
  assert.ok(pausesOf(Heap.of(new Uint32Array(10_000), () => false)).pauses >= 4)
})
