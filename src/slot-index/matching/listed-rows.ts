// Hot path

import type { RowSubset } from '../runs/row-subset.ts'
import { placeNear } from '../sorted-lists.ts'
import type { RowList } from './filter-rows.ts'
import { sortRowNumbers } from './row-numbers.ts'
import type { RowRange } from './run-matches.ts'

/** Rows of a run, ascending. */
export interface RowSet {
  readonly count: number
  /** Memory that was allocated for them, in words of four bytes. */
  readonly weight: number
  /** Number of them before a row of the run. */
  rankOf(row: number): number
  /** Writes the n-th ones, n in [from, to), as far as there are so many, and returns how many. */
  copy(from: number, to: number, target: Uint16Array): number
}

/** The rows of a list, without the deleted ones. */
export class ListedRows implements RowSet {
  readonly count: number
  readonly weight: number
  readonly #unordered: Uint16Array
  #isSorted: boolean
  readonly #from: number
  readonly #to: number
  readonly #term: number | undefined
  readonly #range: RowRange
  readonly #gone: RowSubset | undefined

  /** `weight`: of a list that was made for the filter. */
  constructor(list: RowList, range: RowRange, gone: RowSubset | undefined, weight = 0) {
    this.#unordered = list.rows
    this.#isSorted = list.isSorted
    this.#from = list.from
    this.#to = list.to
    this.#term = list.term
    this.#range = range
    this.#gone = gone
    this.count = list.to - list.from - (gone?.count(list.term, range.firstRow, range.endRow) ?? 0)
    this.weight = weight
  }

  rankOf(row: number): number {
    const from = this.#from
    const to = this.#to
    const { firstRow, endRow } = this.#range
    // The rows of most lists are spread evenly over the range.
    const guess = from + Math.floor(((to - from) * (row - firstRow)) / (endRow - firstRow))
    const rank = placeNear(this.#rows, { from, to }, row, guess) - from
    if (this.#gone === undefined || rank === 0) return rank
    return rank - this.#gone.count(this.#term, firstRow, Math.min(row, endRow))
  }

  copy(from: number, to: number, target: Uint16Array): number {
    const gone = this.#gone
    const rows = this.#rows
    let written = 0
    for (let at = this.#placeOf(from); at < this.#to && written < to - from; at++) {
      const row = rows[at]
      if (gone === undefined || !gone.has(row)) target[written++] = row
    }
    return written
  }

  /** Sorted on first use: of most runs, only the number of rows is needed. */
  get #rows(): Uint16Array {
    if (!this.#isSorted) sortRowNumbers(this.#unordered)
    this.#isSorted = true
    return this.#unordered
  }

  /** Where the n-th match is in the list. */
  #placeOf(n: number): number {
    if (this.#gone === undefined) return this.#from + n
    let low = this.#from + n
    // At most all deleted rows precede it.
    let high = this.#from + n + (this.#to - this.#from - this.count)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.rankOf(this.#rows[middle] + 1) <= n) low = middle + 1
      else high = middle
    }
    return low
  }
}
