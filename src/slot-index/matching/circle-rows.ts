// Hot path
import type { GeoRadius } from '../../slot/geo-radius.ts'
import { type CellSpan, spansOf } from '../offerings/circle-spans.ts'
import { CircleTest, type OfferingPositions } from '../offerings/offering-positions.ts'
import type { Run } from '../runs/run.ts'
import { RUN_ROWS_MAX } from '../runs/run-layout.ts'
import { beginOf, placeNear } from '../sorted-lists.ts'
import type { RowRange } from './run-matches.ts'

/** The costs of a span and of a row of its cells, in rows of a list that could be tested in the same time. */
const SPAN_COST = 5
const ROW_COST = 1 / 4

/** Finds the rows of runs whose offerings are in a circle. */
export class CircleRows {
  readonly circle: GeoRadius
  readonly test: CircleTest
  #spans: readonly CellSpan[] | undefined

  constructor(circle: GeoRadius, positions: OfferingPositions) {
    this.circle = circle
    this.test = new CircleTest(circle, positions)
  }

  /**
   * Writes the rows of a range that are in the circle to `target`, in any order, and returns how many. Reads the rows of the cells that
   * the circle touches, and tests those of the cells at its edge. -1 if `rowsMax` rows of a list could be tested sooner.
   */
  gather({ parts }: Run, range: RowRange, rowsMax: number, target: Uint16Array): number {
    const { cells, cellEnds, cellRows, offerings } = parts
    // Not before: terms may answer the query without them.
    this.#spans ??= spansOf(this.circle)
    let left = rowsMax - this.#spans.length * SPAN_COST
    if (left < 0) return -1
    let length = 0
    let edges = 0
    let place = 0
    let guess = cells.length >>> 1
    for (const { from, to, insideFrom, insideTo } of this.#spans) {
      const before = place
      place = placeNear(cells, { from: place, to: cells.length }, from, guess)
      for (; place < cells.length && cells[place] <= to; place++) {
        const rows = { rows: cellRows, from: beginOf(cellEnds, place), to: cellEnds[place] }
        const isInside = cells[place] >= insideFrom && cells[place] <= insideTo
        if (isInside) length = append(rows, range, target, length)
        else edges = append(rows, range, edgeRows, edges)
        left -= (rows.to - rows.from) * ROW_COST
      }
      if (left < edges) return -1
      // Neighboring rows of cells have about as many cells.
      guess = place * 2 - before
    }
    for (let n = 0; n < edges; n++) {
      target[length] = edgeRows[n]
      length += this.test.has(offerings[edgeRows[n]])
    }
    return length
  }
}

/** Rows of cells at the edge of a circle. */
const edgeRows = new Uint16Array(RUN_ROWS_MAX)

/** Appends those of some rows that are in a range, and returns the new length. Branchless. */
function append(
  { rows, from, to }: { readonly rows: Uint16Array; readonly from: number; readonly to: number },
  { firstRow, endRow }: RowRange,
  target: Uint16Array,
  length: number,
): number {
  let end = length
  for (let at = from; at < to; at++) {
    const row = rows[at]
    target[end] = row
    end += (~(row - firstRow) & (row - endRow)) >>> 31
  }
  return end
}
