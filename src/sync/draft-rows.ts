import type { Origin } from '../feeds/connector.ts'
import { nextTurn } from '../lib/next-turn.ts'
import type { EncodedSlot, Offering } from '../slot/slot.ts'
import type { SlotDraft, SnapshotWriter, StoredSlot } from '../store/contracts/snapshots.ts'

/** Rows per transaction: about ten milliseconds of the store's write lock. The store finds at most 5,000 ids at once. */
export const CHUNK_MAX = 4000

/** A slot to store, and where it was read. */
export interface PutSlot {
  readonly slot: EncodedSlot
  readonly origin: Origin
}

/** Changes to write in one transaction. */
export interface RowBatch {
  readonly inserts: SlotDraft[]
  readonly deletes: number[]
  readonly moves: { key: number; part: number; fingerprint: number }[]
}

/** The row versions of one sync. Once the signal is aborted, its methods throw the reason. */
export class DraftRows {
  readonly #writer: SnapshotWriter
  readonly #signal: AbortSignal
  readonly #offeringIds = new WeakMap<Offering, number>()
  #recent: { readonly offering?: Offering; readonly id: number } = { id: 0 }

  constructor(writer: SnapshotWriter, signal: AbortSignal) {
    this.#writer = writer
    this.#signal = signal
  }

  /** Stores the offerings that are new to this sync. */
  async intern(puts: readonly PutSlot[]): Promise<void> {
    const unseen = new Set<Offering>()
    let recent: Offering | undefined
    for (const { slot } of puts) {
      // Neighboring slots share an offering, and a lookup takes ten times as long as a comparison.
      if (slot.offering === recent) continue
      recent = slot.offering
      if (!this.#offeringIds.has(recent)) unseen.add(recent)
    }
    if (unseen.size === 0) return
    const offerings = [...unseen]
    const ids = await this.#writer.putOfferings(offerings)
    for (let at = 0; at < offerings.length; at++) this.#offeringIds.set(offerings[at], ids[at])
  }

  /** The row of a slot whose offering was interned. */
  draftOf({ slot, origin }: PutSlot): SlotDraft {
    const offeringId = this.#idOf(slot)
    return {
      id: slot.id,
      offeringId,
      status: slot.status,
      startMs: slot.startMs,
      endMs: slot.endMs,
      json: slot.json,
      part: origin.part,
      fingerprint: origin.fingerprint,
    }
  }

  #idOf({ id, offering }: EncodedSlot): number {
    if (offering === this.#recent.offering) return this.#recent.id
    const offeringId = this.#offeringIds.get(offering)
    if (offeringId === undefined) throw new Error(`Cannot draft slot "${id}": its offering is not stored`)
    this.#recent = { offering, id: offeringId }
    return offeringId
  }

  async write(batch: RowBatch): Promise<void> {
    if (batch.inserts.length + batch.deletes.length + batch.moves.length === 0) return
    this.#signal.throwIfAborted()
    await this.#writer.write(batch)
    // A store in this process answers without ever leaving the microtask queue: timers, the network and a request to
    // stop are processed here.
    await nextTurn()
  }
}

/** Adds what makes the stored slot the new one. Returns what happened to the slot. */
export function addDifference(
  batch: RowBatch,
  draft: SlotDraft,
  stored: StoredSlot | undefined,
): 'added' | 'changed' | 'same' {
  if (stored === undefined) {
    batch.inserts.push(draft)
    return 'added'
  }
  if (!isEqual(draft, stored)) {
    batch.inserts.push({ ...draft, replaces: stored.key })
    batch.deletes.push(stored.key)
    return 'changed'
  }
  if (draft.part !== stored.part || draft.fingerprint !== stored.fingerprint)
    batch.moves.push({ key: stored.key, part: draft.part, fingerprint: draft.fingerprint })
  return 'same'
}

function isEqual(draft: SlotDraft, stored: StoredSlot): boolean {
  return draft.json === stored.json && draft.offeringId === stored.offeringId && draft.status === stored.status
}
