import type { Offering } from '../slot/slot.ts'
import { groupIn, groupNumber, type ListGroup } from './buckets.ts'
import type { IndexState } from './index-state.ts'
import { PostingList, PostingListBuilder } from './posting-list.ts'
import { RowVector } from './row-vector.ts'
import { columnsOf, type SlotBatch } from './slot-batch.ts'
import { ID_LENGTH } from './slot-rows.ts'

/** Rows added to and removed from one list group, in order. `ended` has the added rows that have ended already. */
interface GroupChange {
  readonly added: PostingListBuilder
  readonly ended: PostingListBuilder
  readonly removed: PostingListBuilder
}

/**
 * A pending change of the index. Nothing of it is visible until `SlotIndex.commit()`, which only replaces references.
 *
 *     remove* → putOfferings, put* → merge → (commit) → retire
 *
 * Every step is a generator that yields after some microseconds of work, so that its runner decides how long requests may
 * wait. A slot can be found by its id from `put()` until it is retired; a look-up checks in the lists that the row is
 * committed. An abandoned change leaves rows behind: start again with a whole change.
 */
export class SlotChange {
  readonly state: IndexState
  /** The lists after the commit. */
  readonly groups: Map<number, ListGroup>
  readonly #nowMs: number
  readonly #born = new RowVector()
  readonly #dying = new RowVector()

  constructor(state: IndexState, nowMs: number) {
    this.state = state
    this.groups = new Map(state.groups)
    this.#nowMs = nowMs
  }

  /** Adds offerings that slots of this change refer to; known offerings are skipped. */
  *putOfferings(offerings: readonly { id: number; json: string }[]): Generator<void, void> {
    for (const { id, json } of offerings) {
      if (this.state.offerings.find(id) === undefined) {
        this.state.offerings.put(id, JSON.parse(json) as Offering)
      }
      yield
    }
  }

  /**
   * Marks deleted and updated slots (see `packIds()`). One that is not in the index was left out; throws if none was.
   */
  *remove(gone: Uint8Array): Generator<void, void> {
    const { rows, ids } = this.state
    const bytes = Buffer.from(gone.buffer, gone.byteOffset, gone.length)
    for (let at = 0; at < bytes.length; at += ID_LENGTH) {
      const row = ids.find(bytes, at, (found) => !rows.isLeaving(found))
      if (row === undefined && this.state.missing > 0) {
        this.state.missing--
        continue
      }
      if (row === undefined) {
        const id = bytes.toString('latin1', at, at + ID_LENGTH)
        throw new Error(`Cannot remove slot "${id}": it is not in the index`)
      }
      rows.leave(row)
      this.#dying.push(row)
      if (at % (64 * ID_LENGTH) === 0) yield
    }
  }

  /** Adds slots. Throws if one refers to an unknown offering. */
  *put(batch: SlotBatch): Generator<void, void> {
    const { rows, ids, offerings } = this.state
    const { startsMs, endsMs, offeringIds, idBits, jsonEnds, statuses, json } = columnsOf(batch)
    yield* ids.reserve(batch.count)
    for (let n = 0, from = 0; n < batch.count; from = jsonEnds[n++]) {
      const offering = offerings.find(offeringIds[n])
      if (offering === undefined) {
        throw new Error(`Cannot add slot: its offering ${offeringIds[n]} is not in the index`)
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

  /** Builds the next lists. `order` is the permutation that sorts the added slots by (start, id). */
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

  /** Frees the removed rows that no open snapshot can see. Call it directly after the commit. */
  retire(): Generator<void, void> {
    return retireRows(this.state, this.#dying)
  }

  /** Records a row in the changes of all its groups. */
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

/**
 * Removes deleted rows from the id table and frees them; rows that an open snapshot can see are freed when it closes.
 * Must not run during a change, which relies on the offerings it has found. Yields between small steps.
 */
export function* retireRows(state: IndexState, gone: RowVector): Generator<void, void> {
  const { ids, snapshots } = state
  snapshots.defer(gone)
  for (let n = 0; n < gone.length; n++) {
    ids.remove(gone.rows[n])
    yield
  }
  yield* retireFreed(state)
}

/** Frees rows that were retained for snapshots which have been closed. */
export function* retireFreed(state: IndexState): Generator<void, void> {
  const { rows, offerings, snapshots } = state
  for (let freed = snapshots.takeFreed(); freed !== undefined; freed = snapshots.takeFreed()) {
    for (let n = 0; n < freed.length; n++) {
      const row = freed.rows[n]
      offerings.release(rows.offeringOf(row))
      rows.remove(row)
      yield
    }
  }
  yield* rows.arena.compact(rows)
  yield* offerings.arena.compact(offerings)
}
