import { type IndexBuilder, PENDING_SLOT_BYTES } from '../slot-index/index-builder.ts'
import type { RevisionDelta } from '../store/contracts/revision-feed.ts'

/** A change that an index takes from the store. */
export interface SlotChange {
  readonly changes: RevisionDelta
  readonly builder: IndexBuilder
  /** Whether the memory in use and `moreBytes` leave no room for more slots. */
  readonly isFull: (moreBytes: number) => Promise<boolean>
}

const OFFERINGS_PER_QUERY = 1000

/** Puts the slots that are new. Returns the number of those that were left out. */
export async function putInserted({ changes, builder, isFull }: SlotChange): Promise<number> {
  let leftOut = 0
  let pending = 0
  for await (const slots of changes.inserted()) {
    if (await isFull(pending * PENDING_SLOT_BYTES)) {
      leftOut += slots.length
      continue
    }
    await putUnknownOfferings({ changes, builder }, slots)
    builder.put(slots)
    pending += slots.length
  }
  return leftOut
}

/** Puts the offerings of slots that are unknown. */
export async function putUnknownOfferings(
  { changes, builder }: Pick<SlotChange, 'changes' | 'builder'>,
  slots: readonly { readonly offeringId: number }[],
): Promise<void> {
  const unknown = [...new Set(slots.map(({ offeringId }) => offeringId).filter((id) => !builder.hasOffering(id)))]
  for (let at = 0; at < unknown.length; at += OFFERINGS_PER_QUERY) {
    const offerings = await changes.offerings(unknown.slice(at, at + OFFERINGS_PER_QUERY))
    builder.putOfferings(offerings.map(({ id, json }) => ({ id, offering: JSON.parse(json) })))
  }
}
