import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { buildIndex, fillIndex } from '../../../test/support/fill-index.ts'
import { ChangingIndex } from '../../../test/support/slot-index/changing-index.ts'
import { query, slotIn } from '../../../test/support/slot-index/index-samples.ts'
import { naiveActors, naiveFacets, naiveMatches } from '../../../test/support/slot-index/naive-counts.ts'
import { ReferenceIndex } from '../../../test/support/slot-index/reference-index.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { actorKeyOf } from '../../slot/ids.ts'
import { type Offering, SLOT_STATUSES, type Slot } from '../../slot/slot.ts'
import type { SlotEntry } from '../index-builder.ts'
import { matchRows } from '../matching/matched-rows.ts'
import { OpenRows } from '../matching/open-rows.ts'
import { SlotIndex } from '../slot-index.ts'
import { type Calendar, DAYS_MAX, VALUES_MAX } from './facet-counts.ts'
import { type ActorQuery, SlotCounts } from './slot-counts.ts'

/** Days of UTC, in the plainest way. */
const UTC = (ms: number) => ({
  date: new Date(ms).toISOString().slice(0, 10),
  endMs: (Math.floor(ms / DAY_MS) + 1) * DAY_MS,
})

const LOCATIONS: readonly Offering['location'][] = [
  { name: 'North', city: 'Boston', state: 'MA', latitude: 42.36, longitude: -71.06 },
  { name: 'South ☂', city: 'Salem', state: 'MA', latitude: 42.52, longitude: -70.9 },
  { name: 'West', state: 'CA', latitude: 42.36, longitude: -71.07 },
  undefined,
]

const MODALITIES = [['in-person'], ['virtual'], ['in-person', 'virtual'], undefined] as const
const PROVIDERS = [
  { name: 'Ada', npi: '1234567890', specialty: 'Dermatology' },
  { name: 'Bob', specialty: 'Cardiology' },
  { name: 'Bob', specialty: 'cardiology' },
  undefined,
]

/** What an actor's offerings may differ in, they differ in. */
const OWN_OFFERINGS: readonly Offering[] = Array.from({ length: 64 }, (_, n) => {
  const [location, provider, modalities] = [LOCATIONS[n % 4], PROVIDERS[(n >> 2) % 4], MODALITIES[(n >> 4) % 4]]
  return {
    publisher: n % 4 === 0 ? 'south' : 'north',
    scheduleId: `s${n}`,
    ...(n % 7 !== 0 && { serviceTypeCode: String(50 + (n % 3)) }),
    ...(n % 5 !== 0 && { serviceTypeText: n % 2 === n >> 5 ? 'Check-up' : 'Check' }),
    isVirtual: modalities?.some((modality) => modality === 'virtual') ?? false,
    ...(modalities && { modalities }),
    ...(location && { location }),
    ...(n % 6 === 1 && { serviceStates: ['CA', 'NY'] }),
    ...(provider && { provider }),
  }
})

const slot: fc.Arbitrary<Slot> = fc
  .record({
    number: fc.integer({ min: 0, max: 400 }),
    hour: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 24 * 90 })),
    hours: fc.integer({ min: 0, max: 30 }),
    status: fc.constantFrom(...SLOT_STATUSES, 'free' as const, 'free' as const),
    offering: fc.constantFrom(...OWN_OFFERINGS),
  })
  .map(({ number, hour, hours, status, offering }) => slotOf(number, hour, hours, { status, offering }))

function slotOf(
  number: number,
  hour: number,
  hours: number,
  { status = 'free', offering }: { status?: Slot['status']; offering: Offering },
): Slot {
  const startMs = hour * HOUR_MS
  const endMs = startMs + hours * HOUR_MS
  // With an offset, so that a start that is formatted again would differ.
  const start = `${new Date(startMs - 5 * HOUR_MS).toISOString().slice(0, 19)}-05:00`
  const end = new Date(endMs).toISOString()
  return { id: String(number).padStart(24, '0'), status, start, end, startMs, endMs, offering }
}

const distinct = (slots: readonly Slot[]) => [...new Map(slots.map((each) => [each.id, each])).values()]

/** Of two minutes: samples begin within seven. */
const SHORT_DAYS = (ms: number) => ({
  date: String(Math.floor(ms / 120_000)),
  endMs: (Math.floor(ms / 120_000) + 1) * 120_000,
})

