import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { fillIndex } from '../../../test/support/fill-index.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { HOUR_MS } from '../../lib/time.ts'
import { slotId } from '../../slot/ids.ts'
import { InvalidParameter } from '../../slot/query-parameter.ts'
import { type Offering, SLOT_STATUSES, type Slot } from '../../slot/slot.ts'
import { SlotIndex } from '../../slot-index/slot-index.ts'
import { countSlotsByDay } from './explore.ts'

const NOW_MS = Date.parse('2026-03-07T12:00:00Z')

interface Sample {
  readonly startHours: number
  readonly hours: number
  readonly offering: Offering
  readonly status: Slot['status']
}

const OFFERINGS: readonly Offering[] = [
  { publisher: 'p', scheduleId: 'a', isVirtual: false, location: { state: 'MA', city: 'Boston' } },
  {
    publisher: 'p',
    scheduleId: 'b',
    isVirtual: true,
    modalities: ['in-person', 'virtual'],
    location: { state: 'MA' },
    serviceStates: ['CA', 'NY'],
  },
  { publisher: 'q', scheduleId: 'c', isVirtual: true, serviceStates: ['CA'] },
  { publisher: 'q', scheduleId: 'd', isVirtual: false, location: { city: 'boston' } },
]

const SAMPLES = fc.array(
  fc.record({
    startHours: fc.integer({ min: -40, max: 500 }),
    hours: fc.constantFrom(0, 1, 30),
    offering: fc.constantFrom(...OFFERINGS),
    status: fc.constantFrom(...SLOT_STATUSES),
  }),
  { maxLength: 60 },
)

const SEARCHES = fc.constantFrom(
  '',
  'zone=America%2FNew_York',
  'zone=Asia/Kolkata&state=ma',
  'isVirtual=true&zone=Pacific/Auckland',
  'isVirtual=false&city=BOSTON',
  'status=busy&publisher=q',
  'startAfter=2026-03-06T01:30:00Z&zone=America/New_York',
  'startAfter=2026-03-06T01:30:00Z&startBefore=2026-03-09T05:00:00Z&zone=America/New_York',
  'startBefore=2026-03-08T00:00:00Z',
  'startAfter=2026-03-10T00:00:00Z&startBefore=2026-03-09T00:00:00Z',
)

const daysOf = (search: string, index: SlotIndex) => runAtOnce(countSlotsByDay(search, index, () => NOW_MS))

test('counts the same as a scan of all slots for any filters, bounds and zone', () => {
  fc.assert(
    fc.property(SAMPLES, SEARCHES, (samples, search) => {
      const slots = samples.map(slotOf)
      const index = new SlotIndex()
      fillIndex(index, slots, { nowMs: NOW_MS })
      assert.deepEqual(daysOf(search, index), naiveDays(search, slots))
    }),
    { numRuns: casesOf(300) },
  )
})

test('returns the fifteen states with the most slots, or all', () => {
  const states = Array.from({ length: 20 }, (_, n) => `A${String.fromCharCode(65 + n)}`)
  const slots = states.flatMap((state, n) => {
    const offering = { publisher: 'p', scheduleId: state, isVirtual: false, location: { state } }
    return Array.from({ length: n + 1 }, (_, hour) =>
      slotOf({ startHours: hour, hours: 1, offering, status: 'free' }, hour),
    )
  })
  const index = new SlotIndex()
  fillIndex(index, slots, { nowMs: NOW_MS })
  const counted = daysOf('', index)
  assert.deepEqual(
    counted.states.map(({ state }) => state),
    states.toReversed().slice(0, 15),
  )
  assert.equal(counted.stateCount, 20)
  const all = daysOf('states=all', index).states.map(({ state }) => state)
  assert.deepEqual(all, states.toReversed())
  assert.equal(counted.total, slots.length)
})

test('ends a day at the next local midnight, including days with clock changes', () => {
  const index = new SlotIndex()
  const offering = OFFERINGS[0]
  // New York lost an hour on 8 March 2026: its 8th begins at 05:00 and its 9th at 04:00, by UTC.
  const hours = [16.99, 17, 39.99, 40]
  fillIndex(
    index,
    hours.map((startHours, n) => slotOf({ startHours, hours: 1, offering, status: 'free' }, n)),
    { nowMs: NOW_MS },
  )
  const { days, states } = daysOf('zone=America/New_York', index)
  assert.deepEqual(days.slice(0, 3), ['2026-03-07', '2026-03-08', '2026-03-09'])
  assert.equal(days.length, 14)
  assert.deepEqual(states[0].counts.slice(0, 3), [1, 2, 1])
})

