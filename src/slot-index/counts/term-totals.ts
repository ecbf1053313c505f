// Hot path
import type { Steps } from '../../lib/steps.ts'
import type { IndexContent } from '../index-content.ts'
import { countIn } from '../matching/bitmap-rows.ts'
import type { OpenRows, ShownSubset } from '../matching/open-rows.ts'
import { type RunState, runsIn } from '../runs/levels.ts'
import type { PostingLists } from '../runs/posting-lists.ts'
import type { RowSubset } from '../runs/row-subset.ts'
import { RUN_ROWS_MAX, type RunParts } from '../runs/run-layout.ts'
import { bitmapAt } from '../runs/run-terms.ts'
import { beginOf, rankIn } from '../sorted-lists.ts'

/** The number of open rows of a status that have each of some terms, by term: two ranks per run and term, without reading rows. */
export function* countTerms(
  content: IndexContent,
  open: OpenRows,
  status: number,
  terms: readonly number[],
): Steps<Uint32Array> {
  const end = content.tables.offerings.terms.end
  const isWanted = new Uint8Array(end)
  for (const term of terms) isWanted[term] = 1
  const totals = new Uint32Array(end)
  for (const state of runsIn([content.levels[status]])) {
    addLater(state, open.baseMs, isWanted, totals)
    const running = open.running.get(state)
    if (running !== undefined) addRunning(running, isWanted, totals)
    yield
  }
  return totals
}

/** Rows that start after a time. */
function addLater({ run, from, gone }: RunState, baseMs: number, isWanted: Uint8Array, totals: Uint32Array): void {
  if (run.lastStartMs <= baseMs) return
  const firstRow = Math.max(from, baseMs < run.firstStartMs ? 0 : run.rankOf({ startMs: baseMs + 1 }))
  addLists(run.parts, firstRow, isWanted, totals)
  addDense(run.parts, firstRow, isWanted, totals)
  if (gone !== undefined) leaveOut(gone, firstRow, isWanted, totals)
}

function addRunning({ rows, gone }: ShownSubset, isWanted: Uint8Array, totals: Uint32Array): void {
  addLists(rows, 0, isWanted, totals)
  if (gone !== undefined) leaveOut(gone, 0, isWanted, totals)
}

/** Subtracts deleted rows from a row on. */
function leaveOut(gone: RowSubset, firstRow: number, isWanted: Uint8Array, totals: Uint32Array): void {
  for (const term of gone.terms) if (isWanted[term] === 1) totals[term] -= gone.count(term, firstRow, RUN_ROWS_MAX)
}

function addLists(
  { terms, termEnds, postings }: PostingLists,
  firstRow: number,
  isWanted: Uint8Array,
  totals: Uint32Array,
): void {
  for (let place = 0; place < terms.length; place++) {
    if (isWanted[terms[place]] === 0) continue
    const begin = beginOf(termEnds, place)
    const before = firstRow === 0 ? 0 : rankIn(postings, begin, termEnds[place], firstRow)
    totals[terms[place]] += termEnds[place] - begin - before
  }
}

function addDense(parts: RunParts, firstRow: number, isWanted: Uint8Array, totals: Uint32Array): void {
  const { denseTerms, sizes } = parts
  for (let place = 0; place < denseTerms.length; place++) {
    if (isWanted[denseTerms[place]] === 0) continue
    const range = { firstRow, endRow: sizes.rows }
    totals[denseTerms[place]] += countIn(bitmapAt(parts, place), range)
  }
}
