import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fillIndex } from '../../test/support/fill-index.ts'
import { OFFERINGS, query, slotIn } from '../../test/support/slot-index/index-samples.ts'
import { ReferenceIndex } from '../../test/support/slot-index/reference-index.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { slotId } from '../slot/ids.ts'
import type { Offering, Slot } from '../slot/slot.ts'
import { parseSlotQuery, type SlotQuery } from '../slot/slot-query.ts'
import { bucketsOf, primaryBucketOf } from './buckets.ts'
import { packIds } from './slot-batch.ts'
import { SlotIndex } from './slot-index.ts'

const NEAREST = { near: { latitude: 42.3, longitude: -71.5, radiusKm: 500 }, sort: 'distance' } as const

/** The same question with one thing said otherwise. */
function variants(asked: SlotQuery): SlotQuery[] {
  return [
    { ...asked, minDurationMs: 3 * MINUTE_MS },
    { ...asked, startAfterMs: 2 * MINUTE_MS },
    { ...asked, startAfterMs: 3 * MINUTE_MS },
    { ...asked, startBeforeMs: 4 * MINUTE_MS },
    { ...asked, startBeforeMs: 3 * MINUTE_MS },
    { ...asked, states: ['CA'] },
    { ...asked, states: ['CA', 'MA'] },
    { ...asked, isVirtual: true },
    { ...asked, status: 'busy' },
    { ...asked, publishers: ['west'] },
    { ...asked, sort: 'start' },
    { ...asked, ...NEAREST, startAfterMs: 2 * MINUTE_MS },
    { ...asked, ...NEAREST, startAfterMs: 3 * MINUTE_MS },
  ]
}

test('caches lists by every filter of a query', () => {
  const property = fc.property(fc.array(slotIn, { minLength: 20, maxLength: 60 }), query, (slots, asked) => {
    const reference = new ReferenceIndex()
    reference.change(slots, [], false)
    for (let round = 0; round < 2; round++) {
      for (const each of [asked, ...variants(asked)]) reference.check(each)
    }
  })
  fc.assert(property, { numRuns: 200 })
})

test('filters by radius among hundreds of offerings at different points', () => {
  const offerings = Array.from({ length: 600 }, (_, n): Offering => {
    const location = { state: n % 2 === 0 ? 'MA' : 'NH', latitude: n * 0.05, longitude: -70 - n * 0.05 }
    return { publisher: 'p', scheduleId: `s${n}`, isVirtual: false, location }
  })
  const slots = offerings.flatMap((offering, n) => [slotAt(offering, n), slotAt(offering, n + 1)])
  const index = new SlotIndex()
  fillIndex(index, slots)
  for (const [n, { location }] of offerings.entries()) {
    const search = `near=${location?.latitude?.toFixed(4)},${location?.longitude?.toFixed(4)}&radiusKm=1&limit=2`
    const page = index.select(parseSlotQuery(search), 0)
    const found = JSON.parse(page.body.toString('utf8')).slots.map((slot: Slot & Offering) => slot.scheduleId)
    assert.deepEqual([page.total, ...found], [2, `s${n}`, `s${n}`])
  }
})

function slotAt(offering: Offering, startMs: number): Slot {
  const [start, end] = [new Date(startMs).toISOString(), new Date(startMs + 1).toISOString()]
  const id = slotId('p', offering.scheduleId, '', { startMs, endMs: startMs + 1 })
  return { id, status: 'free', start, end, startMs, endMs: startMs + 1, offering }
}

test('the primary bucket of an offering is one of its buckets: the state of its location, in person if offered', () => {
  for (const offering of OFFERINGS) {
    assert.ok(bucketsOf(offering).includes(primaryBucketOf(offering)))
    if (offering.location === undefined) continue
    const licensed: Offering = { ...offering, serviceStates: ['AK', 'WY'] }
    const inPerson: Offering = { ...licensed, modalities: ['in-person'], isVirtual: false }
    const isOnlyVirtual = offering.modalities?.[0] === 'virtual'
    if (!isOnlyVirtual) assert.equal(primaryBucketOf(licensed), primaryBucketOf(inPerson))
    assert.equal(primaryBucketOf(licensed), primaryBucketOf({ ...licensed, serviceStates: [] }))
  }
})

test('refuses to remove a slot twice, and removes the newer of two rows while the older is retained for a snapshot', () => {
  const [slot] = fc.sample(slotIn, 1)
  const reference = new ReferenceIndex()
  reference.change([slot], [], false)
  const change = reference.index.begin(false, 0)
  assert.throws(() => [...change.remove(packIds([slot, slot]))], /is not in the index/)
  const other = new ReferenceIndex()
  other.change([slot], [], false)
  const snapshot = other.index.openSnapshot()
  for (const capacity of [1, 2, 3]) {
    other.change([{ ...slot, capacity }], [], false)
    other.checkFind(slot.id)
  }
  snapshot.close()
  for (const _ of other.index.retireFreed());
  other.checkFind(slot.id)
})