test('ends with the year 9999, as RFC 3339 does', () => {
  const { days } = daysOf('startAfter=9999-12-30T12:00:00Z', new SlotIndex())
  assert.deepEqual(days, ['9999-12-30', '9999-12-31'])
})

test('rejects paging, unknown zones and every parameter that the list rejects', () => {
  const wrong: [string, string][] = [
    ['state=Massachusets', 'state'],
    ['colour=red', 'colour'],
    ['limit=5', 'limit'],
    ['offset=5', 'offset'],
    ['zone=', 'zone'],
    ['zone=Nowhere/Else', 'zone'],
    ['zone=UTC&zone=UTC', 'zone'],
    ['states=some', 'states'],
    ['states=all&states=all', 'states'],
  ]
  for (const [search, parameter] of wrong) {
    assert.throws(
      () => daysOf(search, new SlotIndex()),
      (error) => error instanceof InvalidParameter && error.parameter === parameter,
      search,
    )
  }
})

function slotOf({ startHours, hours, offering, status }: Sample, n: number): Slot {
  const startMs = NOW_MS + startHours * HOUR_MS
  const endMs = startMs + hours * HOUR_MS
  const times = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString(), startMs, endMs }
  return {
    id: slotId(offering.publisher, offering.scheduleId, String(n), { startMs, endMs }),
    status,
    ...times,
    offering,
  }
}

/** Reference implementation: the day of each slot in the calendar of the zone. */
function naiveDays(search: string, slots: readonly Slot[]) {
  const wanted = new URLSearchParams(search)
  const fromMs = wanted.has('startAfter') ? Date.parse(wanted.get('startAfter') ?? '') : undefined
  const toMs = wanted.has('startBefore') ? Date.parse(wanted.get('startBefore') ?? '') : Infinity
  const dayOf = (ms: number) => new Date(ms).toLocaleDateString('sv-SE', { timeZone: wanted.get('zone') ?? 'UTC' })
  const firstDay = dayOf(fromMs ?? NOW_MS)
  const days = Array.from({ length: 14 }, (_, n) =>
    new Date(Date.parse(firstDay) + n * 24 * HOUR_MS).toISOString().slice(0, 10),
  ).filter((day) => (fromMs ?? NOW_MS) <= toMs && day <= dayOf(Math.min(toMs, NOW_MS + 9e9)))
  const matching = slots.filter(
    ({ status, startMs, endMs, offering }) =>
      status === (wanted.get('status') ?? 'free') &&
      (fromMs === undefined ? endMs > NOW_MS : startMs >= fromMs) &&
      startMs <= toMs &&
      days.includes(dayOf(startMs)) &&
      (wanted.get('isVirtual') === null || isAttended(offering, wanted.get('isVirtual') === 'true')) &&
      (wanted.get('publisher') ?? offering.publisher) === offering.publisher &&
      (wanted.get('city')?.toLowerCase() ?? offering.location?.city?.toLowerCase()) ===
        offering.location?.city?.toLowerCase() &&
      (wanted.get('state') === null || statesOf(offering).includes(wanted.get('state')?.toUpperCase() ?? '')),
  )
  const named = wanted.get('state')?.toUpperCase()
  const states = [...new Set(matching.flatMap(({ offering }) => statesOf(offering)))]
    .filter((state) => named === undefined || state === named)
    .map((state) => ({
      state,
      counts: days.map(
        (day) =>
          matching.filter(({ startMs, offering }) => dayOf(startMs) === day && statesOf(offering).includes(state))
            .length,
      ),
    }))
  const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0)
  states.sort((a, b) => sum(b.counts) - sum(a.counts) || (a.state < b.state ? -1 : 1))
  return { days, states, stateCount: states.length, total: matching.length }
}

function statesOf({ location, serviceStates = [] }: Offering): string[] {
  const states = [...new Set([...serviceStates, ...(location?.state ? [location.state] : [])])]
  return states.length === 0 ? ['XX'] : states
}

function isAttended({ modalities, isVirtual }: Offering, virtually: boolean): boolean {
  return modalities === undefined ? isVirtual === virtually : modalities.includes(virtually ? 'virtual' : 'in-person')
}
