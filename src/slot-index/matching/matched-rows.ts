// Hot path

import { defined } from '../../lib/optional.ts'
import type { Steps } from '../../lib/steps.ts'
import type { SlotFilters } from '../../slot/slot-filters.ts'
import { type IndexContent, STATUS_NUMBER } from '../index-content.ts'
import type { RunState } from '../runs/levels.ts'
import { isByOffering } from './filter-plan.ts'
import { MatchSequence, type RunPart } from './match-sequence.ts'
import type { OpenRows } from './open-rows.ts'
import { partOfRun, type RowFilter, type RowSource, RunMatches, wholeRun } from './run-matches.ts'
import { SlotMatches } from './slot-matches.ts'
import type { RowWindow } from './window-counts.ts'

/** Rows that are tested one by one between two pauses: some 100 microseconds. */
const TESTED_PER_STEP = 50_000
/** Runs that are searched between two pauses. */
const RUNS_PER_STEP = 400

/** The rows of a state of the index that match filters and `extra`. Pauses only if many rows have to be tested. */
export function* matchRows(
  content: IndexContent,
  open: OpenRows,
  filters: SlotFilters,
  extra?: Partial<RowFilter>,
): Steps<SlotMatches> {
  const plans = yield* content.tables.planner.plan(filters)
  return yield* matchPlans(content, open, filters, extra === undefined ? plans : plans.map((plan) => both(plan, extra)))
}

/** The rows that pass any of some plans. `window`: the filters on status and start. */
export function matchPlans(
  content: IndexContent,
  open: OpenRows,
  window: RowWindow,
  plans: readonly RowFilter[],
): Steps<SlotMatches> {
  return match(content, { window, open, partsMax: Number.POSITIVE_INFINITY }, plans)
}

/** As `matchRows()`, but only some of the matches; among them is the earliest. */
export function* matchEarliest(content: IndexContent, open: OpenRows, filters: SlotFilters): Steps<SlotMatches> {
  const plans = yield* content.tables.planner.plan(filters)
  return yield* match(content, { window: filters, open, partsMax: 1 }, plans)
}

/** The rows of some offerings that match: those in the window of the start, as all filters on offerings match them. */
export function* matchOfferings(
  content: IndexContent,
  open: OpenRows,
  filters: SlotFilters,
  few: Uint32Array,
): Steps<SlotMatches> {
  const { status, startAfterMs, startBeforeMs } = filters
  const window = isByOffering(filters) ? { status, ...defined({ startAfterMs, startBeforeMs }) } : filters
  return yield* matchRows(content, open, window, { few, tests: [content.tables.planner.bitmaps.of(few)] })
}

function* match(content: IndexContent, search: Search, plans: readonly RowFilter[]): Steps<SlotMatches> {
  const { zero, one } = content.levels[STATUS_NUMBER[search.window.status]]
  const sequences: MatchSequence[] = []
  for (const plan of plans) {
    for (let n = -1; n < zero.length; n++) {
      const runs = new RunSearch(n === -1 ? one : [zero[n]], plan, search)
      while (!runs.advance()) yield
      if (runs.parts.length > 0) sequences.push(new MatchSequence(runs.parts))
    }
  }
  return new SlotMatches(sequences)
}

function both(plan: RowFilter, { terms = [], tests = [], few = plan.few }: Partial<RowFilter>): RowFilter {
  return { ...plan, terms: [...plan.terms, ...terms], tests: [...plan.tests, ...tests], few }
}

interface Search {
  readonly window: RowWindow
  readonly open: OpenRows
  /** The number of parts with matches after which the search of consecutive runs ends. */
  readonly partsMax: number
}

/** Finds the matches in runs of which each ends before the next begins: of the rows in progress, then of those that start later. */
class RunSearch {
  readonly parts: RunPart[] = []
  readonly #states: readonly RunState[]
  readonly #filter: RowFilter
  readonly #search: Search
  readonly #fromMs: number
  readonly #toMs: number
  #next = 0
  #tested = 0

  constructor(states: readonly RunState[], filter: RowFilter, search: Search) {
    const { startAfterMs, startBeforeMs = Number.POSITIVE_INFINITY } = search.window
    this.#states = states
    this.#filter = filter
    this.#search = search
    this.#fromMs = startAfterMs ?? search.open.baseMs + 1
    this.#toMs = startBeforeMs
    if (startAfterMs === undefined) this.#findRunning()
  }

  /** Searches some runs; false if there are more. A generator for each of a dozen searches of a query would take a microsecond. */
  advance(): boolean {
    let runs = 0
    while (this.#next < this.#states.length) {
      const { run, from, gone } = this.#states[this.#next++]
      if (run.lastStartMs < this.#fromMs || run.firstStartMs > this.#toMs) continue
      const firstRow = this.#fromMs <= run.firstStartMs ? from : Math.max(from, run.rankOfStart(this.#fromMs))
      this.#find(wholeRun(run, gone), firstRow, this.#fromMs, this.#toMs)
      if (++runs < RUNS_PER_STEP && this.#tested < TESTED_PER_STEP) continue
      this.#tested = 0
      return false
    }
    return true
  }

  #findRunning(): void {
    const { baseMs, running } = this.#search.open
    for (const state of this.#states) {
      const subset = running.get(state)
      if (subset === undefined) continue
      this.#find(partOfRun(state.run, subset), 0, Number.NEGATIVE_INFINITY, Math.min(baseMs, this.#toMs))
    }
  }

  #find(source: RowSource, firstRow: number, fromMs: number, toMs: number): void {
    if (this.parts.length === this.#search.partsMax) return
    const { run } = source
    const endRow = toMs >= run.lastStartMs ? run.length : run.rankOfStart(toMs + 1)
    const matches = RunMatches.of(source, { firstRow, endRow }, this.#filter)
    if (matches === undefined) return
    this.#tested += matches.tested
    const firstStartMs = Math.max(fromMs, run.firstStartMs)
    this.parts.push({ matches, firstStartMs, lastStartMs: Math.min(toMs, run.lastStartMs) })
  }
}
