import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { query, slotIn } from '../../test/support/slot-index/index-samples.ts'
import { matches } from '../../test/support/slot-index/naive-index.ts'
import { slotOf } from '../../test/support/store/temp-store.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { filterValuesOf } from '../slot/filter-values.ts'
import { encodeSlot, type Slot } from '../slot/slot.ts'
import type { SlotFilters } from '../slot/slot-filters.ts'
import { cellsAt, cellsCovering } from './geo-cells.ts'
import { SubscriptionIndex } from './subscription-index.ts'

const NOW_MS = 3 * MINUTE_MS

/** A subscription to put, or to remove. */
const edit = fc.record({
  id: fc.nat(20).map((n) => `sub_${n}`),
  filters: fc.option(query.map(filtersOf), { nil: undefined }),
})

test('finds the subscriptions that a naive index finds, after any puts and removals', () => {
  const property = fc.property(
    fc.array(edit, { maxLength: 60 }),
    fc.array(slotIn, { minLength: 1, maxLength: 10 }),
    (edits, slots) => {
      const index = new SubscriptionIndex()
      const all = new Map<string, SlotFilters>()
      for (const { id, filters } of edits) {
        if (filters === undefined) {
          index.remove(id)
          all.delete(id)
        } else {
          index.put(id, filters)
          all.set(id, filters)
        }
      }
      assert.equal(index.size, all.size)
      for (const slot of slots) assert.deepEqual(found(index, slot), expected(all, slot))
    },
  )
  fc.assert(property, { numRuns: casesOf(1500) })
})

test('a slot is found by the states of the mode that is asked for', () => {
  const index = new SubscriptionIndex()
  for (const [id, states, isVirtual] of [
    ['in person', ['CA'], false],
    ['virtual', ['CA'], true],
    ['both', ['CA'], undefined],
  ] as const)
    index.put(id, { status: 'free', states, ...(isVirtual !== undefined && { isVirtual }) })
  const slot = slotOf(0)
  const offering = {
    ...slot.offering,
    isVirtual: true,
    modalities: ['in-person', 'virtual'] as const,
    serviceStates: ['CA'],
    details: { modeStates: { inPerson: ['MA'], virtual: ['CA'] } },
  }
  assert.deepEqual(found(index, { ...slot, offering, endMs: NOW_MS + 1 }), ['both', 'virtual'])
})

test('subscriptions with equal filters share them until the last is removed', () => {
  const index = new SubscriptionIndex()
  const filters: SlotFilters = { status: 'free', states: ['MA'], isVirtual: true }
  const [one, other] = [index.put('a', filters), index.put('b', { isVirtual: true, status: 'free', states: ['MA'] })]
  assert.equal(one, other)
  assert.deepEqual([...one.subscriptions], ['a', 'b'])
  index.remove('a')
  assert.equal(index.put('c', filters), one)
  index.remove('b')
  index.remove('c')
  assert.notEqual(index.put('d', filters), one)
})

test('a point within the radius is in a covering cell', () => {
  const latitude = fc.double({ min: -90, max: 90, noNaN: true })
  const longitude = fc.double({ min: -180, max: 180, noNaN: true })
  const point = fc.record({ latitude, longitude })
  const property = fc.property(
    point,
    fc.double({ min: 0.1, max: 500, noNaN: true }),
    point,
    (center, radiusKm, toward) => {
      const near = { ...center, radiusKm }
      const cells = new Set(cellsCovering(near))
      assert.ok(cells.size > 0 && cells.size <= 16)
      for (const share of [0, 0.001, 0.01, 0.1, 1]) {
        const at = {
          latitude: center.latitude + (toward.latitude - center.latitude) * share,
          longitude: center.longitude + (toward.longitude - center.longitude) * share,
        }
        const slot = { status: 'free', startMs: 0, endMs: 1, offering: { location: at } } as unknown as Slot
        if (!matches({ ...slot, endMs: NOW_MS + 1 }, { status: 'free', near }, NOW_MS)) continue
        assert.ok(cellsAt(at.latitude, at.longitude).some((cell) => cells.has(cell)))
      }
    },
  )
  fc.assert(property, { numRuns: casesOf(2000) })
})

function found(index: SubscriptionIndex, slot: Slot): string[] {
  const { offering, id, status, startMs, endMs } = slot
  const stored = { id, status, startMs, endMs, offeringId: 1, json: encodeSlot(slot) }
  const matching = index.matchOffering(filterValuesOf(offering)).ofSlot(stored, NOW_MS)
  assert.equal(new Set(matching).size, matching.length)
  return matching.flatMap(({ subscriptions }) => [...subscriptions]).sort()
}

/** Only free slots that have not ended are announced. */
function expected(all: ReadonlyMap<string, SlotFilters>, slot: Slot): string[] {
  if (slot.status !== 'free' || slot.endMs <= NOW_MS) return []
  return [...all]
    .filter(([, filters]) => matches(slot, filters, NOW_MS))
    .map(([id]) => id)
    .sort()
}

function filtersOf({
  sort: _,
  limit: _limit,
  offset: _offset,
  cursor: _cursor,
  ...filters
}: Parameters<typeof matches>[1] & {
  sort: string
  limit: number
  offset: number
  cursor?: unknown
}): SlotFilters {
  return filters
}
