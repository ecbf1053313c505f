import { encodeSlot, type Offering, type Slot } from '../../src/slot/slot.ts'
import { columnsOf, sortedOrder } from '../../src/slot-index/slot-batch.ts'
import type { SlotChange } from '../../src/slot-index/slot-change.ts'
import type { SlotIndex } from '../../src/slot-index/slot-index.ts'
import { SlotWindow } from '../../src/slot-index/slot-window.ts'

/** Makes an index hold just these slots, the way a node would, only in one go. */
export function fillIndex(index: SlotIndex, slots: readonly Slot[], { revision = 1, nowMs = 0 } = {}): void {
  const change = index.begin(true, nowMs)
  const ids = new Map([...new Set(slots.map((slot) => slot.offering))].map((offering, n) => [offering, n + 1]))
  for (const _ of putSlots(change, slots, ids));
  index.commit(change, { store: 1, revision })
}

/** Puts slots and their offerings, whose ids are given, into a change, and merges it. Yields between pieces of the work. */
export function* putSlots(
  change: SlotChange,
  slots: readonly Slot[],
  ids: ReadonlyMap<Offering, number>,
): Generator<void, void> {
  yield* change.putOfferings([...ids].map(([offering, id]) => ({ id, json: JSON.stringify(offering) })))
  const window = new SlotWindow(slots.length)
  const starts: number[] = []
  const bits: number[] = []
  function* empty(): Generator<void, void> {
    for (const batch of window.empty((bytes) => new ArrayBuffer(bytes))) {
      const columns = columnsOf(batch)
      for (const startMs of columns.startsMs) starts.push(startMs)
      for (const word of columns.idBits) bits.push(word)
      yield* change.put(batch)
    }
  }
  for (const slot of slots) {
    const entry = { ...slot, offeringId: ids.get(slot.offering) ?? 0, json: encodeSlot(slot) }
    if (window.add(entry, 0)) continue
    yield* empty()
    window.add(entry, 0)
  }
  yield* empty()
  yield* change.merge(sortedOrder(Float64Array.from(starts), Uint32Array.from(bits)))
}
