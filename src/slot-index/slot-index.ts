// Hot path

import type { Position } from '../slot/cursor.ts'
import { Circle } from '../slot/geo-radius.ts'
import type { SlotFilters } from '../slot/slot-filters.ts'
import type { SlotQuery } from '../slot/slot-query.ts'
import { ALL_SLOTS_BUCKET, bucketFor, bucketsByState, groupNumber } from './buckets.ts'
import { FilteredLists, type ListPart } from './filtered-lists.ts'
import { groupIn, IndexState, type ListGroup } from './index-state.ts'
import type { IndexSnapshot } from './open-snapshots.ts'
import { type Allocate, PageCopier } from './page-copier.ts'
import { countThrough, positionOf } from './page-positions.ts'
import { PostingList, PostingListBuilder } from './posting-list.ts'
import { retireFreed } from './retire-rows.ts'
import { SlotChange } from './slot-change.ts'
import { SlotCounts } from './slot-counts.ts'
import { STATUS_NUMBERS } from './slot-rows.ts'
import { SnapshotReader } from './snapshot-reader.ts'

/** What is shown: a revision, and the store whose revision it is. */
export interface CommittedRevision {
  readonly store: number
  readonly revision: number
}

/** One page of a list of slots. */
export interface Page {
  /** `{"slots":[…],"total":n}` as UTF-8, in the memory that the caller gave. */
  readonly body: Buffer
  /** How many slots match in all. */
  readonly total: number
  /** Where the page ends, if others follow it and the query has a cursor. */
  readonly last: Position | undefined
  /**
   * If nothing matches and the query bounds the start: the start, in milliseconds since 1970, of the first slot that would
   * match without these bounds and has not ended.
   */
  readonly nextStartMs: number | undefined
}

/** How many slots begin in each of some stretches of time. */
export interface StartCounts {
  /** Whatever their state: a slot of several counts once. */
  readonly all: readonly number[]
  /** In each state that occurs, or in those which were asked for; undefined stands for slots of no state. */
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
  #lists = new FilteredLists(this.#state)
  #paste = new PageCopier(this.#state)
  #counts: SlotCounts | undefined
  #shown: CommittedRevision = { store: 0, revision: 0 }
  /** No slot ends before this time. */
  #nextEndMs = Number.NEGATIVE_INFINITY
  #version = ''
  /** Of the state before the last whole load: it may have moments that are still open. */
  #formerSnapshots = this.#state.snapshots
  #onFreed = () => {}

