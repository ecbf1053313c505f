// Hot path

import { runAtOnce, type Steps } from '../lib/steps.ts'
import type { Position } from '../slot/cursor.ts'
import type { SlotFilters } from '../slot/slot-filters.ts'
import type { SlotQuery } from '../slot/slot-query.ts'
import { type CommittedRevision, emptyContent, type IndexContent } from './index-content.ts'
import { IndexView } from './index-view.ts'
import { OpenRows } from './matching/open-rows.ts'
import { RunningRowsCache } from './matching/running-rows.ts'
import { prepareCounts } from './matching/window-counts.ts'
import type { Allocate } from './page.ts'
import { runsIn, shownRowsOf } from './runs/levels.ts'
import { idBitsOf } from './slot-ids.ts'
import { type IndexSnapshot, OpenSnapshots } from './snapshots/open-snapshots.ts'
import { SnapshotReader } from './snapshots/snapshot-reader.ts'

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
 * Reads an index of all slots, which an `IndexBuilder` builds, possibly in another thread. The cost of a query grows with the logarithm
 * of the number of slots.
 *
 * Queries see one committed state: `show()` replaces it. Besides, only time changes a result, when slots end. The caller passes the
 * current time, which may be set back.
 */
export class SlotIndex {
  readonly #snapshots: OpenSnapshots
  readonly #running = new RunningRowsCache()
  #content = emptyContent()
  #open = new OpenRows(this.#content, Number.NEGATIVE_INFINITY)
  #view = new IndexView(this.#content, this.#open)

  constructor(snapshots = new OpenSnapshots()) {
    this.#snapshots = snapshots
  }

  get committed(): CommittedRevision {
    return this.#content.committed
  }

  /** The committed store revision; 0 before the first commit. */
  get revision(): number {
    return this.committed.revision
  }

  /**
   * Equal versions mean equal results on every node of a store: between commits slots only end, so the revision and the number of open
   * slots identify the state. Valid until the next `select()`, `advance()` or `show()`.
   */
  get version(): string {
    return this.#view.version
  }

  /** Number of slots of all statuses, including those that have ended. */
  get length(): number {
    return runsIn(this.#content.levels).reduce((sum, state) => sum + shownRowsOf(state), 0)
  }

  /** Slots of the store that are left out because memory is full. */
  get missing(): number {
    return this.#content.missing
  }

  /** Shows another state; ended slots are left out as of `nowMs`. */
  show(content: IndexContent, nowMs = this.#open.baseMs): void {
    this.#content = content
    this.#snapshots.trim(content)
    this.#renew(nowMs)
  }

  /**
   * Makes the lists of slots in progress that this state needs now, and those after the next of its slots starts or ends, if that is soon.
   * Otherwise the next query makes them without a pause, in a microsecond per slot in progress. Also sums the free slots that start later.
   */
  *prepare(nowMs: number, content: IndexContent = this.#content): Steps<void> {
    const { levels, tables } = content
    const time = { nowMs, untilMs: nowMs + AHEAD_MS }
    for (const [n, { run }] of runsIn(levels).entries()) {
      if (n % RUNS_PER_STEP === 0) yield
      yield* this.#running.prepare(run, time, tables.offerings.groups)
    }
    yield* prepareCounts(content, 'free', nowMs)
  }

  /** The committed state at this time. Without `startAfterMs`, its queries leave out slots that have ended by `nowMs`. */
  view(nowMs: number): IndexView {
    this.advance(nowMs)
    return this.#view
  }

  /** Returns one page of a query's slots. */
  select(query: SlotQuery, nowMs: number, allocate: Allocate = Buffer.allocUnsafeSlow): Page {
    return runAtOnce(this.view(nowMs).select(query, allocate))
  }

  /** The JSON of a slot by its id, of any status, ended or not; undefined if there is none. Looks into every run. */
  find(id: string): Buffer | undefined {
    if (!ID_FORM.test(id)) return undefined
    const idBits = idBitsOf(id)
    for (const [status, levels] of this.#content.levels.entries()) {
      for (const { run, from, gone } of runsIn([levels])) {
        const row = run.find(idBits)
        if (row < from || gone?.has(row) === true) continue
        return Buffer.from(this.#content.tables.writers[status].textOf(run, row))
      }
    }
    return undefined
  }

  /**
   * Counts the slots of a query that start in each interval [edge, next edge); edges are ascending Unix milliseconds.
   * Ignores the query's own bounds, except that without `startAfterMs` slots that have ended are left out.
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
    const view = this.view(now())
    const snapshot = this.openSnapshot()
    let reader: SnapshotReader | undefined
    try {
      reader = new SnapshotReader(snapshot, [{ status: query.status, matches: yield* view.matches(query) }])
      return reader
    } finally {
      if (reader === undefined) snapshot.close()
    }
  }

  /** Runs steps that may pause on one committed state: that of the time when they start. */
  *inSteps<Result>(now: () => number, work: (view: IndexView) => Steps<Result>): Steps<Result> {
    return yield* work(this.view(now()))
  }

  /**
   * Opens an MVCC snapshot of the committed state, ended slots included. The index closes it itself if too much memory is kept by
   * snapshots alone.
   */
  openSnapshot(): IndexSnapshot {
    return this.#snapshots.open(this.#content, this.#open)
  }

  /** Leaves out slots that have ended; shows them again if the clock was set back. Call it before comparing `version`. */
  advance(nowMs: number): void {
    if (nowMs >= this.#open.nextEndMs || nowMs < this.#open.baseMs) this.#renew(nowMs)
  }

  #renew(nowMs: number): void {
    this.#open = new OpenRows(this.#content, nowMs, this.#running)
    this.#view = new IndexView(this.#content, this.#open)
  }
}

/** Several times the pause between two calls of `prepare()`. */
const AHEAD_MS = 5000
const RUNS_PER_STEP = 256
const ID_FORM = /^[0-9a-v]{24}$/
