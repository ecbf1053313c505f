import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { fillIndex } from '../../../test/support/fill-index.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { HOUR_MS } from '../../lib/time.ts'
import type { SuggestionsView } from '../../shared/contract/explore.ts'
import { SUGGESTED_FILTERS, type SuggestedFilter } from '../../slot/filter-parameters.ts'
import { filterValuesOf } from '../../slot/filter-values.ts'
import { slotId } from '../../slot/ids.ts'
import { cityKey } from '../../slot/place-keys.ts'
import { InvalidParameter } from '../../slot/query-parameter.ts'
import type { Offering, Slot } from '../../slot/slot.ts'
import { parseSlotQuery } from '../../slot/slot-query.ts'
import { KnownSources } from '../../slot-index/known-sources.ts'
import { SlotIndex } from '../../slot-index/slot-index.ts'
import { suggestValues } from './suggest-values.ts'

const NOW_MS = Date.parse('2026-03-07T12:00:00Z')

const OFFERINGS: readonly Offering[] = [
  {
    publisher: 'p',
    scheduleId: 'a',
    isVirtual: false,
    appointmentType: 'ROUTINE',
    serviceTypes: [
      { code: '57', display: 'Immunization' },
      { code: '124', display: 'General Practice' },
    ],
    location: { name: 'Elm Clinic', state: 'MA', city: 'Boston' },
    provider: { name: 'Dr. Ada Lind', specialty: 'Dermatology', npi: '1346271483' },
    details: { languages: [{ code: 'es' }] },
  },
  {
    publisher: 'p',
    scheduleId: 'b',
    isVirtual: false,
    appointmentType: 'CHECKUP',
    location: { state: 'MA', city: 'South Boston' },
  },
  {
    publisher: 'q',
    scheduleId: 'c',
    isVirtual: true,
    serviceTypeCode: '57',
    provider: { specialty: 'Family medicine' },
  },
  { publisher: 'q', scheduleId: 'd', isVirtual: false, location: { state: 'PR', city: 'Mayagüez' } },
]

const SAMPLES = fc.array(
  fc.record({ hours: fc.integer({ min: -40, max: 500 }), offering: fc.constantFrom(...OFFERINGS) }),
  { maxLength: 40 },
)

const suggest = (search: string, index: SlotIndex, sources = new KnownSources()): SuggestionsView =>
  runAtOnce(suggestValues(search, { index, sources, now: () => NOW_MS }))

test('suggests only values that the filter accepts', () => {
  const long = 'x'.repeat(201)
  const offering: Offering = {
    publisher: 'p',
    scheduleId: long,
    isVirtual: false,
    appointmentType: long,
    serviceTypes: [{ code: long }],
    location: { city: long },
    provider: { specialty: long, npi: '12' },
    details: { languages: [{ display: 'American Sign Language' }, { code: 'es' }] },
  }
  const index = indexOf([slotOf({ hours: 1, offering }, 0)])
  for (const filter of SUGGESTED_FILTERS)
    for (const { value } of suggest(`filter=${filter}`, index).values)
      assert.doesNotThrow(() => parseSlotQuery(new URLSearchParams({ [filter]: value }).toString()), filter)
  assert.deepEqual(suggest('filter=language', index).values, [{ value: 'es', count: 1 }])
})

function indexOf(slots: readonly Slot[]): SlotIndex {
  const index = new SlotIndex()
  fillIndex(index, slots, { nowMs: NOW_MS })
  return index
}

function slotOf({ hours, offering }: { hours: number; offering: Offering }, n: number): Slot {
  const startMs = NOW_MS + hours * HOUR_MS
  const times = { startMs, endMs: startMs + HOUR_MS }
  return {
    id: slotId(offering.publisher, offering.scheduleId, String(n), times),
    status: 'free',
    start: new Date(startMs).toISOString(),
    end: new Date(times.endMs).toISOString(),
    ...times,
    offering,
  }
}

