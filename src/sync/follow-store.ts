import type { Offering } from '../slot/slot.ts'
import { primaryBucketOf } from '../slot-index/buckets.ts'
import { columnsOf, packIds, sortedOrder } from '../slot-index/slot-batch.ts'
import { SlotWindow } from '../slot-index/slot-window.ts'
import type { RevisionDelta, Revisions } from '../store/contracts/revision-feed.ts'
import type { Store } from '../store/contracts/store.ts'
import type { BatchPool, IndexMessage } from './index-messages.ts'

export interface StoreFollowerOptions {
  readonly send: Send
  readonly memory: BatchPool
  readonly from: Revisions | undefined
  /** Whether the receiver has no memory for more slots: those are left out, and counted at the end of the change. */
  readonly isFull?: () => boolean
}

/** Sends a message; resolves when the next one may be sent, for keys immediately. `transfer`: buffers to transfer with it. */
export type Send = (message: IndexMessage, transfer?: readonly ArrayBuffer[]) => Promise<void>

/** A change is visible within a second; most of that is reading time. */
export const POLL_MS = 200
const IDS_PER_MESSAGE = 20_000
const OFFERINGS_PER_MESSAGE = 1000
/** 20 MB during a full load, 1 MB otherwise. */
const WINDOW_SLOTS_WHOLE = 65_536
const WINDOW_SLOTS = 4096

/**
 * Tails the change log of the store and sends what changed between two committed revisions.
 *
 *     idle ──poll(): keys changed──> sending keys ──> idle
 *     idle ──poll(): slots changed──> sending slots (and changed keys in between) ──> idle
 *     any ──another store epoch, or an error while sending slots──> the next poll sends everything
 */
export class StoreFollower {
  readonly #store: Store
  readonly #send: Send
  readonly #memory: BatchPool
  readonly #isFull: () => boolean
  #epoch: number | undefined
  #slots: number | undefined
  #keys: number | undefined

  /** `from`: the revisions that the receiver has; without it, everything is sent. */
  constructor(store: Store, { send, memory, from, isFull = () => false }: StoreFollowerOptions) {
    this.#store = store
    this.#send = send
    this.#memory = memory
    this.#isFull = isFull
    this.#epoch = from?.epoch
    this.#slots = from?.slots
    this.#keys = from?.keys
  }

  /**
   * Sends the changes since the last poll. True if this was a full load. If the store cannot be read, it rejects and may be
   * called again.
   */
  async poll(): Promise<boolean> {
    const revisions = await this.#store.revisionFeed.revisions()
    if (revisions.epoch !== this.#epoch) this.#forget(revisions.epoch)
    if (revisions.keys !== this.#keys) await this.#sendKeys()
    if (revisions.slots === this.#slots) return false
    const sent = new AbortController()
    const keys = this.#keepSendingKeys(sent.signal)
    try {
      return await this.#sendSlots()
    } finally {
      sent.abort()
      await keys
    }
  }

  /** The revisions that have been sent. */
  get revisions(): Revisions {
    return { epoch: this.#epoch ?? 0, slots: this.#slots ?? 0, keys: this.#keys ?? 0 }
  }

  #forget(epoch: number): void {
    this.#epoch = epoch
    this.#slots = undefined
    this.#keys = undefined
  }

  async #sendKeys(): Promise<void> {
    const { keys, revision } = await this.#store.keys.changedSince(this.#keys ?? 0)
    await this.#send({ kind: 'keys', keys, whole: this.#keys === undefined })
    this.#keys = revision
  }

  /** Sends only the keys that changed since the last poll. Rejects if the store cannot be read. */
  async pollKeys(): Promise<void> {
    const { epoch, keys } = await this.#store.revisionFeed.revisions()
    if (epoch === this.#epoch && keys !== this.#keys) await this.#sendKeys()
  }

  /** A large change takes seconds, but a revoked key must be refused within one. */
  async #keepSendingKeys(signal: AbortSignal): Promise<void> {
    // Not a `Periodic`: the store ends the pause when it has changed.
    for (;;) {
      await this.#store.revisionFeed.wait(POLL_MS, signal)
      if (signal.aborted) return
      // The next poll reports the same error.
      await this.pollKeys().catch(() => undefined)
    }
  }

  async #sendSlots(): Promise<boolean> {
    const changes = await this.#store.revisionFeed.open(this.#slots)
    if (changes.epoch !== this.#epoch) {
      // A standby took over since the revisions were read: they belong to another epoch.
      await changes.close()
      return false
    }
    // A receiver cannot continue after half a change: if this fails, the next poll sends everything.
    this.#slots = undefined
    try {
      await this.#send({ kind: 'begin', whole: changes.whole })
      await this.#sendDeleted(changes)
      const { order, leftOut } = await this.#sendInserted(changes)
      const { revision, store } = changes
      await this.#send({ kind: 'end', order, leftOut, committed: { revision, store } }, [order.buffer as ArrayBuffer])
      this.#slots = changes.revision
      return changes.whole
    } finally {
      await changes.close()
    }
  }

  async #sendDeleted(changes: RevisionDelta): Promise<void> {
    const deleted: { id: string; startMs: number }[] = []
    for await (const piece of changes.deleted()) deleted.push(...piece)
    const ids = packIds(deleted)
    for (let at = 0; at < ids.length; at += IDS_PER_MESSAGE * 24) {
      await this.#send({ kind: 'deleted', ids: ids.slice(at, at + IDS_PER_MESSAGE * 24) })
    }
  }

