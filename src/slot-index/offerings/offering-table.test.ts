import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lasting, OFFERINGS } from '../../../test/support/slot-index/index-samples.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { filterValuesOf } from '../../slot/filter-values.ts'
import { GeoRadius } from '../../slot/geo-radius.ts'
import type { Offering } from '../../slot/slot.ts'
import { OfferingTable } from './offering-table.ts'
import type { KnownOfferings } from './shared-offerings.ts'
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

test('an offering that differs from another only in its duration behaves as if it had been put alone', () => {
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

test('another thread has the offerings that it was sent, whatever has been put since', () => {
  // Up to the number of samples, offerings with another duration, of an original that is known by then.
  const batches = fc.array(
    fc.record({
      samples: fc.subarray(OFFERINGS),
      minutes: fc.constantFrom(15, 30, 60),
      original: fc.option(fc.nat()),
      isSent: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  fc.assert(
    fc.property(batches, (drawn) => {
      const [table, sent, oracle] = [new OfferingTable(), new OfferingTable(), new OfferingTable()]
      const kept: (Offering | undefined)[] = []
      let known: KnownOfferings | undefined
      for (const { samples, minutes, original, isSent } of drawn) {
        const originals = [...kept.keys()].filter((n) => kept[n] !== undefined)
        const n = original === null ? undefined : originals[original % originals.length]
        const offering = n === undefined ? undefined : kept[n]
        const others = n === undefined || offering === undefined ? [] : [{ offering, minutes: 90, original: n }]
        const added = [...lasting(minutes, samples), ...others]
        kept.push(...samples, ...others.map(() => undefined))
        for (const each of isSent ? [table, oracle] : [table]) runAtOnce(each.put(each.pack(added)))
        if (!isSent) break
        const shared = table.share(known)
        known = table.known
        if (shared !== undefined) sent.show(structuredClone(shared))
      }
      assert.deepEqual(columnsOf(sent), columnsOf(oracle))
      assert.equal(sent.placesEnd, oracle.placesEnd)
      assert.deepEqual(sent.states, oracle.states)
      assert.equal(oracle.share(oracle.known), undefined)
    }),
    { numRuns: 50 },
  )
})

/** All that a table has of each offering. */
function columnsOf(table: OfferingTable) {
  const { terms, ends } = table.groups
  const names = [...new Set(OFFERINGS.flatMap((offering) => lookupsOf(filterValuesOf(offering))))]
  return {
    offerings: Array.from({ length: table.end }, (_, number) => ({
      offering: table.offeringOf(number),
      json: table.json.lengthOf(number),
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
    withTerm: Array.from({ length: table.terms.end }, (_, number) =>
      table.withTerm(number).flatMap((list) => [...list]),
    ),
    found: names.map((name) => runAtOnce(table.lookUp(name)).sort((a, b) => a - b)),
    near: [...runAtOnce(table.near(new GeoRadius({ latitude: 42.36, longitude: -71.06, radiusKm: 100 })))].sort(
      (a, b) => a - b,
    ),
  }
}
