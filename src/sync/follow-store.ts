import { packIds, packSlots, sortedOrder } from '../slot-index/slot-batch.ts'
import type { ChangeSet, Store } from '../store/store.ts'
import type { FollowMessage } from './follow-messages.ts'

/** Hands a message on, and resolves when there is room for the next. `transfer`: memory that goes along. */
export type Send = (message: FollowMessage, transfer?: readonly ArrayBuffer[]) => Promise<void>

/** How often the store is asked whether anything changed: a change shows within a second, most of it for the reading. */
export const POLL_MS = 200
const IDS_PER_MESSAGE = 20_000
const OFFERINGS_PER_MESSAGE = 1000

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

  /** Sends the slots as they come, each offering ahead of the first slot that refers to it, and returns their order. */
  async #sendBorn(changes: ChangeSet): Promise<Uint32Array> {
    const sent = new Set<number>()
    const starts: Float64Array[] = []
    const idBits: Uint32Array[] = []
    for await (const slots of changes.born()) {
      await this.#sendOfferings(changes, new Set(slots.map((slot) => slot.offeringId)).difference(sent))
      for (const slot of slots) sent.add(slot.offeringId)
      const batch = packSlots(slots)
      starts.push(batch.startsMs.slice())
      idBits.push(batch.idBits.slice())
      const columns = [
        batch.startsMs,
        batch.endsMs,
        batch.idBits,
        batch.statuses,
        batch.offeringIds,
        batch.json,
        batch.jsonEnds,
      ]
      await this.#send(
        { kind: 'born', batch },
        columns.map((column) => column.buffer as ArrayBuffer),
      )
    }
    return sortedOrder(joined(Float64Array, starts), joined(Uint32Array, idBits))
  }

  async #sendOfferings(changes: ChangeSet, ids: ReadonlySet<number>): Promise<void> {
    const wanted = [...ids]
    for (let at = 0; at < wanted.length; at += OFFERINGS_PER_MESSAGE) {
      const offerings = await changes.offerings(wanted.slice(at, at + OFFERINGS_PER_MESSAGE))
      await this.#send({ kind: 'offerings', offerings })
    }
  }
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
