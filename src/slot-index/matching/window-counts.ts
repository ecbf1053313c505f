// Hot path
import type { Steps } from '../../lib/steps.ts'
import type { SlotStatus } from '../../slot/slot.ts'
import type { SlotFilters } from '../../slot/slot-filters.ts'
import { type IndexContent, STATUS_NUMBER } from '../index-content.ts'
import type { RunState } from '../runs/levels.ts'
import type { RowSubset } from '../runs/row-subset.ts'
import { rankIn } from '../sorted-lists.ts'
import type { OpenRows } from './open-rows.ts'

/** The conditions on rows apart from their offering. */
export type RowWindow = Pick<SlotFilters, 'status' | 'startAfterMs' | 'startBeforeMs'>

/**
 * Counts the rows of a status that start in a window, by offering: whole runs by cached sums, and the rows of the runs at its edges, of
 * level 0, deleted or in progress one by one. Its cost depends on the offerings rather than the rows.
 */
export function* countWindow(content: IndexContent, open: OpenRows, window: RowWindow): Steps<Uint32Array> {
  const { startAfterMs, startBeforeMs = Number.POSITIVE_INFINITY } = window
  const { offerings, runSums } = content.tables
  const { zero, one } = content.levels[STATUS_NUMBER[window.status]]
  const counts = new Uint32Array(offerings.end)
  const fromMs = startAfterMs ?? open.baseMs + 1
  let wholeFrom = 0
  for (let n = 0; n <= one.length; n++) {
    if (n < one.length && isWhole(one[n], fromMs, startBeforeMs)) continue
    yield* runSums.add(one, wholeFrom, n, counts)
    if (n < one.length) addPart(one[n], fromMs, startBeforeMs, counts)
    wholeFrom = n + 1
  }
  for (const state of zero) {
    addPart(state, fromMs, startBeforeMs, counts)
    yield
  }
  for (const state of one) {
    if (state.gone === undefined || !isWhole(state, fromMs, startBeforeMs)) continue
    addRows(state, state.gone.rows, 0, state.gone.length, -1, counts)
    yield
  }
  if (startAfterMs !== undefined) return counts
  for (const state of [...zero, ...one]) {
    const subset = open.running.get(state)
    if (subset === undefined) continue
    const { rows, gone } = subset
    const endRow = endRowOf(state, Math.min(open.baseMs, startBeforeMs))
    addRows(state, rows.rows, 0, rankOf(rows, endRow), 1, counts)
    if (gone !== undefined) addRows(state, gone.rows, 0, rankOf(gone, endRow), -1, counts)
    yield
  }
  return counts
}

/** Sums the runs whose rows all start after a time, so that counting the open rows only adds the sum. */
export function* prepareCounts({ levels, tables }: IndexContent, status: SlotStatus, nowMs: number): Steps<void> {
  const { one } = levels[STATUS_NUMBER[status]]
  const from = one.findIndex((state) => isWhole(state, nowMs + 1, Number.POSITIVE_INFINITY))
  if (from !== -1) yield* tables.runSums.prepare(one, from, tables.offerings.end)
}

/** Whether all rows of a run, deleted ones included, start in a window. */
function isWhole({ run, from }: RunState, fromMs: number, toMs: number): boolean {
  return from === 0 && run.firstStartMs >= fromMs && run.lastStartMs <= toMs
}

/** Adds those rows of a run that start in a window. */
function addPart(state: RunState, fromMs: number, toMs: number, counts: Uint32Array): void {
  const { run, from, gone } = state
  if (run.lastStartMs < fromMs || run.firstStartMs > toMs) return
  const firstRow = fromMs <= run.firstStartMs ? from : Math.max(from, run.rankOfStart(fromMs))
  const endRow = endRowOf(state, toMs)
  const { offerings } = run.parts
  for (let row = firstRow; row < endRow; row++) counts[offerings[row]]++
  if (gone !== undefined) addRows(state, gone.rows, rankOf(gone, firstRow), rankOf(gone, endRow), -1, counts)
}

/** The rows before it start until an instant. */
function endRowOf({ run }: RunState, toMs: number): number {
  return toMs >= run.lastStartMs ? run.length : run.rankOfStart(toMs + 1)
}

function rankOf(subset: RowSubset, row: number): number {
  return rankIn(subset.rows, 0, subset.length, row)
}

/** Adds `sign` for each of `rows` [from, to). */
function addRows(
  { run }: RunState,
  rows: Uint16Array,
  from: number,
  to: number,
  sign: number,
  counts: Uint32Array,
): void {
  const { offerings } = run.parts
  for (let at = from; at < to; at++) counts[offerings[rows[at]]] += sign
}