test('counts equal naive counts for any filters, as slots are added, removed and end', () => {
  const steps = fc.array(
    fc.record({
      put: fc.array(slotIn, { maxLength: 40 }),
      remove: fc.array(fc.nat(60), { maxLength: 10 }),
      whole: fc.boolean(),
      merges: fc.constantFrom(0, 1, Infinity),
      passMs: fc.constantFrom(0, 500, MINUTE_MS, 2.5 * MINUTE_MS),
      queries: fc.array(query, { minLength: 1, maxLength: 5 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  fc.assert(
    fc.property(steps, (taken) => {
      const reference = new ReferenceIndex()
      for (const { put, remove, whole, merges, passMs, queries } of taken) {
        reference.change({ put, remove: reference.idsOf(remove), whole, merges })
        reference.nowMs += passMs
        for (const asked of queries)
          checkCounts(reference.index, reference.slots.values(), asked, reference.nowMs, SHORT_DAYS)
      }
    }),
    { numRuns: casesOf(300) },
  )
})

test('groups service types by code and specialties by case-insensitive text, in the most frequent spelling', () => {
  const all = { status: 'free', sort: 'start', limit: 100, offset: 0 } as const
  const nearest = {
    ...all,
    sort: 'distance',
    near: { latitude: 42.5, longitude: -71, radiusKm: 50 },
  } as const
  fc.assert(
    fc.property(fc.array(slot, { maxLength: 120 }).map(distinct), (slots) => {
      const index = new SlotIndex()
      fillIndex(index, slots)
      for (const asked of [all, nearest]) checkCounts(index, slots, asked, 0, UTC)
    }),
    { numRuns: casesOf(200) },
  )
})

function checkCounts(
  index: SlotIndex,
  slots: Iterable<Slot>,
  asked: ActorQuery,
  nowMs: number,
  calendar: Calendar,
): void {
  const matching = naiveMatches(slots, asked, nowMs)
  // Asked again: what is remembered is the same, in whatever order it was asked for first.
  for (const sort of [asked.sort, 'start', asked.sort] as const) {
    const sorted = { ...asked, sort }
    assert.deepEqual(
      runAtOnce(index.view(nowMs).counts.facets(sorted, calendar)),
      naiveFacets(matching, calendar, sorted),
    )
    assert.deepEqual(runAtOnce(index.view(nowMs).counts.actors(sorted)), naiveActors(matching, sorted))
  }
}

test('pages of actors come from one order', () => {
  const index = new SlotIndex()
  fillIndex(
    index,
    OWN_OFFERINGS.map((offering, n) => slotOf(n, n % 3, 1, { offering })),
  )
  const page = (limit: number, offset: number) =>
    runAtOnce(index.view(0).counts.actors({ status: 'free', sort: 'start', limit, offset }))
  const all = page(100, 0)
  assert.ok(all.total > 8)
  for (const offset of [0, 3, 6, 100, Number.MAX_SAFE_INTEGER])
    assert.deepEqual(page(3, offset), { actors: all.actors.slice(offset, offset + 3), total: all.total })
})

test('leaves out the values with the fewest slots and reports their sum', () => {
  const index = new SlotIndex()
  const offerings = Array.from({ length: VALUES_MAX + 2 }, (_, n): Offering => {
    const specialty = `Specialty ${String(n).padStart(3, '0')}`
    return { publisher: 'p', scheduleId: String(n), isVirtual: false, provider: { specialty } }
  })
  // The first has one slot, the second two, all others three.
  const slots = offerings.flatMap((offering, n) =>
    Array.from({ length: Math.min(3, n + 1) }, (_, k) => slotOf(n * 10 + k, 1, 1, { offering })),
  )
  fillIndex(index, slots)
  const { specialty, others } = runAtOnce(index.view(0).counts.facets({ status: 'free' }, UTC))
  assert.equal(specialty.length, VALUES_MAX)
  assert.equal(specialty[0].value, 'Specialty 002')
  assert.deepEqual(others, { state: 0, serviceType: 0, specialty: 3, day: 0 })
})

test('counts the first days on which slots start, and the slots that start later', () => {
  const index = new SlotIndex()
  const [offering] = OWN_OFFERINGS
  // One every other day, and two on the last.
  const slots = Array.from({ length: DAYS_MAX + 3 }, (_, n) => slotOf(n, 48 * n, 1, { offering }))
  fillIndex(index, [...slots, slotOf(1000, 48 * (DAYS_MAX + 2), 2, { offering })])
  const { day, others, total } = runAtOnce(index.view(0).counts.facets({ status: 'free' }, UTC))
  assert.deepEqual([day.length, day[0].date, day[1].date], [DAYS_MAX, '1970-01-01', '1970-01-03'])
  assert.deepEqual([others.day, total], [4, DAYS_MAX + 4])
})

test('sorts an actor with several locations by the nearest', () => {
  const index = new SlotIndex()
  const at = (name: string, latitude: number, scheduleId: string): Offering => ({
    publisher: 'p',
    scheduleId,
    isVirtual: false,
    location: { name, latitude, longitude: 0 },
  })
  const offerings = [at('A', 3, 'far'), at('B', 2, 'middle'), at('A', 1, 'near')]
  fillIndex(
    index,
    offerings.map((offering, n) => slotOf(n, n, 1, { offering })),
  )
  const near = { latitude: 0, longitude: 0, radiusKm: 500 }
  const { actors } = runAtOnce(
    index.view(0).counts.actors({ status: 'free', near, sort: 'distance', limit: 5, offset: 0 }),
  )
  assert.deepEqual(
    actors.map(({ location, totalSlots }) => [location?.name, totalSlots]),
    [
      ['A', 2],
      ['B', 1],
    ],
  )
})

test('counts a window for pages once some have asked for it, and at once if it has no end or has been counted', () => {
  const { content, open } = new SlotIndex().openSnapshot()
  const counts = new SlotCounts(content, open, (filters) => matchRows(content, open, filters))
  const [early, late] = [1, 2].map((startBeforeMs) => ({ status: 'free', startBeforeMs }) as const)
  const answers = Array.from({ length: 5 }, () => counts.notePage(early))
  assert.deepEqual(answers, [false, false, false, true, true])
  assert.equal(counts.notePage(late), false)
  runAtOnce(counts.total(late, []))
  assert.equal(counts.notePage(late), true)
  assert.equal(counts.notePage({ status: 'busy' }), true)
})

test('leaves out the values of offerings without slots', () => {
  const changing = new ChangingIndex()
  const { index } = changing
  const offering = (n: number): Offering => ({
    publisher: 'p',
    scheduleId: String(n),
    serviceTypeCode: `code ${n}`,
    isVirtual: false,
    provider: { name: `Provider ${n}`, specialty: `Specialty ${n}` },
  })
  for (let n = 0; n < 5; n++) {
    const slot = (number: number) => slotOf(number, 1, 1, { offering: offering(number) })
    changing.change({ remove: n === 0 ? [] : [slot(n - 1)], put: [slot(n)] })
    const { serviceType, specialty } = runAtOnce(index.view(0).counts.facets({ status: 'free' }, UTC))
    assert.deepEqual(serviceType, [{ code: `code ${n}`, count: 1 }])
    assert.deepEqual(specialty, [{ value: `Specialty ${n}`, count: 1 }])
    const { actors } = runAtOnce(index.view(0).counts.actors({ status: 'free', sort: 'start', limit: 5, offset: 0 }))
    assert.deepEqual(
      actors.map(({ key }) => key),
      [actorKeyOf(offering(n))],
    )
  }
})

test('forgets the oldest counts when their rows take too much memory', () => {
  const [offering] = OWN_OFFERINGS
  const rows = 60_000
  const slots = Array.from({ length: rows }, (_, n): SlotEntry => {
    // Other characters first, as of a hash: a table of ids with one beginning is slow.
    const id = [...n.toString(32)].reverse().join('').padEnd(24, '0')
    const json = `{"id":"${id}","status":"free","start":"2026-01-01T00:00:00Z","end":"2026-01-01T10:00:00Z","identifier":[{"value":"9"}]`
    return { status: 'free', offeringId: 1, startMs: Date.UTC(2026, 0), endMs: Date.UTC(2026, 0, 1, 10), json }
  })
  const content = buildIndex({ offerings: new Map([[1, offering]]), slots })
  const open = new OpenRows(content, 0)
  let searches = 0
  const counts = new SlotCounts(content, open, (filters) => {
    searches++
    return matchRows(content, open, filters)
  })
  const count = (minutes: number) => {
    const before = searches
    const page = { limit: 1, offset: 0, sort: 'start' } as const
    const filters = { status: 'free', identifiers: ['|9'], minDurationMs: minutes * MINUTE_MS, ...page } as const
    assert.equal(runAtOnce(counts.actors(filters)).actors[0].totalSlots, rows)
    return searches > before
  }
  assert.deepEqual([count(1), count(1)], [true, false])
  // Two bytes a row: 18 MB.
  for (let minutes = 2; minutes < 152; minutes++) count(minutes)
  assert.deepEqual([count(151), count(1)], [false, true])
})
