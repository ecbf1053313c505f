import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lasting, OFFERINGS } from '../../test/support/slot-index/index-samples.ts'
import { runAtOnce } from '../lib/steps.ts'
import { filterValuesOf } from '../slot/filter-values.ts'
import { GeoRadius } from '../slot/geo-radius.ts'
import type { Offering } from '../slot/slot.ts'
import { OfferingTable } from './offering-table.ts'
import { lookupsOf } from './term-names.ts'

test('has the states of each offering, of any country', () => {
  const table = new OfferingTable()
  const offering = (state: string | undefined, serviceStates: readonly string[] = []): Offering => ({
    publisher: 'p',
    scheduleId: 's',
    isVirtual: serviceStates.length > 0,
    serviceTypeCode: '124',
    ...(state !== undefined && { location: { state } }),
    ...(serviceStates.length > 0 && { serviceStates }),
  })
  const offerings = [offering('MA'), offering('CA-ON', ['MA', 'AU-NSW']), offering(undefined)]
  runAtOnce(table.put(table.pack(lasting(30, offerings))))
  assert.deepEqual(
    offerings.map((_, number) => table.statesOf(number).sort()),
    [['MA'], ['AU-NSW', 'CA-ON', 'MA'], []],
  )
})

test('an offering that differs from another in its duration only is as if it had been put by itself', () => {
  const originals = [...lasting(15, OFFERINGS), ...lasting(90, OFFERINGS.slice(0, 3))]
  const others = [30, 60, 0].flatMap((minutes) => lasting(minutes, OFFERINGS))
  const [shared, alone] = [new OfferingTable(), new OfferingTable()]
  const original = (n: number) => n % OFFERINGS.length
  runAtOnce(shared.put(shared.pack(originals)))
  runAtOnce(shared.put(shared.pack(others.map((each, n) => ({ ...each, original: original(n) })))))
  runAtOnce(alone.put(alone.pack([...originals, ...others])))
  assert.deepEqual(columnsOf(shared), columnsOf(alone))
  assert.ok(shared.pack(others.map((each, n) => ({ ...each, original: original(n) }))).memory.byteLength === 0)
})

/** All that a table has of each offering. */
function columnsOf(table: OfferingTable) {
  const { terms, ends } = table.groups
  const names = [...new Set(OFFERINGS.flatMap((offering) => lookupsOf(filterValuesOf(offering))))]
  return {
    offerings: Array.from({ length: table.end }, (_, number) => ({
      offering: table.offeringOf(number),
      json: table.jsonLengthOf(number),
      minutes: table.durations.of.values[number],
      position: [
        table.positions.latitudes.values[number],
        table.positions.longitudes.values[number],
        table.positions.cells.values[number],
      ],
      columns: ['actorOf', 'serviceTypeOf', 'specialtyOf', 'publisherOf', 'homeOf', 'isVirtual', 'placeOf'].map(
        (name) => table[name as 'actorOf'].values[number],
      ),
      terms: Array.from(terms.subarray(number === 0 ? 0 : ends[number - 1], ends[number]), (each) =>
        table.terms.textOf(each),
      ),
    })),
    withTerm: Array.from({ length: table.terms.end }, (_, number) => [...table.withTerm.of(number)]),
    found: names.map((name) => runAtOnce(table.lookUp(name)).sort((a, b) => a - b)),
    near: [...runAtOnce(table.near(new GeoRadius({ latitude: 42.36, longitude: -71.06, radiusKm: 100 })))].sort(
      (a, b) => a - b,
    ),
  }
}