/** The values of an offering by filter, folded like `cityKey()`. */
function valuesOf(offering: Offering, filter: SuggestedFilter): readonly string[] {
  const values = filterValuesOf(offering)
  const all: Record<SuggestedFilter, readonly string[]> = {
    city: values.city === undefined ? [] : [values.city],
    serviceTypeCode: values.serviceTypeCodes,
    appointmentType: values.appointmentTypes,
    specialty: values.specialties,
    publisher: [values.publisher],
    scheduleId: [values.scheduleId],
    actorKey: [values.actorKey],
    providerNpi: values.npis,
    language: values.languages,
  }
  return all[filter].map(cityKey)
}

test('counts the values of every filter as a scan of all slots does', () => {
  fc.assert(
    fc.property(SAMPLES, fc.constantFrom(...SUGGESTED_FILTERS), fc.constantFrom('', 'MA'), (samples, filter, state) => {
      const slots = samples.map(slotOf)
      const counts = new Map<string, number>()
      for (const { endMs, offering } of slots) {
        if (endMs <= NOW_MS || (state !== '' && offering.location?.state !== state)) continue
        for (const value of valuesOf(offering, filter)) counts.set(value, (counts.get(value) ?? 0) + 1)
      }
      const { values } = suggest(`filter=${filter}${state && `&state=${state}`}`, indexOf(slots))
      assert.deepEqual(new Map(values.map(({ value, count }) => [cityKey(value), count])), counts)
      assert.ok(values.every(({ count }, n) => n === 0 || count <= values[n - 1].count))
    }),
    { numRuns: casesOf(100) },
  )
})

test('finds values by the beginning of a word of value or label, in any case and without accents', () => {
  const index = indexOf(OFFERINGS.map((offering, n) => slotOf({ hours: n, offering }, n)))
  const found = (search: string) => suggest(search, index).values.map(({ value }) => value)
  assert.deepEqual(found('filter=city&text=BOST').sort(), ['Boston', 'South Boston'])
  assert.deepEqual(found('filter=city&text=oston'), [])
  assert.deepEqual(found('filter=city&text=mayag%C3%BC'), ['Mayagüez'])
  assert.deepEqual(found('filter=city&text=mayagu'), ['Mayagüez'])
  assert.deepEqual(found('filter=specialty&text=med'), ['Family medicine'])
  assert.deepEqual(suggest('filter=serviceTypeCode&text=practice', index).values, [
    { value: '124', label: 'General Practice', count: 1 },
  ])
  assert.deepEqual(suggest('filter=scheduleId&text=elm', index).values, [
    { value: 'a', label: 'Dr. Ada Lind · Elm Clinic, Boston', count: 1 },
  ])
})

test('suggests other values than the chosen one, and names publishers', () => {
  const index = indexOf(OFFERINGS.map((offering, n) => slotOf({ hours: n, offering }, n)))
  const sources = new KnownSources()
  const known = { slug: 'p', name: 'Public Health', health: 'healthy', paused: false, nextSyncAtMs: 0 } as const
  sources.apply({ sources: [known], gone: [], whole: true })
  const { values } = suggest('filter=publisher&publisher=q&sort=start&limit=5', index, sources)
  assert.deepEqual(values, [
    { value: 'p', label: 'Public Health', count: 2 },
    { value: 'q', count: 2 },
  ])
})

test('lists the twenty most frequent values', () => {
  const cities = Array.from({ length: 25 }, (_, n) => `City ${String.fromCharCode(65 + n)}`)
  const index = indexOf(
    cities.map((city, n) =>
      slotOf({ hours: n, offering: { publisher: 'p', scheduleId: city, isVirtual: false, location: { city } } }, n),
    ),
  )
  const { values, hasMore, isPartial } = suggest('filter=city', index)
  assert.deepEqual([values.length, hasMore, isPartial], [20, true, false])
})

test('rejects unknown filters, long texts and what the list rejects', () => {
  const wrong: [string, string][] = [
    ['', 'filter'],
    ['filter=identifier', 'filter'],
    [`filter=city&text=${'a'.repeat(101)}`, 'text'],
    ['filter=city&colour=red', 'colour'],
    ['filter=city&state=Massachusets', 'state'],
  ]
  for (const [search, parameter] of wrong) {
    assert.throws(
      () => suggest(search, new SlotIndex()),
      (error) => error instanceof InvalidParameter && error.parameter === parameter,
      search,
    )
  }
})
