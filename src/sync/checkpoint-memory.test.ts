import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { slotOf } from '../../test/support/store/temp-store.ts'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { collectGarbage } from '../lib/collect-garbage.ts'
import { runAtOnce } from '../lib/steps.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { encodeSlot } from '../slot/slot.ts'
import { IndexBuilder } from '../slot-index/index-builder.ts'
import { runsIn } from '../slot-index/runs/levels.ts'
import { IndexCheckpoint } from './index-checkpoint.ts'

/** Builds an index of one slot, and leaves what its memory is. */
function buildOne(builder: IndexBuilder, revision: number): WeakRef<SharedArrayBuffer>[] {
  builder.begin(true)
  builder.putOfferings([{ id: 1, offering: { publisher: 'clinic', scheduleId: 's', isVirtual: false } }])
  const slot = slotOf(revision)
  builder.put([{ ...slot, endMs: slot.startMs + MINUTE_MS, offeringId: 1, json: encodeSlot(slot) }])
  runAtOnce(builder.commit({ store: 1, revision, atMs: 0 }))
  const { levels, tables } = builder.content
  const parts = [...runsIn(levels).map(({ run }) => run.memory), ...tables.packed.map(({ memory }) => memory)]
  return parts.map((part) => new WeakRef(part))
}

test('does not keep the memory of a saved index that was replaced', async (t) => {
  const folder = tempFolder(t)
  const builder = new IndexBuilder()
  const checkpoint = new IndexCheckpoint(folder, () => assert.fail())
  const saved = buildOne(builder, 1)
  assert.equal(await checkpoint.save(builder.content, { epoch: 1, offeringIds: builder.offeringIds }), true)
  const current = buildOne(builder, 2)
  await setImmediate()
  collectGarbage()
  assert.deepEqual([saved.length, current.length], [2, 2])
  assert.ok(saved.every((part) => part.deref() === undefined))
  assert.ok(current.every((part) => part.deref() !== undefined))
  // Used until here.
  assert.equal(await checkpoint.save(builder.content, { epoch: 1, offeringIds: builder.offeringIds }), true)
})
