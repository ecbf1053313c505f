import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../../../../src/lib/optional.ts'
import { FILTER_PARAMETERS } from '../../../../src/slot/filter-parameters.ts'
import { dayOf } from '../../components/visitor-time.ts'
import { ADVANCED_FILTERS } from './advanced-filters.ts'
import {
  activeFilters,
  dayParameters,
  dayWindow,
  FILTERS,
  formatExploreState,
  parseExploreState,
  refine,
  selectedDay,
  slotParameters,
} from './explore-state.ts'
import { exampleOf } from './filter-example.ts'
import { instantOfInput, localInput, startOfDay } from './local-time.ts'

const NOON = new Date(2026, 2, 2, 12).getTime()

test('round-trips query parameters, invalid filters included, and drops unknown ones', () => {
  const state = {
    state: 'Mass',
    isVirtual: 'true',
    serviceTypeCode: '57',
    limit: '500',
    slot: 'x',
    view: 'days',
    times: 'utc',
  }
  assert.deepEqual(formatExploreState(parseExploreState({ ...state, utm: 'x', city: '', status: null })), state)
})

test("offers every filter of the API, with the API's examples", () => {
  assert.deepEqual([...FILTERS].sort(), Object.keys(FILTER_PARAMETERS).sort())
  assert.deepEqual(FILTERS.slice(-ADVANCED_FILTERS.length), ADVANCED_FILTERS)
  assert.deepEqual([exampleOf('near'), exampleOf('radiusKm')], ['Any, or 42.36,-71.06', '25'])
})

test('removes the radius together with its point', () => {
  const state = { near: '42.36,-71.06', radiusKm: '5', specialty: 'Dermatology' }
  assert.deepEqual(activeFilters(state), ['near', 'specialty'])
  assert.deepEqual(refine(state, { near: undefined }), { near: undefined, specialty: 'Dermatology' })
  assert.deepEqual(refine(state, { near: '1,1' }), { ...state, near: '1,1' })
  // A radius alone is an error and can be removed.
  assert.deepEqual(activeFilters({ radiusKm: '5' }), ['radiusKm'])
})

test('leaves out default values and page state from a request', () => {
  const sent = slotParameters({ state: 'MA', limit: '25', offset: '0', slot: 'abc', view: 'days', times: 'mine' })
  assert.deepEqual(sent, { state: 'MA' })
})

test('goes to the first page and closes the slot when filters change', () => {
  assert.deepEqual(refine({ state: 'MA', offset: '50', slot: 'x', limit: '50' }, { city: 'Boston' }), {
    state: 'MA',
    limit: '50',
    city: 'Boston',
  })
})

test('recognizes a selected day, including today', () => {
  for (const day of ['2026-03-02', '2026-03-03', '2026-03-08']) {
    assert.equal(selectedDay(dayWindow(day, NOON), NOON), day)
  }
  assert.equal(selectedDay({ startBefore: instantOfInput('2026-03-05T10:00') }, NOON), undefined)
  assert.equal(selectedDay({}, NOON), undefined)
})

test('starts the day grid now unless the chosen time is outside of it', () => {
  const begin = (startAfter: string | undefined) => dayParameters(defined({ startAfter }), 'UTC', NOON).startAfter
  assert.equal(begin(undefined), undefined)
  assert.equal(begin(instantOfInput('2026-03-10T00:00')), undefined)
  assert.equal(begin(instantOfInput('2026-04-10T00:00')), instantOfInput('2026-04-10T00:00'))
  assert.equal(begin(instantOfInput('2026-02-10T00:00')), instantOfInput('2026-02-10T00:00'))
  assert.equal(begin('yesterday'), undefined)
})

test('round-trips a local time of a form', () => {
  assert.equal(localInput(instantOfInput('2026-07-01T09:30')), '2026-07-01T09:30')
  assert.equal(localInput('yesterday'), '')
  assert.equal(instantOfInput(''), undefined)
  assert.equal(dayOf(startOfDay('2026-03-08')), '2026-03-08')
})