  get shown(): CommittedRevision {
    return this.#shown
  }

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
    const circle = circleOf(query)
    const part = circle === undefined ? this.#part(query) : this.#byDistance(query, circle)
    const { list, from } = part
    const total = part.to - from
    const after = query.cursor?.after
    const first =
      after === undefined ? Math.min(query.offset, total) : countThrough(part, after, this.#state, circle)
    const end = Math.min(first + query.limit, total)
    const body = this.#paste.page(list, { from: from + first, to: from + end, total }, allocate)
    const row = query.cursor !== undefined && end < total ? list.at(from + end - 1) : undefined
    return {
      body,
      total,
      last: row === undefined ? undefined : positionOf(row, this.#state, circle),
      nextStartMs: total === 0 ? this.#nextStart(query) : undefined,
    }
  }

  /** The JSON of a slot by its id: of any status, and whether or not it has ended. Undefined if it is not held. */
  find(id: string): Buffer | undefined {
    if (!ID_FORM.test(id)) return undefined
    const row = this.#state.ids.find(Buffer.from(id, 'latin1'), 0, (found) => this.#isShown(found))
    return row === undefined ? undefined : this.#paste.slot(row)
  }

  /**
   * How many of the slots that a query asks for begin in each stretch of time: from one edge (milliseconds since 1970,
   * ascending) to before the next. Of the query's own bounds only that counts whether there is a first: without it, slots
   * that have ended are left out. Costs a search for each edge and state.
   */
  countStarts(query: SlotQuery, edgesMs: readonly number[], nowMs: number): StartCounts {
    this.advance(nowMs)
    const { rows, groups } = this.#state
    const countsAt = (bucket: number) => {
      const list = this.#lists.listFor(query, bucket)
      const before = edgesMs.map((edgeMs) => list.countBefore(edgeMs, rows))
      return before.slice(1).map((count, n) => count - before[n])
    }
    const all = countsAt(bucketFor(query))
    const buckets = query.states?.map(
      (state) => [state, bucketFor({ ...query, states: [state] })] as const,
    ) ?? [...bucketsByState(groups.keys(), query)]
    return { all, byState: new Map(buckets.map(([state, bucket]) => [state, countsAt(bucket)])) }
  }

  /** All slots that `select()` has pages of, to be taken piece by piece, as they are now. It holds what is shown: see `hold()`. */
  open(query: SlotFilters & Pick<SlotQuery, 'sort'>, nowMs: number): SnapshotReader {
    this.advance(nowMs)
    const circle = circleOf(query)
    return new SnapshotReader(
      this.openSnapshot(),
      circle === undefined ? this.#part(query) : this.#byDistance(query, circle),
    )
  }

  /**
   * What is shown now, to be read for as long as it is open; ended slots included. Rows that go meanwhile are kept, so it is
   * to be closed; if too many are, or all is loaded anew twice, it is closed from here.
   */
  openSnapshot(): IndexSnapshot {
    const shows = { state: this.#state, groups: this.#state.groups, shown: this.#shown }
    return this.#state.snapshots.open(shows, () => this.#onFreed())
  }

  /** Who is to run `retireFreed()` once there is something to free. */
  whenFreed(listener: () => void): void {
    this.#onFreed = listener
  }

  /** Frees what waited for cuts and moments that have been closed. Not while a change is in the making: its own end does it. */
  retireFreed(): Generator<void, void> {
    return retireFreed(this.#state)
  }

  /** What counts slots instead of listing them. Good until the next `select()`, `advance()` or `commit()`. */
  counts(nowMs: number): SlotCounts {
    this.advance(nowMs)
    this.#counts ??= new SlotCounts(this.#state, (filters) => this.#part(filters))
    return this.#counts
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
  commit(change: SlotChange, shown: CommittedRevision): void {
    if (change.state !== this.#state) {
      // Of two states before, none is held: that would be as much memory again.
      this.#formerSnapshots.closeAll()
      this.#formerSnapshots = this.#state.snapshots
      this.#state = change.state
      this.#paste = new PageCopier(this.#state)
    }
    this.#state.groups = change.groups
    this.#shown = shown
    this.#nextEndMs = Number.NEGATIVE_INFINITY
    this.#renew()
  }

  /** The rows that match, in order of (start, id). */
  #part(query: SlotFilters): ListPart {
    const { rows } = this.#state
    const list = this.#lists.listFor(query)
    const { startAfterMs, startBeforeMs } = query
    const from = startAfterMs === undefined ? 0 : list.countBefore(startAfterMs, rows)
    const to = startBeforeMs === undefined ? list.length : list.countBefore(startBeforeMs + 1, rows)
    return { list, from, to: Math.max(from, to) }
  }

  #byDistance(query: SlotFilters, circle: Circle): ListPart {
    return this.#lists.byDistance(query, circle, this.#part(query))
  }

  /** When the first slot that has not ended would start, if a query that bounds the start did not. */
  #nextStart({ startAfterMs, startBeforeMs, ...unbounded }: SlotFilters): number | undefined {
    if (startAfterMs === undefined && startBeforeMs === undefined) return undefined
    const first = this.#lists.listFor(unbounded).at(0)
    return first === undefined ? undefined : this.#state.rows.startOf(first)
  }

  /** Whether a row's slot is of the state that is shown, and not of a change in the making. */
  #isShown(row: number): boolean {
    const { rows } = this.#state
    return this.#everywhere(rows.statusOf(row)).all.includes(row, rows)
  }

  #everywhere(status: number): ListGroup {
    return this.#state.groupAt(groupNumber(ALL_SLOTS_BUCKET, status))
  }

  #sweep(nowMs: number): void {
    const { rows, offerings } = this.#state
    const ended = new Map<number, PostingListBuilder>()
    this.#nextEndMs = Number.POSITIVE_INFINITY
    for (const status of STATUS_NUMBERS) {
      for (const row of this.#endedBy(nowMs, status)) {
        for (const bucket of offerings.buckets[rows.offeringOf(row)]) {
          const number = groupNumber(bucket, status)
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
    this.#lists = new FilteredLists(this.#state)
    this.#counts = undefined
    const open = STATUS_NUMBERS.reduce((sum, status) => sum + this.#everywhere(status).open.length, 0)
    this.#version = `${this.#shown.store}.${this.#shown.revision}.${open}`
  }
}

const ID_FORM = /^[0-9a-v]{24}$/

/** What the list is in order of the distance from, if it is. */
function circleOf({ sort, near }: SlotFilters & Pick<SlotQuery, 'sort'>): Circle | undefined {
  return sort === 'distance' && near !== undefined ? new Circle(near) : undefined
}

/** The outcome of work that nobody has to wait for. */
function atOnce<Outcome>(work: Generator<void, Outcome>): Outcome {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
