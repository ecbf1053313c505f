import { runAtOnce } from '../../src/lib/steps.ts'
import { encodeSlot, type Offering, type Slot } from '../../src/slot/slot.ts'
import { IndexBuilder, type SlotEntry } from '../../src/slot-index/index-builder.ts'
import type { IndexContent } from '../../src/slot-index/index-content.ts'
import type { SlotIndex } from '../../src/slot-index/slot-index.ts'

/** Replaces the slots of an index. */
export function fillIndex(index: SlotIndex, slots: readonly Slot[], { revision = 1, nowMs = 0 } = {}): void {
  const ids = new Map([...new Set(slots.map((slot) => slot.offering))].map((offering, n) => [offering, n + 1]))
  const offerings = new Map([...ids].map(([offering, id]) => [id, offering]))
  index.show(buildIndex({ offerings, slots: entriesOf(slots, ids) }, { revision, nowMs }))
  index.advance(nowMs)
}

/** Builds a whole index at once. */
export function buildIndex(
  { offerings, slots }: { offerings: ReadonlyMap<number, Offering>; slots: readonly SlotEntry[] },
  { revision = 1, nowMs = 0 } = {},
): IndexContent {
  const builder = new IndexBuilder()
  builder.begin(true)
  builder.putOfferings([...offerings].map(([id, offering]) => ({ id, offering })))
  builder.put(slots)
  return runAtOnce(builder.commit({ store: 1, revision, atMs: nowMs }))
}

/** Slots as a store has them; `ids` are those of their offerings. */
export function entriesOf(slots: readonly Slot[], ids: ReadonlyMap<Offering, number>): SlotEntry[] {
  return slots.map((slot) => {
    const { status, startMs, endMs } = slot
    return { status, startMs, endMs, offeringId: ids.get(slot.offering) ?? 0, json: encodeSlot(slot) }
  })
}
