import type { Offering } from '../slot/slot.ts'
import { primaryBucketOf } from '../slot-index/buckets.ts'
import { columnsOf, packIds, sortedOrder } from '../slot-index/slot-batch.ts'
import { SlotWindow } from '../slot-index/slot-window.ts'
import type { RevisionDelta, Revisions } from '../store/contracts/revision-feed.ts'
import type { Store } from '../store/contracts/store.ts'
import type { BatchPool, IndexMessage } from './index-messages.ts'

/** What the store is followed with. */
export interface FollowParts {
  readonly send: Send
  readonly memory: BatchPool
  readonly from: Revisions | undefined
}

/** Hands a message on, and resolves when there is room for the next; for keys there always is. `transfer`: memory that goes along. */
export type Send = (message: IndexMessage, transfer?: readonly ArrayBuffer[]) => Promise<void>

/** How often the store is asked whether anything changed: a change shows within a second, most of it for the reading. */
export const POLL_MS = 200
const IDS_PER_MESSAGE = 20_000
const OFFERINGS_PER_MESSAGE = 1000
/** 20 MB for as long as everything is read, 1 MB otherwise. */
const WINDOW_SLOTS_WHOLE = 65_536
const WINDOW_SLOTS = 4096

/**
 * Follows the store from one committed moment to the next, and hands on what changed.
 *
 *     look → nothing new: look again after POLL_MS
 *          → keys changed: send them
 *          → slots changed: open the changes since, send them (looking for keys meanwhile), look again
 */
export class StoreFollower {
  readonly #store: Store
  readonly #send: Send
  readonly #memory: BatchPool
  #history: number | undefined
  #slots: number | undefined
  #keys: number | undefined

  /** `from`: what is known already; without it everything is told. */
  constructor(store: Store, { send, memory, from }: FollowParts) {
    this.#store = store
    this.#send = send
    this.#memory = memory
    this.#history = from?.epoch
    this.#slots = from?.slots
    this.#keys = from?.keys
  }

  /**
   * Sends what was committed since the last time. True if that was everything there is, beginning with nothing.
   * Rejects if the store cannot be read; it may then be called again.
   */
  async look(): Promise<boolean> {
    const revisions = await this.#store.revisionFeed.revisions()
    if (revisions.epoch !== this.#history) this.#forget(revisions.epoch)
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

  /** What has been told, after `look()`. */
  get revisions(): Revisions {
    return { epoch: this.#history ?? 0, slots: this.#slots ?? 0, keys: this.#keys ?? 0 }
  }

  #forget(history: number): void {
    this.#history = history
    this.#slots = undefined
    this.#keys = undefined
  }

  async #sendKeys(): Promise<void> {
    const { keys, revision } = await this.#store.keys.changedSince(this.#keys ?? 0)
    await this.#send({ kind: 'keys', keys, whole: this.#keys === undefined })
    this.#keys = revision
  }

  /** Sends the keys that changed since the last time, and nothing else. Rejects if the store cannot be read. */
  async lookForKeys(): Promise<void> {
    const { epoch: history, keys } = await this.#store.revisionFeed.revisions()
    if (history === this.#history && keys !== this.#keys) await this.#sendKeys()
  }

  /** A large change takes seconds, and a revoked key is to be refused within one. */
  async #keepSendingKeys(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#store.revisionFeed.wait(POLL_MS, signal)
      if (signal.aborted) return
      // The next look meets what went wrong as well, and says so.
      await this.lookForKeys().catch(() => undefined)
    }
  }

  async #sendSlots(): Promise<boolean> {
    const changes = await this.#store.revisionFeed.open(this.#slots)
    if (changes.epoch !== this.#history) {
      // A standby took over since the revisions were asked for: what was known before means nothing.
      await changes.close()
      return false
    }
    // Whoever gets half a change can only start anew: should this fail, the next time is from nothing.
    this.#slots = undefined
    try {
      await this.#send({ kind: 'begin', whole: changes.whole })
      await this.#sendDied(changes)
      const order = await this.#sendBorn(changes)
      const { revision, store } = changes
      await this.#send({ kind: 'end', order, committed: { revision, store } }, [order.buffer as ArrayBuffer])
      this.#slots = changes.revision
      return changes.whole
    } finally {
      await changes.close()
    }
  }

  async #sendDied(changes: RevisionDelta): Promise<void> {
    const died: { id: string; startMs: number }[] = []
    for await (const piece of changes.deleted()) died.push(...piece)
    const ids = packIds(died)
    for (let at = 0; at < ids.length; at += IDS_PER_MESSAGE * 24) {
      await this.#send({ kind: 'deleted', ids: ids.slice(at, at + IDS_PER_MESSAGE * 24) })
    }
  }

  /** Sends the slots window by window, each offering ahead of its first slot, and returns the order of all. */
  async #sendBorn(changes: RevisionDelta): Promise<Uint32Array> {
    const homes = new Map<number, number>()
    const columns: OrderColumns = { starts: [], idBits: [] }
    const window = new SlotWindow(changes.whole ? WINDOW_SLOTS_WHOLE : WINDOW_SLOTS)
    for await (const slots of changes.inserted()) {
      const unknown = new Set(slots.map((slot) => slot.offeringId)).difference(homes)
      await this.#sendOfferings(changes, [...unknown], homes)
      for (const slot of slots) {
        const home = homes.get(slot.offeringId) ?? 0
        if (window.add(slot, home)) continue
        await this.#sendWindow(window, columns)
        window.add(slot, home)
      }
    }
    await this.#sendWindow(window, columns)
    return sortedOrder(joined(Float64Array, columns.starts), joined(Uint32Array, columns.idBits))
  }

  async #sendOfferings(
    changes: RevisionDelta,
    ids: readonly number[],
    homes: Map<number, number>,
  ): Promise<void> {
    for (let at = 0; at < ids.length; at += OFFERINGS_PER_MESSAGE) {
      const offerings = await changes.offerings(ids.slice(at, at + OFFERINGS_PER_MESSAGE))
      for (const { id, json } of offerings) homes.set(id, primaryBucketOf(JSON.parse(json) as Offering))
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

/** What the order of all slots depends on, batch by batch. */
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
