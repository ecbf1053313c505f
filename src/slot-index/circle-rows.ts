// Hot path
import type { GeoRadius } from '../slot/geo-radius.ts'
import { type CellSpan, spansOf } from './circle-spans.ts'
import { CircleTest, type OfferingPositions } from './offering-positions.ts'
import { clearBits, type RowRange, rowBits } from './row-bits.ts'
import { beginOf, placeNear } from './runs/posting-lists.ts'
import type { Run } from './runs/run.ts'
import { RUN_ROWS_MAX } from './runs/run-layout.ts'

/** What is done, in rows of a list that could be tested in the same time. */
const SPAN_COST = 5
const ROW_COST = 1 / 4

/** Rows of cells at the edge of a circle. */
const edgeRows = new Uint16Array(RUN_ROWS_MAX)

/** Finds the rows of runs whose offerings are in a circle. */
export class CircleRows {
  readonly test: CircleTest
  readonly #spans: readonly CellSpan[]

  constructor(circle: GeoRadius, positions: OfferingPositions) {
    this.test = new CircleTest(circle, positions)
    this.#spans = spansOf(circle)
  }

  /**
   * Marks the rows of a range that are in the circle: see `rowBits`. Reads the rows of the cells that the circle touches, and tests those
   * of the cells at its edge. False if `rowsMax` rows of a list could be tested sooner.
   */
  mark({ parts }: Run, range: RowRange, rowsMax: number): boolean {
    const { cells, cellEnds, cellRows } = parts
    let left = rowsMax - this.#spans.length * SPAN_COST
    if (left < 0) return false
    clearBits(range)
    let edges = 0
    let place = 0
    let guess = cells.length >>> 1
    for (const { from, to, insideFrom, insideTo } of this.#spans) {
      const before = place
      place = placeNear(cells, { from: place, to: cells.length }, from, guess)
      for (; place < cells.length && cells[place] <= to; place++) {
        const rows = { from: beginOf(cellEnds, place), to: cellEnds[place] }
        const isInside = cells[place] >= insideFrom && cells[place] <= insideTo
        if (isInside) markRows(cellRows, rows, range)
        else edges = gatherRows(cellRows, rows, range, edges)
        left -= (rows.to - rows.from) * ROW_COST
      }
      if (left < edges) return false
      // Rows of cells have about as many cells.
      guess = place * 2 - before
    }
    markInside(parts.offerings, edges, this.test)
    return true
  }
}

interface Span {
  readonly from: number
  readonly to: number
}

/** Marks those of `rows` [from, to) that are in a range. Branchless: bits of other rows are written as they are. */
function markRows(rows: Uint16Array, { from, to }: Span, { firstRow, endRow }: RowRange): void {
  for (let at = from; at < to; at++) {
    const row = rows[at]
    rowBits[row >>> 5] |= isBetween(row, firstRow, endRow) << (row & 31)
  }
}

/** Appends those of `rows` [from, to) that are in a range to `edgeRows`, and returns its new length. */
function gatherRows(rows: Uint16Array, { from, to }: Span, { firstRow, endRow }: RowRange, length: number): number {
  let end = length
  for (let at = from; at < to; at++) {
    const row = rows[at]
    edgeRows[end] = row
    end += isBetween(row, firstRow, endRow)
  }
  return end
}

/** 1 if a row is in [firstRow, endRow), else 0. */
function isBetween(row: number, firstRow: number, endRow: number): number {
  return (~(row - firstRow) & (row - endRow)) >>> 31
}

function markInside(offerings: Uint32Array, edges: number, test: CircleTest): void {
  for (let n = 0; n < edges; n++) {
    const row = edgeRows[n]
    rowBits[row >>> 5] |= test.has(offerings[row]) << (row & 31)
  }
}
