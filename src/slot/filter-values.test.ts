import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { OFFERINGS, query } from '../../test/support/slot-index/index-samples.ts'
import { matches } from '../../test/support/slot-index/naive-index.ts'
import { filterValuesOf, matcherOf } from './filter-values.ts'
import type { Slot } from './slot.ts'
import { parseSlotQuery } from './slot-query.ts'

/** A slot that matches every filter on slot fields. */
const OWN = { id: '0'.repeat(24), status: 'free', start: '', end: '', startMs: 0, endMs: 0 } as const

test('matches an offering if and only if all filter values for offerings match', () => {
  const property = fc.property(query, fc.constantFrom(...OFFERINGS), (asked, offering) => {
    const { startAfterMs: _, startBeforeMs: __, minDurationMs: ___, ...filters } = { ...asked, status: 'free' as const }
    const matcher = matcherOf(filters)
    const slot: Slot = { ...OWN, offering }
    assert.equal(matcher?.(filterValuesOf(offering)) ?? true, matches(slot, filters, -1))
  })
  fc.assert(property, { numRuns: casesOf(5000) })
})

test('finds a city however its accents are encoded, and without them', () => {
  for (const city of ['Mayag\u00fcez', 'Mayagu\u0308ez', 'MAYAG\u00dcEZ', 'Mayaguez']) {
    const values = filterValuesOf({ publisher: 'p', scheduleId: 's', isVirtual: false, location: { city } })
    for (const asked of ['Mayag\u00fcez', 'mayagu\u0308ez', 'Mayaguez'])
      assert.equal(matcherOf({ status: 'free', city: asked })?.(values), true, `${city} ${asked}`)
    assert.equal(matcherOf({ status: 'free', city: 'Mayagoez' })?.(values), false)
  }
})

test('finds a city however many spaces are between its words', () => {
  const values = filterValuesOf({ publisher: 'p', scheduleId: 's', isVirtual: false, location: { city: 'New  York' } })
  for (const city of ['New York', 'new  york', ' New   York '])
    assert.equal(matcherOf({ status: 'free', city })?.(values), true, city)
  assert.equal(matcherOf({ status: 'free', city: 'NewYork' })?.(values), false)
})

test('finds a postal code with and without spaces and hyphens, in any case', () => {
  for (const [postalCode, asked] of [
    ['K1A 0B1', ['K1A0B1', 'k1a 0b', 'K1A-0', 'k1a0']],
    ['k1a0b1', ['K1A 0B1', 'K1A 0']],
    ['02114-1234', ['02114', '021141234', '02114-1']],
  ] as const) {
    const values = filterValuesOf({ publisher: 'p', scheduleId: 's', isVirtual: false, location: { postalCode } })
    const isFound = (text: string) =>
      matcherOf(parseSlotQuery(`${new URLSearchParams({ postalCode: text })}`))?.(values)
    for (const text of asked) assert.equal(isFound(text), true, `${postalCode} ${text}`)
    for (const text of ['K1B', '1A', '-', ' ']) assert.equal(isFound(text), false, `${postalCode} ${text}`)
  }
})

test('matches every offering without filters', () => {
  assert.equal(matcherOf({ status: 'busy', startAfterMs: 1, minDurationMs: 5 }), undefined)
})
