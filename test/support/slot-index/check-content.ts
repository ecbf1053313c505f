import assert from 'node:assert/strict'
import type { IndexContent } from '../../../src/slot-index/index-content.ts'
import { NO_CELL } from '../../../src/slot-index/offerings/circle-spans.ts'
import { minutesOf } from '../../../src/slot-index/offerings/durations.ts'
import type { OfferingTable } from '../../../src/slot-index/offerings/offering-table.ts'
import type { OfferingGroups, OfferingTerms } from '../../../src/slot-index/offerings/term-offerings.ts'
import type { Levels, RunState } from '../../../src/slot-index/runs/levels.ts'
import type { PostingLists } from '../../../src/slot-index/runs/posting-lists.ts'
import { type RowBitmap, rankInBitmap } from '../../../src/slot-index/runs/row-bitmap.ts'
import type { Run } from '../../../src/slot-index/runs/run.ts'
import { bitmapAt } from '../../../src/slot-index/runs/run-terms.ts'
import { beginOf } from '../../../src/slot-index/sorted-lists.ts'

/** Checks all invariants of the runs of an index. Slow on purpose. */
export function checkContent({ levels, tables }: IndexContent): void {
  for (const level of levels) {
    checkOrder(level)
    for (const { run, from, gone } of [...level.zero, ...level.one]) {
      assert.ok(from >= 0 && from < run.length)
      checkRun(run, tables.offerings.groups)
      checkDurations(run, tables.offerings)
      if (gone === undefined) continue
      assert.deepEqual(
        [...gone.rows],
        Array.from({ length: run.length }, (_, row) => row).filter((row) => gone.has(row)),
      )
      checkPostings(run, gone, [...gone.rows], tables.offerings.groups)
    }
  }
}

/** All slots of an offering have its duration. */
function checkDurations(run: Run, { durations }: OfferingTable): void {
  for (let row = 0; row < run.length; row++) {
    const slot = { startMs: run.startMsOf(row), endMs: run.endMsOf(row) }
    assert.equal(durations.of.values[run.offeringOf(row)], minutesOf(slot))
  }
}

/** The runs of level 1 do not overlap, and no ID is visible twice. */
function checkOrder({ zero, one }: Levels): void {
  for (let n = 1; n < one.length; n++)
    assert.ok(keyOf(one[n - 1].run, one[n - 1].run.length - 1) < keyOf(one[n].run, 0))
  const ids = [...zero, ...one].flatMap(shownIds)
  assert.equal(new Set(ids).size, ids.length)
}

function shownIds({ run, from, gone }: RunState): string[] {
  const rows = Array.from({ length: run.length }, (_, row) => row)
  return rows.filter((row) => row >= from && gone?.has(row) !== true).map((row) => run.idOf(row))
}

function checkRun(run: Run, groups: OfferingGroups): void {
  const rows = Array.from({ length: run.length }, (_, row) => row)
  for (const row of rows) {
    assert.equal(run.find(run.idBitsOf(row)), row)
    assert.ok(row === 0 || keyOf(run, row - 1) < keyOf(run, row))
    assert.ok(run.endMsOf(row) - run.startMsOf(row) <= run.longestMs)
    const { from, to } = run.rowsOf(run.offeringOf(row))
    assert.ok(run.parts.offeringRows.subarray(from, to).includes(row))
  }
  checkPostings(run, withBitmaps(run), rows, groups)
  checkCells(run, rows, groups)
}

/** The posting lists of a run, and those of its terms with bits. */
function withBitmaps({ parts }: Run): PostingLists {
  const lists = Array.from(parts.terms, (term, place): [number, Uint16Array] => [
    term,
    parts.postings.subarray(beginOf(parts.termEnds, place), parts.termEnds[place]),
  ])
  for (const [n, term] of parts.denseTerms.entries())
    lists.push([term, rowsInBitmap(bitmapAt(parts, n), parts.sizes.rows)])
  lists.sort(([a], [b]) => a - b)
  let end = 0
  return {
    terms: Uint32Array.from(lists, ([term]) => term),
    termEnds: Uint32Array.from(lists, ([, rows]) => (end += rows.length)),
    postings: Uint16Array.from(lists.flatMap(([, rows]) => [...rows])),
  }
}

/** Checks the directory of the bits, too. */
function rowsInBitmap(bitmaps: RowBitmap, end: number): Uint16Array {
  const rows: number[] = []
  for (let row = 0; row < end; row++) {
    assert.equal(rankInBitmap(bitmaps, row), rows.length)
    if ((bitmaps.bits[bitmaps.word + (row >>> 5)] >>> (row & 31)) & 1) rows.push(row)
  }
  assert.equal(rankInBitmap(bitmaps, end), rows.length)
  assert.ok(rows.length * 32 >= end)
  return Uint16Array.from(rows)
}

function checkPostings(run: Run, lists: PostingLists, rows: readonly number[], { terms, ends }: OfferingTerms): void {
  const expected = new Map<number, number[]>()
  for (const row of rows) {
    const offering = run.offeringOf(row)
    for (const term of terms.subarray(offering === 0 ? 0 : ends[offering - 1], ends[offering])) {
      const rowsOfTerm = expected.get(term) ?? []
      rowsOfTerm.push(row)
      expected.set(term, rowsOfTerm)
    }
  }
  const found = Array.from(lists.terms, (term, place): [number, number[]] => [
    term,
    [...lists.postings.subarray(place === 0 ? 0 : lists.termEnds[place - 1], lists.termEnds[place])],
  ])
  assert.deepEqual(
    found,
    [...expected].sort(([a], [b]) => a - b),
  )
}

function checkCells({ parts }: Run, rows: readonly number[], { cells }: OfferingGroups): void {
  const cellOf = (row: number) => cells[parts.offerings[row]]
  const placed = rows.filter((row) => cellOf(row) !== NO_CELL).sort((a, b) => cellOf(a) - cellOf(b) || a - b)
  assert.deepEqual([...parts.cellRows], placed)
  assert.deepEqual(parts.cells, Uint32Array.from(new Set(placed.map(cellOf))))
  const endOf = (cell: number) => placed.findLastIndex((row) => cellOf(row) === cell) + 1
  assert.deepEqual(parts.cellEnds, Uint16Array.from(parts.cells, endOf))
}

function keyOf(run: Run, row: number): string {
  return `${String(run.startMsOf(row) + 1e15).padStart(20, '0')} ${run.idOf(row)}`
}
