// Hot path

import { SLOT_STATUSES, type SlotStatus } from '../slot/slot.ts'
import type { SlotQuery } from '../slot/slot-query.ts'
import { IndexState } from './index-state.ts'
import { NarrowedLists } from './narrowed-lists.ts'
import { type Allocate, PagePaste } from './page-paste.ts'
import { listNumber, placeFor } from './places.ts'
import type { PostingList } from './posting-list.ts'
import { SlotChange } from './slot-change.ts'
import { STATUS_NUMBERS } from './slot-rows.ts'

/** One page of a list of slots. */
export interface Page {
  /** `{"slots":[…],"total":n}` as UTF-8, in the memory that the caller gave. */
  readonly body: Buffer
  /** How many slots match in all. */
  readonly total: number
}

const STATUS_NUMBER = Object.fromEntries(SLOT_STATUSES.map((status, number) => [status, number])) as Record<
  SlotStatus,
  number
>

/**
 * Every slot in memory, answering a SlotQuery at a cost that does not grow with their number.
 *
 * It shows one committed state at a time: a change is prepared aside (`begin()`) and shown by `commit()`. Besides
 * commits, only time changes an answer, when slots end. Knows no clock: the caller says what time it is, and time
 * does not run backwards.
 */
export class SlotIndex {
  #state = new IndexState()
  #narrowed = new NarrowedLists(this.#state)
  #paste = new PagePaste(this.#state)
  #revision = 0
  /** No slot ends before this time. */
  #nextEndMs = Number.NEGATIVE_INFINITY
  #version = ''

  /** The revision of the store that is shown; 0 before the first commit. */
  get revision(): number {
    return this.#revision
  }

  /**
   * Equal versions mean equal answers, on every node: slots only leave the open lists as time goes by, so at one
   * revision their number says which are left. Good until the next `select()`, `advance()` or `commit()`.
   */
  get version(): string {
    return this.#version
  }

  /** How many slots of all statuses are held, ended ones included. */
  get length(): number {
    return STATUS_NUMBERS.reduce((sum, status) => sum + this.#listAt(0, status, false).length, 0)
  }

  /** The page that a query asks for. Without `startAfterMs`, slots that have ended by `nowMs` are left out. */
  select(query: SlotQuery, nowMs: number, allocate: Allocate = Buffer.allocUnsafeSlow): Page {
    this.advance(nowMs)
    const list = this.#listFor(query)
    const { rows } = this.#state
    const from = query.startAfterMs === undefined ? 0 : list.countBefore(query.startAfterMs, rows)
    const to =
      query.startBeforeMs === undefined ? list.length : list.countBefore(query.startBeforeMs + 1, rows)
    const total = Math.max(0, to - from)
    const first = Math.min(query.offset, total)
    const last = Math.min(first + query.limit, total)
    const bounds = { from: from + first, to: from + last, total }
    return { body: this.#paste.page(list, bounds, allocate), total }
  }

  /** Takes slots that have ended out of the lists of the open. To be called before `version` is compared. */
  advance(nowMs: number): void {
    if (nowMs >= this.#nextEndMs) this.#sweep(nowMs)
  }

  /** Starts a change. `whole`: from nothing, instead of from what is held. One at a time. */
  begin(whole: boolean, nowMs: number): SlotChange {
    return new SlotChange(whole ? new IndexState() : this.#state, nowMs)
  }

  /** Shows a change whose lists are merged. */
  commit(change: SlotChange, revision: number): void {
    if (change.state !== this.#state) {
      this.#state = change.state
      this.#paste = new PagePaste(this.#state)
    }
    this.#state.lists = change.lists
    this.#revision = revision
    this.#nextEndMs = Number.NEGATIVE_INFINITY
    this.#renew()
  }

  #listFor(query: SlotQuery): PostingList {
    const number = listNumber(placeFor(query), STATUS_NUMBER[query.status], query.startAfterMs === undefined)
    return this.#narrowed.narrow(number, query)
  }

  #listAt(place: number, status: number, open: boolean): PostingList {
    return this.#state.listAt(listNumber(place, status, open))
  }

  #sweep(nowMs: number): void {
    const { rows, offerings } = this.#state
    const ended = new Map<number, number[]>()
    let nextEndMs = Number.POSITIVE_INFINITY
    for (const status of STATUS_NUMBERS) {
      const open = this.#listAt(0, status, true)
      const begun = open.countBefore(nowMs + 1, rows)
      for (let position = 0; position < begun; position++) {
        const row = open.at(position)
        const endMs = rows.endOf(row)
        if (endMs > nowMs) {
          nextEndMs = Math.min(nextEndMs, endMs)
          continue
        }
        for (const place of offerings.places[rows.offeringOf(row)]) {
          const number = listNumber(place, status, true)
          const gone = ended.get(number)
          if (gone === undefined) ended.set(number, [row])
          else gone.push(row)
        }
      }
      // No slot ends before it starts.
      if (begun < open.length) nextEndMs = Math.min(nextEndMs, rows.startOf(open.at(begun)))
    }
    this.#nextEndMs = nextEndMs
    this.#drop(ended)
  }

  #drop(ended: ReadonlyMap<number, number[]>): void {
    if (ended.size === 0) return
    const lists = new Map(this.#state.lists)
    for (const [number, rows] of ended) {
      for (const _ of this.#state.mergeInto(lists, number, [], rows));
    }
    this.#state.lists = lists
    this.#renew()
  }

  #renew(): void {
    this.#narrowed = new NarrowedLists(this.#state)
    const open = STATUS_NUMBERS.reduce((sum, status) => sum + this.#listAt(0, status, true).length, 0)
    this.#version = `${this.#revision}.${open}`
  }
}
