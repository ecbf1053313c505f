// Hot path
import type { Steps } from '../lib/steps.ts'
import type { SlotFilters } from '../slot/slot-filters.ts'
import { type IndexContent, STATUS_NUMBER } from './index-content.ts'
import { MatchSequence, type RunPart } from './match-sequence.ts'
import type { OpenRows } from './open-rows.ts'
import { partOfRun, type RowFilter, type RowSource, RunMatches, wholeRun } from './run-matches.ts'
import type { RunState } from './runs/levels.ts'
import { SlotMatches } from './slot-matches.ts'

/** Rows that are tested one by one between two pauses: some 100 microseconds. */
const TESTED_PER_STEP = 50_000
/** Runs that are searched between two pauses. */
const RUNS_PER_STEP = 400

/** The rows of a state of the index that match filters and `extra`. Pauses only if many rows have to be tested. */
export function matchRows(
  content: IndexContent,
  open: OpenRows,
  filters: SlotFilters,
  extra?: Partial<RowFilter>,
): Steps<SlotMatches> {
  return match(content, { filters, open, partsMax: Number.POSITIVE_INFINITY }, extra)
}

/** As `matchRows()`, but only some of the matches; among them is the earliest. */
export function matchEarliest(content: IndexContent, open: OpenRows, filters: SlotFilters): Steps<SlotMatches> {
  return match(content, { filters, open, partsMax: 1 })
}

function* match(content: IndexContent, search: Search, extra?: Partial<RowFilter>): Steps<SlotMatches> {
  const { filters } = search
  const plans = (yield* content.tables.planner.plan(filters)).map((plan) =>
    extra === undefined ? plan : both(plan, extra),
  )
  const { zero, one } = content.levels[STATUS_NUMBER[filters.status]]
  const sequences: MatchSequence[] = []
  for (const plan of plans) {
    for (const states of [one, ...zero.map((state) => [state])]) {
      const sequence = new MatchSequence(yield* matchRuns(states, plan, search))
      if (sequence.count > 0) sequences.push(sequence)
    }
  }
  return new SlotMatches(sequences)
}

function both(plan: RowFilter, { terms = [], tests = [], few = plan.few }: Partial<RowFilter>): RowFilter {
  return { ...plan, terms: [...plan.terms, ...terms], tests: [...plan.tests, ...tests], few }
}

interface Search {
  readonly filters: SlotFilters
  readonly open: OpenRows
  /** In runs that follow each other, the search ends with so many parts that have matches. */
  readonly partsMax: number
}

/** The matches in runs of which each ends before the next begins: of the rows in progress, then of those that start later. */
function* matchRuns(states: readonly RunState[], filter: RowFilter, search: Search): Steps<RunPart[]> {
  const { startAfterMs, startBeforeMs = Number.POSITIVE_INFINITY } = search.filters
  const parts: RunPart[] = []
  let tested = 0
  let runs = 0
  const find = (source: RowSource, firstRow: number, fromMs: number, toMs: number) => {
    if (parts.length === search.partsMax) return
    const { run } = source
    const endRow = toMs >= run.lastStartMs ? run.length : run.rankOfStart(toMs + 1)
    const matches = RunMatches.of(source, { firstRow, endRow }, filter)
    if (matches === undefined) return
    tested += matches.tested
    const firstStartMs = Math.max(fromMs, run.firstStartMs)
    parts.push({ matches, firstStartMs, lastStartMs: Math.min(toMs, run.lastStartMs) })
  }
  const { baseMs, running } = search.open
  if (startAfterMs === undefined) {
    for (const state of states) {
      const subset = running.get(state)
      if (subset === undefined) continue
      find(partOfRun(state.run, subset), 0, Number.NEGATIVE_INFINITY, Math.min(baseMs, startBeforeMs))
    }
  }
  const fromMs = startAfterMs ?? baseMs + 1
  for (const { run, from, gone } of states) {
    if (run.lastStartMs < fromMs || run.firstStartMs > startBeforeMs) continue
    const firstRow = fromMs <= run.firstStartMs ? from : Math.max(from, run.rankOfStart(fromMs))
    find(wholeRun(run, gone), firstRow, fromMs, startBeforeMs)
    if (++runs % RUNS_PER_STEP !== 0 && tested < TESTED_PER_STEP) continue
    tested = 0
    yield
  }
  return parts
}
