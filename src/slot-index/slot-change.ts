import type { Offering } from '../slot/slot.ts'
import { idBitsAt } from './id-table.ts'
import type { IndexState } from './index-state.ts'
import { listNumber } from './places.ts'
import type { PostingList } from './posting-list.ts'
import type { SlotBatch } from './slot-batch.ts'
import { ID_LENGTH } from './slot-rows.ts'

/** What one posting list gains and loses, in order. */
interface ListChange {
  readonly added: number[]
  readonly removed: number[]
}

/**
 * The next state of the index in the making, beside the one that is served: nothing of it shows until
 * `SlotIndex.commit()`, which only exchanges references.
 *
 *     remove* → putOfferings, put* → merge → (commit) → retire
 *
 * Every step is a generator that yields after some microseconds of work, so that whoever runs it decides how long
 * requests may wait. A change that is given up leaves rows behind: start again with a whole change.
 */
export class SlotChange {
  readonly state: IndexState
  /** The lists as they will be. */
  lists: Map<number, PostingList>
  readonly #nowMs: number
  readonly #born: number[] = []
  readonly #dying: number[] = []

  constructor(state: IndexState, nowMs: number) {
    this.state = state
    this.lists = new Map(state.lists)
    this.#nowMs = nowMs
  }

  /** Takes in offerings that slots of this change refer to; those that are known are passed over. */
  *putOfferings(offerings: readonly { id: number; json: string }[]): Generator<void, void> {
    for (const { id, json } of offerings) {
      if (this.state.offerings.find(id) === undefined) {
        this.state.offerings.put(id, JSON.parse(json) as Offering)
      }
      yield
    }
  }

  /** Slots that go, or come back changed: see `packIds()`. Throws if one is not in the index. */
  *remove(ids: Uint8Array): Generator<void, void> {
    const bytes = Buffer.from(ids.buffer, ids.byteOffset, ids.length)
    for (let at = 0; at < bytes.length; at += ID_LENGTH) {
      const high = idBitsAt(bytes, at)
      const row = this.state.ids.find(high, idBitsAt(bytes, at + ID_LENGTH / 4), bytes, at)
      if (row === undefined) {
        const id = bytes.toString('latin1', at, at + ID_LENGTH)
        throw new Error(`Cannot remove slot: its id must be in the index: got "${id}"`)
      }
      this.state.ids.remove(row)
      this.#dying.push(row)
      if (at % (64 * ID_LENGTH) === 0) yield
    }
  }

  /** Slots that come. Throws if one refers to an offering that was not put. */
  *put(batch: SlotBatch): Generator<void, void> {
    const { rows, ids, offerings } = this.state
    const source = Buffer.from(batch.json.buffer, batch.json.byteOffset, batch.json.length)
    yield* ids.reserve(batch.count)
    for (let n = 0, from = 0; n < batch.count; from = batch.jsonEnds[n++]) {
      const offering = offerings.find(batch.offeringIds[n])
      if (offering === undefined)
        throw new Error(`Cannot put slot: its offering must be put before it: got ${batch.offeringIds[n]}`)
      const row = rows.add({
        startMs: batch.startsMs[n],
        endMs: batch.endsMs[n],
        idHigh: batch.idBits[n * 4],
        idLow: batch.idBits[n * 4 + 1],
      })
      rows.fill(row, batch.statuses[n], offering, { source, from, to: batch.jsonEnds[n] })
      offerings.retain(offering)
      ids.add(row)
      this.#born.push(row)
      if (n % 32 === 0) yield
    }
  }

  /** Makes the next lists. `order`: the slots put, by their place of arrival, in order of (start, id). */
  *merge(order: Uint32Array): Generator<void, void> {
    const changes = new Map<number, ListChange>()
    for (let n = 0; n < order.length; n++) {
      this.#note(changes, this.#born[order[n]], 'added')
      if (n % 64 === 0) yield
    }
    for (let n = 0; n < this.#dying.length; n++) {
      this.#note(changes, this.#dying[n], 'removed')
      if (n % 64 === 0) yield
    }
    for (const [number, change] of changes) {
      yield* this.state.mergeInto(this.lists, number, change.added, change.removed)
    }
  }

  /** Frees what went. Only after the commit: until then it is served. */
  *retire(): Generator<void, void> {
    const { rows, offerings } = this.state
    for (const row of this.#dying) {
      offerings.release(rows.offeringOf(row))
      rows.remove(row)
      yield
    }
    yield* rows.arena.compact(rows)
    yield* offerings.arena.compact(offerings)
  }

  #note(changes: Map<number, ListChange>, row: number, which: keyof ListChange): void {
    const { rows, offerings } = this.state
    const status = rows.statusOf(row)
    const open = rows.endOf(row) > this.#nowMs
    for (const place of offerings.places[rows.offeringOf(row)]) {
      changeOf(changes, listNumber(place, status, false))[which].push(row)
      // A slot that ended since is passed over when it is to be removed: it may be in the list still, or not.
      if (open || which === 'removed') changeOf(changes, listNumber(place, status, true))[which].push(row)
    }
  }
}

function changeOf(changes: Map<number, ListChange>, number: number): ListChange {
  let change = changes.get(number)
  if (change === undefined) {
    change = { added: [], removed: [] }
    changes.set(number, change)
  }
  return change
}
