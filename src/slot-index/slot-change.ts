import type { Offering } from '../slot/slot.ts'
import { groupNumber } from './buckets.ts'
import { groupIn, type IndexState, type ListGroup } from './index-state.ts'
import { PostingList, PostingListBuilder } from './posting-list.ts'
import { retireRows } from './retire-rows.ts'
import { RowVector } from './row-vector.ts'
import { columnsOf, type SlotBatch } from './slot-batch.ts'
import { ID_LENGTH } from './slot-rows.ts'

/** What one group of lists gains and loses, in order. `ended`: those gained that have ended already. */
interface GroupChange {
  readonly added: PostingListBuilder
  readonly ended: PostingListBuilder
  readonly removed: PostingListBuilder
}

/**
 * The next state of the index in the making, beside the one that is served: nothing of it shows until
 * `SlotIndex.commit()`, which only exchanges references.
 *
 *     remove* → putOfferings, put* → merge → (commit) → retire
 *
 * Every step is a generator that yields after some microseconds of work, so that whoever runs it decides how long
 * requests may wait. A slot is found by its id until it is retired, and from when it is put: whoever looks one up asks the
 * lists whether they show the row. A change that is given up leaves rows behind: start again with a whole change.
 */
export class SlotChange {
  readonly state: IndexState
  /** The lists as they will be. */
  readonly groups: Map<number, ListGroup>
  readonly #nowMs: number
  readonly #born = new RowVector()
  readonly #dying = new RowVector()

  constructor(state: IndexState, nowMs: number) {
    this.state = state
    this.groups = new Map(state.groups)
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
  *remove(gone: Uint8Array): Generator<void, void> {
    const { rows, ids } = this.state
    const bytes = Buffer.from(gone.buffer, gone.byteOffset, gone.length)
    for (let at = 0; at < bytes.length; at += ID_LENGTH) {
      const row = ids.find(bytes, at, (found) => !rows.isLeaving(found))
      if (row === undefined) {
        const id = bytes.toString('latin1', at, at + ID_LENGTH)
        throw new Error(`Cannot remove slot: its id must be in the index: got "${id}"`)
      }
      rows.leave(row)
      this.#dying.push(row)
      if (at % (64 * ID_LENGTH) === 0) yield
    }
  }

  /** Slots that come. Throws if one refers to an offering that was not put. */
  *put(batch: SlotBatch): Generator<void, void> {
    const { rows, ids, offerings } = this.state
    const { startsMs, endsMs, offeringIds, idBits, jsonEnds, statuses, json } = columnsOf(batch)
    yield* ids.reserve(batch.count)
    for (let n = 0, from = 0; n < batch.count; from = jsonEnds[n++]) {
      const offering = offerings.find(offeringIds[n])
      if (offering === undefined) {
        throw new Error(`Cannot put slot: its offering must be put before it: got ${offeringIds[n]}`)
      }
      const row = rows.add({
        startMs: startsMs[n],
        endMs: endsMs[n],
        idHigh: idBits[n * 4],
        idLow: idBits[n * 4 + 1],
      })
      rows.fill(row, statuses[n], offering, { source: json, from, to: jsonEnds[n] })
      offerings.retain(offering)
      ids.add(row)
      this.#born.push(row)
      if (n % 32 === 0) yield
    }
  }

  /** Makes the next lists. `order`: the slots put, by their place of arrival, in order of (start, id). */
  *merge(order: Uint32Array): Generator<void, void> {
    const changes = new Map<number, GroupChange>()
    for (let n = 0; n < order.length; n++) {
      const row = this.#born.rows[order[n]]
      this.#note(changes, row, 'added')
      if (this.state.rows.endOf(row) <= this.#nowMs) this.#note(changes, row, 'ended')
      if (n % 64 === 0) yield
    }
    for (let n = 0; n < this.#dying.length; n++) {
      this.#note(changes, this.#dying.rows[n], 'removed')
      if (n % 64 === 0) yield
    }
    for (const [number, change] of changes) {
      const merged = yield* this.#mergeGroup(groupIn(this.groups, number), change)
      if (merged.all.length === 0) this.groups.delete(number)
      else this.groups.set(number, merged)
    }
  }

  /** Frees what went, as far as no moment is open that has it. Only after the commit, and at once: until then it is served. */
  retire(): Generator<void, void> {
    return retireRows(this.state, this.#dying)
  }

  /** Notes a row with all groups that it is in. */
  #note(changes: Map<number, GroupChange>, row: number, what: keyof GroupChange): void {
    const { rows, offerings } = this.state
    const status = rows.statusOf(row)
    for (const bucket of offerings.buckets[rows.offeringOf(row)]) {
      const number = groupNumber(bucket, status)
      let change = changes.get(number)
      if (change === undefined) {
        change = {
          added: new PostingListBuilder(),
          ended: new PostingListBuilder(),
          removed: new PostingListBuilder(),
        }
        changes.set(number, change)
      }
      change[what].push(row)
    }
  }

  *#mergeGroup(group: ListGroup, change: GroupChange): Generator<void, ListGroup> {
    const { rows } = this.state
    const removed = change.removed.build()
    const all = yield* group.all.merge(change.added.build(), removed, rows)
    const ended = yield* group.ended.merge(change.ended.build(), removed, rows)
    return { all, ended, open: yield* all.merge(PostingList.EMPTY, ended, rows) }
  }
}
