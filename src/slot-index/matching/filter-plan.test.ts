import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runAtOnce } from '../../lib/steps.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import type { Offering } from '../../slot/slot.ts'
import type { SlotFilters } from '../../slot/slot-filters.ts'
import { OfferingTable } from '../offerings/offering-table.ts'
import { numbersIn } from '../offerings/term-bitmaps.ts'
import { FilterPlanner } from './filter-plan.ts'

const OFFERING: Offering = {
  publisher: 'clinic',
  scheduleId: '1',
  isVirtual: false,
  serviceTypeCode: '57',
  location: { state: 'MA' },
}

/** Plans filters on offerings whose slots last so many minutes: the names of the terms, and the offerings that pass all tests. */
function planFor(durations: readonly number[], minutes: number, filters: Partial<SlotFilters> = {}) {
  const table = new OfferingTable()
  runAtOnce(table.put(table.pack(durations.map((each) => ({ offering: OFFERING, minutes: each })))))
  const asked = { status: 'free', minDurationMs: minutes * MINUTE_MS, ...filters } as const
  return runAtOnce(new FilterPlanner(table).plan(asked)).map(({ terms, tests }) => ({
    terms: terms.map((number) => table.terms.textOf(number)),
    passing: tests.map((bits) => [...numbersIn(bits)]),
  }))
}

test('a minimum that all slots last requires nothing', () => {
  for (const minutes of [1, 14, 15]) assert.deepEqual(planFor([15, 30, 60], minutes), [{ terms: [], passing: [] }])
})

test('a minimum that no slot lasts is known to match nothing', () => {
  for (const minutes of [61, 1440]) assert.deepEqual(planFor([15, 30, 60], minutes), [])
})

test('a minimum up to a step, from the duration before, is answered by one posting list', () => {
  for (const minutes of [16, 29, 30])
    assert.deepEqual(planFor([15, 30, 60], minutes), [{ terms: ['D30'], passing: [] }])
  for (const minutes of [31, 60]) assert.deepEqual(planFor([15, 30, 60], minutes), [{ terms: ['D60'], passing: [] }])
  assert.deepEqual(planFor([15, 45], 20), [{ terms: ['D45'], passing: [] }])
  for (const minutes of [11, 15]) assert.deepEqual(planFor([10, 15, 20], minutes), [{ terms: ['D15'], passing: [] }])
})

test('a minimum and a state are answered by one posting list', () => {
  const [{ terms, passing }] = planFor([15, 30], 20, { states: ['MA'] })
  assert.deepEqual([terms, passing], [['SMA D30'], []])
  // Not paired with states: its offerings are all of this one, and are fewer.
  assert.deepEqual(planFor([10, 15], 15, { states: ['MA'] }), [{ terms: ['D15'], passing: [] }])
  assert.deepEqual(planFor([10, 15], 15, { states: ['MA'], serviceTypeCodes: ['57'] })[0].terms, ['D15'])
})

test('offerings are tested if shorter ones are in the posting list of the step, or none is short enough', () => {
  assert.deepEqual(planFor([15, 30, 40], 35), [{ terms: ['D30'], passing: [[2]] }])
  assert.deepEqual(planFor([5, 10, 30, 40], 10), [{ terms: [], passing: [[1, 2, 3]] }])
  assert.deepEqual(planFor([5, 10, 30], 10, { states: ['MA'] }), [{ terms: ['SMA'], passing: [[1, 2]] }])
})

test('a circle is left out if all offerings of a term are in it, and matches nothing if none is', () => {
  const at = (city: string, latitude: number) => ({ ...OFFERING, location: { city, latitude, longitude: -71 } })
  const table = new OfferingTable()
  const offerings = [at('Boston', 42), at('Boston', 42.1), at('Salem', 42.1), at('Salem', 45), at('Lynn', 45)]
  runAtOnce(table.put(table.pack(offerings.map((offering) => ({ offering, minutes: 30 })))))
  const near = { latitude: 42, longitude: -71, radiusKm: 25 }
  const planFor = (city?: string) =>
    runAtOnce(new FilterPlanner(table).plan({ status: 'free', near, ...(city !== undefined && { city }) }))
  const hasCircle = (city?: string) => planFor(city).map(({ circle }) => circle !== undefined)
  assert.deepEqual(
    [hasCircle('Boston'), hasCircle('Salem'), hasCircle('Lynn'), hasCircle()],
    [[false], [true], [], [true]],
  )
})
