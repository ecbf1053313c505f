import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitrarySlot } from '../../test/support/arbitrary-slot.ts'
import { runAtOnce } from '../lib/steps.ts'
import { encodeSlot, type Slot } from '../slot/slot.ts'
import { IndexBuilder } from './index-builder.ts'

/** Every change is merged at once, in one step. */
const EAGER = { runRowsMax: 64, zeroRowsMin: 0, zeroShare: 0, goneShareMax: 0 }
const UNUSED_MAX = 3

const SLOTS = fc
  .sample(fc.uniqueArray(arbitrarySlot, { selector: ({ id }) => id, minLength: 12, maxLength: 12 }), {
    seed: 1,
    numRuns: 1,
  })[0]
  .map((slot): Slot => ({ ...slot, status: 'free' }))

/** Removes and adds slots, each with an offering of its own, and merges. */
function change(builder: IndexBuilder, { remove = [], put = [] }: { remove?: readonly Slot[]; put?: readonly Slot[] }) {
  const revision = builder.content.committed.revision + 1
  builder.begin(false)
  builder.remove(remove)
  builder.putOfferings(put.map((slot) => ({ id: SLOTS.indexOf(slot) + 1, offering: slot.offering })))
  builder.put(put.map((slot) => ({ ...slot, offeringId: SLOTS.indexOf(slot) + 1, json: encodeSlot(slot) })))
  runAtOnce(builder.commit({ store: 1, revision, atMs: 0 }))
  while (builder.compact());
}

test('is wasteful once a merge leaves more offerings without slots than with slots, beyond a number', () => {
  const builder = new IndexBuilder({ ...EAGER, unusedOfferingsMax: UNUSED_MAX })
  change(builder, { put: SLOTS.slice(0, 8) })
  assert.equal(builder.isWasteful, false)
  change(builder, { remove: SLOTS.slice(0, 4), put: SLOTS.slice(8, 9) })
  assert.equal(builder.isWasteful, false, '5 of 9 offerings have slots')
  change(builder, { remove: SLOTS.slice(4, 6), put: SLOTS.slice(9, 10) })
  assert.equal(builder.isWasteful, true, '4 of 10 offerings have slots')
})

test('is not wasteful any more after everything was loaded again', () => {
  const builder = new IndexBuilder({ ...EAGER, unusedOfferingsMax: UNUSED_MAX })
  change(builder, { put: SLOTS.slice(0, 8) })
  change(builder, { remove: SLOTS.slice(0, 8), put: SLOTS.slice(8, 9) })
  assert.equal(builder.isWasteful, true)
  builder.begin(true)
  runAtOnce(builder.commit({ store: 1, revision: 9, atMs: 0 }))
  assert.deepEqual([builder.isWasteful, builder.content.tables.offerings.end], [false, 0])
})

test('keeps few offerings without slots', () => {
  const builder = new IndexBuilder(EAGER)
  change(builder, { put: SLOTS })
  change(builder, { remove: SLOTS.slice(1), put: [] })
  change(builder, { remove: SLOTS.slice(0, 1), put: SLOTS.slice(1, 2) })
  assert.deepEqual([builder.isWasteful, builder.content.tables.offerings.end], [false, SLOTS.length])
})
