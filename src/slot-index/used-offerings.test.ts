import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotOf } from '../../test/support/store/temp-store.ts'
import { runAtOnce } from '../lib/steps.ts'
import { encodeSlot } from '../slot/slot.ts'
import { IndexBuilder } from './index-builder.ts'
import { usedOfferings } from './used-offerings.ts'

test('an offering is used while a slot of any status and duration refers to it', () => {
  const builder = new IndexBuilder()
  builder.begin(true)
  builder.putOfferings(
    [7, 8, 9].map((id) => ({ id, offering: { publisher: 'clinic', scheduleId: `${id}`, isVirtual: false } })),
  )
  const slots = [
    { ...slotOf(0), offeringId: 7 },
    { ...slotOf(1, { status: 'busy' }), offeringId: 8 },
    { ...slotOf(2), offeringId: 7 },
    { ...slotOf(3), endMs: slotOf(3).startMs, offeringId: 7 },
  ]
  builder.put(slots.map((slot) => ({ ...slot, json: encodeSlot(slot) })))
  assert.deepEqual([...usedIn()], [1, 1, 0])
  builder.begin(false)
  builder.remove(slots.slice(0, 3))
  assert.deepEqual([...usedIn()], [1, 0, 0])

  function usedIn(): Uint8Array {
    return runAtOnce(usedOfferings(runAtOnce(builder.commit({ store: 1, revision: 1, atMs: 0 }))))
  }
})
