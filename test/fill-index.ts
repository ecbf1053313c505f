import { encodeSlot } from '../src/slot/encode-slot.ts'
import type { Offering, Slot } from '../src/slot/slot.ts'
import { packSlots, sortedOrder } from '../src/slot-index/slot-batch.ts'
import type { SlotIndex } from '../src/slot-index/slot-index.ts'

/** Makes an index hold just these slots, the way a node would, only in one go. */
export function fillIndex(index: SlotIndex, slots: readonly Slot[], { revision = 1, nowMs = 0 } = {}): void {
  const ids = new Map<Offering, number>()
  for (const { offering } of slots) if (!ids.has(offering)) ids.set(offering, ids.size + 1)
  const change = index.begin(true, nowMs)
  const batch = packSlots(
    slots.map((slot) => ({ ...slot, offeringId: ids.get(slot.offering) ?? 0, json: encodeSlot(slot) })),
  )
  const offerings = [...ids].map(([offering, id]) => ({ id, json: JSON.stringify(offering) }))
  for (const _ of change.putOfferings(offerings));
  for (const _ of change.put(batch));
  for (const _ of change.merge(sortedOrder(batch.startsMs, batch.idBits)));
  index.commit(change, revision)
}
