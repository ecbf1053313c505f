import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mostOf } from './facet-counts.ts'

const terms = fc
  .uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 300 })
  .chain((keys) => fc.tuple(...keys.map((key) => fc.nat(5).map((count) => ({ key, count })))))

test('returns the values with the most slots, then by key, and the slots of the others', () => {
  fc.assert(
    fc.property(terms, fc.nat(20), (all, max) => {
      const steps = mostOf(all, max)
      let step = steps.next()
      while (step.done !== true) step = steps.next()
      const sorted = all.toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
      const others = sorted.slice(max).reduce((sum, { count }) => sum + count, 0)
      assert.deepEqual(step.value, { most: sorted.slice(0, max), others })
    }),
  )
})

test('pauses while ten thousand values are sorted', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => ({ key: String(n), count: (n * 7919) % 101 }))
  const pauses = [...mostOf(many, 20)].length
  assert.ok(pauses >= 10_000 / 128, `${pauses} pauses`)
})
