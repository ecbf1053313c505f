import type { SnapshotDraft } from '../../feeds/connector.ts'
import { encodeOffering, encodeSlot } from '../../slot/encode-slot.ts'
import type { Slot } from '../../slot/slot.ts'

const SAMPLES_MAX = 3

/** The first slots of a publication, as callers will see them. */
export class SlotSamples {
  readonly #slots: Slot[] = []

  get shown(): readonly unknown[] {
    return this.#slots.map((slot) => JSON.parse(encodeSlot(slot) + encodeOffering(slot.offering)))
  }

  /** The same draft, seen by this. */
  watch(draft: SnapshotDraft): SnapshotDraft {
    return {
      memory: draft.memory,
      recall: () => draft.recall(),
      keep: (fingerprint) => draft.keep(fingerprint),
      keepPart: (part) => draft.keepPart(part),
      put: (slot, origin) => {
        if (this.#slots.length < SAMPLES_MAX && this.#slots.every(({ id }) => id !== slot.id))
          this.#slots.push(slot)
        draft.put(slot, origin)
      },
      reject: (rejected) => draft.reject(rejected),
      withhold: () => draft.withhold(),
      flush: () => draft.flush(),
    }
  }
}
