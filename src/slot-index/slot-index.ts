// Hot path

import { runAtOnce, type Steps } from '../lib/steps.ts'
import type { Position } from '../slot/cursor.ts'
import type { SlotFilters } from '../slot/slot-filters.ts'
import type { SlotQuery } from '../slot/slot-query.ts'
import { ALL_SLOTS_BUCKET, groupIn, groupNumber, type ListGroup } from './buckets.ts'
import { IndexState } from './index-state.ts'
import { IndexView } from './index-view.ts'
import type { IndexSnapshot } from './open-snapshots.ts'
import { type Allocate, PageCopier } from './page-copier.ts'
import { PostingList, PostingListBuilder } from './posting-list.ts'
import { retireFreed, SlotChange } from './slot-change.ts'
import type { SlotCounts } from './slot-counts.ts'
import { STATUS_NUMBERS } from './slot-rows.ts'
import { SnapshotReader } from './snapshot-reader.ts'

/** A committed revision and the number of the store it belongs to. */
export interface CommittedRevision {
  readonly store: number
  readonly revision: number
}

/** One page of a list of slots. */
export interface Page {
  /** `{"slots":[…],"total":n}` as UTF-8, in memory from the caller's allocator. */
  readonly body: Buffer
  /** Number of matching slots. */
  readonly total: number
  /** Position of the last slot, if more slots follow and the query has a cursor. */
  readonly last: Position | undefined
  /** Set if nothing matches and the query bounds the start: Unix milliseconds of the first open match without bounds. */
  readonly nextStartMs: number | undefined
}

/** Number of slots that start in each of several time intervals. */
export interface StartCounts {
  /** In any state; a slot of several states counts once. */
  readonly all: readonly number[]
  /** By state, for the requested states or all that occur; the key undefined is for slots without a state. */
  readonly byState: ReadonlyMap<string | undefined, readonly number[]>
}

/**
 * An in-memory index of all slots. The cost of a query does not grow with the number of slots.
 *
 * Queries see one committed state: `begin()` prepares a change beside it and `commit()` publishes the change. Besides
 * commits, only time changes a result, when slots end. The caller passes the current time, which must not decrease.
 */
export class SlotIndex {
  #state = new IndexState()
  #paste = new PageCopier(this.#state)
  #view = new IndexView(this.#state, '', this.#paste)
  #committed: CommittedRevision = { store: 0, revision: 0 }
  /** No slot ends before this time. */
  #nextEndMs = Number.NEGATIVE_INFINITY
  /** Open snapshots of the state before the last full load. */
  #formerSnapshots = this.#state.snapshots
  #onFreed = () => {}

  get committed(): CommittedRevision {
    return this.#committed
  }

  /** The committed store revision; 0 before the first commit. */
  get revision(): number {
    return this.#committed.revision
  }

  /**
   * Equal versions mean equal results on every node of a store: between commits slots only leave the open lists, so the
   * revision and the number of open slots identify the state. Valid until the next `select()`, `advance()` or `commit()`.
   */
  get version(): string {
    return this.#view.version
  }

