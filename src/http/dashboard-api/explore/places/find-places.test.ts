import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillIndex } from '../../../../../test/support/fill-index.ts'
import { runAtOnce } from '../../../../lib/steps.ts'
import { HOUR_MS } from '../../../../lib/time.ts'
import { slotId } from '../../../../slot/ids.ts'
import type { Location } from '../../../../slot/slot.ts'
import { SlotIndex } from '../../../../slot-index/slot-index.ts'
import { findPlaces } from './find-places.ts'

const NOW_MS = Date.parse('2026-03-07T12:00:00Z')

const LOCATIONS: readonly Location[] = [
  { city: 'Springfield', state: 'IL', latitude: 39.8, longitude: -89.6 },
  { city: 'SPRINGFIELD', state: 'IL', latitude: 39.7, longitude: -89.7 },
  { city: 'Springfield', state: 'MA', latitude: 42.1, longitude: -72.6 },
  { city: 'Spring Valley', state: 'NY' },
  { city: 'Mayagüez', state: 'PR', latitude: 18.2, longitude: -67.14 },
  { city: 'Salem', state: 'MA', latitude: 42.52, longitude: -70.9 },
  { city: 'Toronto', state: 'CA-ON', postalCode: 'M5V 2T6', latitude: 43.64, longitude: -79.4 },
]

const index = new SlotIndex()
fillIndex(
  index,
  LOCATIONS.flatMap((location, n) => {
    const offering = { publisher: 'p', scheduleId: String(n), isVirtual: false, location }
    // The first has slots of two durations, and is one place all the same.
    return (n === 0 ? [1, 2] : [1]).map((hours) => {
      const times = { startMs: NOW_MS + HOUR_MS, endMs: NOW_MS + (1 + hours) * HOUR_MS }
      return {
        id: slotId('p', String(n), String(n), times),
        status: location.city === 'Salem' ? ('busy' as const) : ('free' as const),
        start: new Date(times.startMs).toISOString(),
        end: new Date(times.endMs).toISOString(),
        ...times,
        offering,
      }
    })
  }),
  { nowMs: NOW_MS },
)

const find = (text: string) =>
  findPlaces(text, async (city) =>
    runAtOnce(
      index.inSteps(
        () => NOW_MS,
        (view) => view.counts.cities(city),
      ),
    ),
  )

test('finds the area of a ZIP code, also of ZIP+4', async () => {
  assert.deepEqual(await find('02139'), { places: [{ name: 'ZIP 02139', near: '42.36,-71.1' }] })
  assert.deepEqual(await find('02139-4307'), { places: [{ name: 'ZIP 02139', near: '42.36,-71.1' }] })
})

test('suggests the area of three digits and the ZIP codes that begin with three or four', async () => {
  const { places } = await find('021')
  assert.deepEqual(places.slice(0, 2), [
    { name: 'ZIP 021…', near: '42.34,-71.07' },
    { name: 'ZIP 02108', near: '42.36,-71.07' },
  ])
  assert.equal(places.length, 11)
  const { places: narrow, hint } = await find('0213')
  assert.deepEqual(
    narrow.map(({ name }) => name),
    ['02130', '02131', '02132', '02133', '02134', '02135', '02136', '02138', '02139'].map((zip) => `ZIP ${zip}`),
  )
  assert.equal(hint, undefined)
})

test('finds a city whose locations have no open slots now: there may be some nearby', async () => {
  assert.deepEqual(await find('salem'), { places: [{ name: 'Salem, MA', near: '42.52,-70.9', slots: 0 }] })
})

test('finds the middle of the locations of cities with open slots by state, without accents and in any case', async () => {
  const [illinois, massachusetts] = [
    { name: 'Springfield, IL', near: '39.75,-89.65', slots: 3 },
    { name: 'Springfield, MA', near: '42.1,-72.6', slots: 1 },
  ]
  assert.deepEqual((await find('spring')).places, [illinois, massachusetts])
  assert.deepEqual((await find('Springfield, ma')).places, [massachusetts])
  assert.deepEqual((await find('mayagu')).places, [{ name: 'Mayagüez, PR', near: '18.2,-67.14', slots: 1 }])
})

test('finds the area of a Canadian postal code that has locations', async () => {
  assert.deepEqual((await find('m5v 1a1')).places, [{ name: 'M5V', near: '43.64,-79.4', slots: 1 }])
  assert.match((await find('K1A 0B1')).hint ?? '', /no locations in the area of this Canadian postal code/)
})

test('says what to enter for what is unknown', async () => {
  const hints: [string, RegExp][] = [
    ['02', /at least three digits/],
    ['000', /^No ZIP code with an area begins with 000/],
    ['021390', /^A ZIP code has five digits/],
    ['20505', /^ZIP code 20505 has no area/],
    ['Atlantis', /no locations in a city whose name begins like this/],
    ['Spring Valley', /no locations/],
    ['Springfield, TX', /no locations/],
  ]
  for (const [text, hint] of hints) {
    const found = await find(text)
    assert.deepEqual(found.places, [], text)
    assert.match(found.hint ?? '', hint)
  }
})
