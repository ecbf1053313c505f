import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { OFFERINGS, query } from '../slot-index/index-samples.test-part.ts'
import { matches } from '../slot-index/naive-index.test-part.ts'
import type { Slot } from './slot.ts'
import { matcherOf, traitsOf } from './traits.ts'

/** A slot that meets whatever filters ask of a slot itself. */
const OWN = { id: '0'.repeat(24), status: 'free', start: '', end: '', startMs: 0, endMs: 0 } as const

test('matches an offering if and only if all filters do that ask something of it', () => {
  const property = fc.property(query, fc.constantFrom(...OFFERINGS), (asked, offering) => {
    const {
      startAfterMs: _,
      startBeforeMs: __,
      minDurationMs: ___,
      ...filters
    } = { ...asked, status: 'free' as const }
    const matcher = matcherOf(filters)
    const slot: Slot = { ...OWN, offering }
    assert.equal(matcher?.(traitsOf(offering)) ?? true, matches(slot, filters, -1))
  })
  fc.assert(property, { numRuns: 5000 })
})

test('asks nothing of an offering if no filter does', () => {
  assert.equal(matcherOf({ status: 'busy', startAfterMs: 1, minDurationMs: 5 }), undefined)
})