  /** Number of slots of all statuses, including those that have ended. */
  get length(): number {
    return STATUS_NUMBERS.reduce((sum, status) => sum + this.#everywhere(status).all.length, 0)
  }

  /** Slots of the store that are left out because memory is full. */
  get missing(): number {
    return this.#state.missing
  }

  /**
   * The committed state at this time, for queries. Its steps must not pause, because rows may be freed meanwhile: see `inSteps()`. Without
   * `startAfterMs`, its queries leave out slots that have ended by `nowMs`.
   */
  view(nowMs: number): IndexView {
    this.advance(nowMs)
    return this.#view
  }

  /** Returns one page of a query's slots. */
  select(query: SlotQuery, nowMs: number, allocate: Allocate = Buffer.allocUnsafeSlow): Page {
    const view = this.view(nowMs)
    return view.trySelect(query, allocate) ?? runAtOnce(view.select(query, allocate))
  }

  /** The JSON of a slot by its id, of any status, ended or not; undefined if there is none. */
  find(id: string): Buffer | undefined {
    if (!ID_FORM.test(id)) return undefined
    const row = this.#state.ids.find(Buffer.from(id, 'latin1'), 0, (found) => this.#isShown(found))
    return row === undefined ? undefined : this.#paste.slot(row)
  }

  /**
   * Counts the slots of a query that start in each interval [edge, next edge); edges are ascending Unix milliseconds.
   * Ignores the query's own bounds, except that without `startAfterMs` slots that have ended are left out. Costs one
   * binary search per edge and state.
   */
  countStarts(query: SlotQuery, edgesMs: readonly number[], nowMs: number): StartCounts {
    return runAtOnce(this.view(nowMs).countStarts(query, edgesMs))
  }

  /** Opens a reader over all slots of a query as of now. It keeps a snapshot open until it is closed. */
  open(query: SlotFilters & Pick<SlotQuery, 'sort'>, nowMs: number): SnapshotReader {
    return runAtOnce(this.openInSteps(query, () => nowMs))
  }

  /** As `open()`, in steps that may pause. */
  *openInSteps(query: SlotFilters & Pick<SlotQuery, 'sort'>, now: () => number): Steps<SnapshotReader> {
    const { snapshot, result } = yield* this.#inSnapshot(now, (view) => view.part(query))
    return new SnapshotReader(snapshot, result)
  }

  /**
   * Runs steps that may pause on one committed state: that of the time when they start. Starts over if the index has to close the
   * snapshot of that state.
   */
  *inSteps<Result>(now: () => number, work: (view: IndexView) => Steps<Result>): Steps<Result> {
    const { snapshot, result } = yield* this.#inSnapshot(now, work)
    snapshot.close()
    return result
  }

  /** The caller closes the snapshot, unless the steps are abandoned. */
  *#inSnapshot<Result>(
    now: () => number,
    work: (view: IndexView) => Steps<Result>,
  ): Steps<{ snapshot: IndexSnapshot; result: Result }> {
    for (;;) {
      const view = this.view(now())
      const snapshot = this.openSnapshot()
      let isDone = false
      try {
        const steps = work(view)
        while (snapshot.isOpen) {
          const step = steps.next()
          isDone = step.done === true
          if (step.done === true) return { snapshot, result: step.value }
          yield
        }
      } finally {
        if (!isDone) snapshot.close()
      }
    }
  }

  /**
   * Opens an MVCC snapshot of the committed state, ended slots included. Deleted rows are retained until it is closed.
   * The index closes it itself if too many rows are retained or after two full loads.
   */
  openSnapshot(): IndexSnapshot {
    const shows = { state: this.#state, groups: this.#state.groups, committed: this.#committed }
    return this.#state.snapshots.open(shows, () => this.#onFreed())
  }

  /** Registers the listener that runs `retireFreed()` when there are rows to free. */
  whenFreed(listener: () => void): void {
    this.#onFreed = listener
  }

  /** Frees rows that were retained for closed snapshots. Must not run during a change, which does it at its end. */
  retireFreed(): Generator<void, void> {
    return retireFreed(this.#state)
  }

  /** Counts instead of lists. As `view()`: its steps must not pause. */
  counts(nowMs: number): SlotCounts {
    return this.view(nowMs).counts
  }

  /** Removes slots that have ended from the open lists. Call it before comparing `version`. */
  advance(nowMs: number): void {
    if (nowMs >= this.#nextEndMs) this.#sweep(nowMs)
  }

  /** Starts a change, one at a time; with `whole` from an empty index. */
  begin(whole: boolean, nowMs: number): SlotChange {
    return new SlotChange(whole ? new IndexState() : this.#state, nowMs)
  }

  /** Publishes a change whose lists are merged. */
  commit(change: SlotChange, committed: CommittedRevision): void {
    if (change.state !== this.#state) {
      // Snapshots of at most one former state stay open: each costs as much memory as the index.
      this.#formerSnapshots.closeAll()
      this.#formerSnapshots = this.#state.snapshots
      this.#state = change.state
      this.#paste = new PageCopier(this.#state)
    }
    this.#state.groups = change.groups
    this.#committed = committed
    this.#nextEndMs = Number.NEGATIVE_INFINITY
    this.#renew()
  }

  /** Whether a row belongs to the committed state and not to a pending change. */
  #isShown(row: number): boolean {
    const { rows } = this.#state
    return this.#everywhere(rows.statusOf(row)).all.includes(row, rows)
  }

  #everywhere(status: number): ListGroup {
    return groupIn(this.#state.groups, groupNumber(ALL_SLOTS_BUCKET, status))
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

  /** The open slots of a status that have ended, in order; updates the time of the next end. */
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
        ended: runAtOnce(before.ended.merge(gone, PostingList.EMPTY, rows)),
        open: runAtOnce(before.open.merge(PostingList.EMPTY, gone, rows)),
      })
    }
    this.#state.groups = groups
    this.#renew()
  }

  #renew(): void {
    const open = STATUS_NUMBERS.reduce((sum, status) => sum + this.#everywhere(status).open.length, 0)
    const version = `${this.#committed.store}.${this.#committed.revision}.${open}`
    this.#view = new IndexView(this.#state, version, this.#paste)
  }
}

const ID_FORM = /^[0-9a-v]{24}$/
