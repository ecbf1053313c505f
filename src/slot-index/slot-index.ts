// Hot path

import type { SlotQuery } from '../slot/slot-query.ts'
import { groupIn, IndexState, type ListGroup } from './index-state.ts'
import { NarrowedLists } from './narrowed-lists.ts'
import { countOpen, type OpenCount } from './open-counts.ts'
import { type Allocate, PagePaste } from './page-paste.ts'
import { EVERYWHERE, groupNumber, placeFor, placesByState } from './places.ts'
import { PostingList, PostingListBuilder } from './posting-list.ts'
import { SlotChange } from './slot-change.ts'
import { STATUS_NUMBER, STATUS_NUMBERS } from './slot-rows.ts'

/** What is shown: a revision, and the store whose revision it is. */
export interface Shown {
  readonly store: number
  readonly revision: number
}

/** One page of a list of slots. */
export interface Page {
  /** `{"slots":[…],"total":n}` as UTF-8, in the memory that the caller gave. */
  readonly body: Buffer
  /** How many slots match in all. */
  readonly total: number
}

/** How many slots begin in each of some stretches of time. */
export interface StartCounts {
  /** Whatever their state: a slot of several counts once. */
  readonly all: readonly number[]
  /** In each state that occurs, or in that which was asked for; undefined stands for slots of no state. */
  readonly byState: ReadonlyMap<string | undefined, readonly number[]>
}

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
  #shown: Shown = { store: 0, revision: 0 }
  /** No slot ends before this time. */
  #nextEndMs = Number.NEGATIVE_INFINITY
  #version = ''

  /** The revision of the store that is shown; 0 before the first commit. */
  get revision(): number {
    return this.#shown.revision
  }

  /**
   * Equal versions mean equal answers, on every node of a store: slots only leave the open lists as time goes by, so at one
   * revision their number says which are left. Good until the next `select()`, `advance()` or `commit()`.
   */
  get version(): string {
    return this.#version
  }

  /** How many slots of all statuses are held, ended ones included. */
  get length(): number {
    return STATUS_NUMBERS.reduce((sum, status) => sum + this.#everywhere(status).all.length, 0)
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

  /**
   * How many of the slots that a query asks for begin in each stretch of time: from one edge (milliseconds since 1970,
   * ascending) to before the next. Of the query's own bounds only that counts whether there is a first: without it, slots
   * that have ended are left out. Costs a search for each edge and state.
   */
  countStarts(query: SlotQuery, edgesMs: readonly number[], nowMs: number): StartCounts {
    this.advance(nowMs)
    const { rows, groups } = this.#state
    const countsAt = (place: number) => {
      const list = this.#listFor(query, place)
      const before = edgesMs.map((edgeMs) => list.countBefore(edgeMs, rows))
      return before.slice(1).map((count, n) => count - before[n])
    }
    const all = countsAt(placeFor(query))
    if (query.state !== undefined) return { all, byState: new Map([[query.state, all]]) }
    const places = [...placesByState(groups.keys(), query)]
    return { all, byState: new Map(places.map(([state, place]) => [state, countsAt(place)])) }
  }

  /** How many slots of each publisher are open: see `countOpen()`. */
  countOpen(nowMs: number): Map<string, OpenCount> {
    this.advance(nowMs)
    return countOpen(this.#state)
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
  commit(change: SlotChange, shown: Shown): void {
    if (change.state !== this.#state) {
      this.#state = change.state
      this.#paste = new PagePaste(this.#state)
    }
    this.#state.groups = change.groups
    this.#shown = shown
    this.#nextEndMs = Number.NEGATIVE_INFINITY
    this.#renew()
  }

  #listFor(query: SlotQuery, place = placeFor(query)): PostingList {
    const group = this.#state.groupAt(groupNumber(place, STATUS_NUMBER[query.status]))
    return this.#narrowed.narrow(query.startAfterMs === undefined ? group.open : group.all, query)
  }

  #everywhere(status: number): ListGroup {
    return this.#state.groupAt(groupNumber(EVERYWHERE, status))
  }

  #sweep(nowMs: number): void {
    const { rows, offerings } = this.#state
    const ended = new Map<number, PostingListBuilder>()
    this.#nextEndMs = Number.POSITIVE_INFINITY
    for (const status of STATUS_NUMBERS) {
      for (const row of this.#endedBy(nowMs, status)) {
        for (const place of offerings.places[rows.offeringOf(row)]) {
          const number = groupNumber(place, status)
          const gone = ended.get(number) ?? new PostingListBuilder()
          ended.set(number, gone)
          gone.push(row)
        }
      }
    }
    if (ended.size > 0) this.#close(ended)
  }

  /** The open slots of a status that have ended, in order; looks out for the next end on the way. */
  *#endedBy(nowMs: number, status: number): Generator<number, void> {
    const { rows } = this.#state
    const { open } = this.#everywhere(status)
    for (let position = 0; position < open.length; position++) {
      const row = open.at(position) as number
      if (rows.startOf(row) > nowMs) {
        // No slot ends before it starts.
        this.#nextEndMs = Math.min(this.#nextEndMs, rows.startOf(row))
        return
      }
      if (rows.endOf(row) <= nowMs) yield row
      else this.#nextEndMs = Math.min(this.#nextEndMs, rows.endOf(row))
    }
  }

  #close(ended: ReadonlyMap<number, PostingListBuilder>): void {
    const { rows } = this.#state
    const groups = new Map(this.#state.groups)
    for (const [number, builder] of ended) {
      const { all, ...before } = groupIn(groups, number)
      const gone = builder.build()
      groups.set(number, {
        all,
        ended: atOnce(before.ended.merge(gone, PostingList.EMPTY, rows)),
        open: atOnce(before.open.merge(PostingList.EMPTY, gone, rows)),
      })
    }
    this.#state.groups = groups
    this.#renew()
  }

  #renew(): void {
    this.#narrowed = new NarrowedLists(this.#state)
    const open = STATUS_NUMBERS.reduce((sum, status) => sum + this.#everywhere(status).open.length, 0)
    this.#version = `${this.#shown.store}.${this.#shown.revision}.${open}`
  }
}

/** The outcome of work that nobody has to wait for. */
function atOnce<Outcome>(work: Generator<void, Outcome>): Outcome {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