  /** Sends the slots in windows, each offering before its first slot. Returns their order. */
  async #sendInserted(changes: RevisionDelta): Promise<{ order: Uint32Array; leftOut: number }> {
    const buckets = new Map<number, number>()
    const columns: OrderColumns = { starts: [], idBits: [] }
    const window = new SlotWindow(changes.whole ? WINDOW_SLOTS_WHOLE : WINDOW_SLOTS)
    let leftOut = 0
    for await (const slots of changes.inserted()) {
      if (this.#isFull()) {
        leftOut += slots.length
        continue
      }
      const unknown = new Set(slots.map((slot) => slot.offeringId)).difference(buckets)
      await this.#sendOfferings(changes, [...unknown], buckets)
      for (const slot of slots) {
        const bucket = buckets.get(slot.offeringId) ?? 0
        if (window.add(slot, bucket)) continue
        await this.#sendWindow(window, columns)
        window.add(slot, bucket)
      }
    }
    await this.#sendWindow(window, columns)
    const order = sortedOrder(joined(Float64Array, columns.starts), joined(Uint32Array, columns.idBits))
    return { order, leftOut }
  }

  async #sendOfferings(changes: RevisionDelta, ids: readonly number[], buckets: Map<number, number>): Promise<void> {
    for (let at = 0; at < ids.length; at += OFFERINGS_PER_MESSAGE) {
      const offerings = await changes.offerings(ids.slice(at, at + OFFERINGS_PER_MESSAGE))
      for (const { id, json } of offerings) buckets.set(id, primaryBucketOf(JSON.parse(json) as Offering))
      await this.#send({ kind: 'offerings', offerings })
    }
  }

  async #sendWindow(window: SlotWindow, columns: OrderColumns): Promise<void> {
    for (const batch of window.empty((bytes) => this.#memory.take(bytes))) {
      const { startsMs, idBits } = columnsOf(batch)
      columns.starts.push(startsMs.slice())
      columns.idBits.push(idBits.slice())
      await this.#send({ kind: 'inserted', batch }, [batch.memory])
    }
  }
}

/** The sort keys of all slots, one column per batch. */
interface OrderColumns {
  readonly starts: Float64Array[]
  readonly idBits: Uint32Array[]
}

function joined<Column extends Float64Array | Uint32Array>(
  type: new (length: number) => Column,
  pieces: readonly Column[],
): Column {
  const whole = new type(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
