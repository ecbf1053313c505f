import { SampleFeed } from '../demo/sample-feed.ts'
import { runAtOnce } from '../src/lib/steps.ts'
import { encodeSlot, type Offering, type Slot } from '../src/slot/slot.ts'
import { IndexBuilder, type SlotEntry } from '../src/slot-index/index-builder.ts'
import { SlotIndex } from '../src/slot-index/slot-index.ts'
import { sampleOffering, sampleSlot } from './sample-slots.ts'

const SLOTS_PER_BATCH = 10_000

/** An index of about `slots` sample slots, with providers and all filter values, filled like a node's. `vary` replaces a slot. */
export function sampleIndex(
  slots: number,
  nowMs: number,
  vary: (slot: Slot, n: number) => Slot = (slot) => slot,
): SlotIndex {
  const index = new SlotIndex()
  index.show(sampleBuilder(slots, nowMs, vary).content)
  index.advance(nowMs)
  return index
}

export function sampleBuilder(slots: number, nowMs: number, vary: (slot: Slot, n: number) => Slot): IndexBuilder {
  const builder = new IndexBuilder()
  builder.begin(true)
  const feed = new SampleFeed(slots, 1)
  const ids = new Map<string, number>()
  let batch: SlotEntry[] = []
  let added: { id: number; offering: Offering }[] = []
  // As a node loads them: those of many slots at once.
  const put = () => {
    builder.putOfferings(added)
    builder.put(batch)
    added = []
    batch = []
  }
  let n = 0
  for (const { state } of feed.states) {
    for (const sample of feed.slots(state.code, nowMs)) {
      const slot = vary(sampleSlot(sample, sampleOffering(sample)), n++)
      const { offering } = slot
      const name = `${offering.scheduleId} ${offering.appointmentType}`
      const id = ids.get(name) ?? ids.size + 1
      if (!ids.has(name)) added.push({ id, offering })
      ids.set(name, id)
      batch.push(entryOf(slot, id))
      if (batch.length === SLOTS_PER_BATCH) put()
    }
  }
  put()
  runAtOnce(builder.commit({ store: 1, revision: 1, atMs: 1 }))
  return builder
}

/** Clears the caches, as any change of the slots does. */
export function forget(index: SlotIndex, nowMs: number): void {
  const snapshot = index.openSnapshot()
  index.show(snapshot.content)
  index.advance(nowMs)
  snapshot.close()
}

export function entryOf(slot: Slot, offeringId: number): SlotEntry {
  const { status, startMs, endMs } = slot
  return { status, startMs, endMs, offeringId, json: encodeSlot(slot) }
}
