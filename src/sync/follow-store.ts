import type { Offering } from '../slot/slot.ts'
import { homeOf } from '../slot-index/places.ts'
import { packIds, packSlots, type SlotBatch, sortedOrder } from '../slot-index/slot-batch.ts'
import type { BornSlot, ChangeSet, Store } from '../store/store.ts'
import type { FollowMessage } from './follow-messages.ts'

/** Hands a message on, and resolves when there is room for the next. `transfer`: memory that goes along. */
export type Send = (message: FollowMessage, transfer?: readonly ArrayBuffer[]) => Promise<void>

/** How often the store is asked whether anything changed: a change shows within a second, most of it for the reading. */
export const POLL_MS = 200
const IDS_PER_MESSAGE = 20_000
const OFFERINGS_PER_MESSAGE = 1000
const SLOTS_PER_MESSAGE = 4000
/** 16 MB of slots, more or less. */
const WINDOW_SLOTS = 65_536

/**
 * Follows the store from one committed moment to the next, and hands on what changed.
 *
 *     look → nothing new: look again after POLL_MS
 *          → keys changed: send them
 *          → slots changed: open the changes since, send them, look again
 */
export class StoreFollower {
  readonly #store: Store
  readonly #send: Send
  #slots: number | undefined
  #keys: number | undefined

  constructor(store: Store, send: Send) {
    this.#store = store
    this.#send = send
  }

  /** Sends what was committed since the last time. Rejects if the store cannot be read; it may then be called again. */
  async look(): Promise<void> {
    const revisions = await this.#store.changes.revisions()
    if (revisions.keys !== this.#keys) await this.#sendKeys()
    if (revisions.slots !== this.#slots) await this.#sendSlots()
  }

  async #sendKeys(): Promise<void> {
    const { keys, revision } = await this.#store.keys.changedSince(this.#keys ?? 0)
    await this.#send({ kind: 'keys', keys })
    this.#keys = revision
  }

  async #sendSlots(): Promise<void> {
    const changes = await this.#store.changes.open(this.#slots)
    // Whoever gets half a change can only start anew: should this fail, the next time is from nothing.
    this.#slots = undefined
    try {
      await this.#send({ kind: 'begin', whole: changes.whole })
      await this.#sendDied(changes)
      const order = await this.#sendBorn(changes)
      await this.#send({ kind: 'end', order, revision: changes.revision }, [order.buffer as ArrayBuffer])
      this.#slots = changes.revision
    } finally {
      await changes.close()
    }
  }

  async #sendDied(changes: ChangeSet): Promise<void> {
    const died: { id: string; startMs: number }[] = []
    for await (const piece of changes.died()) died.push(...piece)
    const ids = packIds(died)
    for (let at = 0; at < ids.length; at += IDS_PER_MESSAGE * 24) {
      await this.#send({ kind: 'died', ids: ids.slice(at, at + IDS_PER_MESSAGE * 24) })
    }
  }

  /**
   * Sends the slots in windows, and returns the order of all. Within a window, slots that are often asked for together
   * go together (by place, then start), because the index keeps bytes in the order in which they come.
   */
  async #sendBorn(changes: ChangeSet): Promise<Uint32Array> {
    const homes = new Map<number, number>()
    const columns: OrderColumns = { starts: [], idBits: [] }
    let window: BornSlot[] = []
    for await (const slots of changes.born()) {
      const unknown = new Set(slots.map((slot) => slot.offeringId)).difference(homes)
      await this.#sendOfferings(changes, [...unknown], homes)
      window = window.concat(slots)
      if (window.length < WINDOW_SLOTS) continue
      await this.#sendWindow(window, homes, columns)
      window = []
    }
    await this.#sendWindow(window, homes, columns)
    return sortedOrder(joined(Float64Array, columns.starts), joined(Uint32Array, columns.idBits))
  }

  async #sendOfferings(
    changes: ChangeSet,
    ids: readonly number[],
    homes: Map<number, number>,
  ): Promise<void> {
    for (let at = 0; at < ids.length; at += OFFERINGS_PER_MESSAGE) {
      const offerings = await changes.offerings(ids.slice(at, at + OFFERINGS_PER_MESSAGE))
      for (const { id, json } of offerings) homes.set(id, homeOf(JSON.parse(json) as Offering))
      await this.#send({ kind: 'offerings', offerings })
    }
  }

  async #sendWindow(
    window: BornSlot[],
    homes: ReadonlyMap<number, number>,
    columns: OrderColumns,
  ): Promise<void> {
    const homeOfSlot = (slot: BornSlot) => homes.get(slot.offeringId) ?? 0
    window.sort((a, b) => homeOfSlot(a) - homeOfSlot(b) || a.startMs - b.startMs || (a.id < b.id ? -1 : 1))
    for (let at = 0; at < window.length; at += SLOTS_PER_MESSAGE) {
      const batch = packSlots(window.slice(at, at + SLOTS_PER_MESSAGE))
      columns.starts.push(batch.startsMs.slice())
      columns.idBits.push(batch.idBits.slice())
      await this.#send({ kind: 'born', batch }, buffersOf(batch))
    }
  }
}

/** What the order of all slots depends on, batch by batch. */
interface OrderColumns {
  readonly starts: Float64Array[]
  readonly idBits: Uint32Array[]
}

function buffersOf(batch: SlotBatch): ArrayBuffer[] {
  const columns = [batch.startsMs, batch.endsMs, batch.idBits, batch.statuses, batch.offeringIds]
  return [...columns, batch.json, batch.jsonEnds].map((column) => column.buffer as ArrayBuffer)
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
