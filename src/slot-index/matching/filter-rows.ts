// Hot path
import type { CircleTest } from '../offerings/offering-positions.ts'
import { RUN_ROWS_MAX } from '../runs/run-layout.ts'
import type { TermRows } from '../runs/run-terms.ts'
import { placeNear } from '../sorted-lists.ts'
import { sortRowNumbers } from './row-numbers.ts'
import type { RowFilter, RowSource } from './run-matches.ts'

/** Rows [from, to) of a list: the rows of a term, or of all, in [firstRow, endRow). */
export interface RowList {
  readonly rows: Uint16Array
  readonly from: number
  readonly to: number
  readonly term: number | undefined
  /** Whether they are ascending. */
  readonly isSorted: boolean
}

/** Sets of rows that are intersected: lists, the shortest first, and bits. */
export interface RowSets {
  readonly lists: RowList[]
  readonly bitmaps: readonly TermRows[]
}

const scratch = new Uint16Array(RUN_ROWS_MAX)

/**
 * The rows of a list that are in the other sets and pass all tests. Each pass reads the rows that are left and writes them to `scratch`.
 * The passes are branchless: the length advances for a match only. `Number(a === b)` is compiled without a branch, `a === b ? 1 : 0`
 * with one, which takes three times as long where it is mispredicted.
 */
export function filterRows(source: RowSource, list: RowList, { lists, bitmaps }: RowSets, filter: RowFilter): RowList {
  const { offerings } = source.run.parts
  const { tests, circle } = filter
  let left = list
  const keep = (length: number) => {
    left = { ...SCRATCH, to: length, isSorted: left.isSorted }
  }
  for (const each of bitmaps) keep(keepInBitmap(left, each))
  for (const other of lists) left = keepCommon(left, other)
  for (const bits of tests) keep(keepMarked(left, offerings, bits))
  if (circle !== undefined) keep(keepInside(left, offerings, circle.test))
  if (source.gone !== undefined) keep(withoutRows(left, source.gone.bits))
  return { ...left, rows: left.rows.slice(left.from, left.to), from: 0, to: left.to - left.from, term: undefined }
}

const SCRATCH: RowList = { rows: scratch, from: 0, to: 0, term: undefined, isSorted: true }

/** Keeps rows whose bit is set. */
function keepInBitmap({ rows, from, to }: RowList, { bits, word }: TermRows): number {
  let kept = 0
  for (let n = from; n < to; n++) {
    const row = rows[n]
    scratch[kept] = row
    kept += (bits[word + (row >>> 5)] >>> (row & 31)) & 1
  }
  return kept
}

/** Keeps rows whose offering has its bit set. */
function keepMarked({ rows, from, to }: RowList, offerings: Uint32Array, bits: Uint32Array): number {
  let kept = 0
  for (let n = from; n < to; n++) {
    const row = rows[n]
    const offering = offerings[row]
    scratch[kept] = row
    kept += (bits[offering >>> 5] >>> (offering & 31)) & 1
  }
  return kept
}

/** Keeps rows whose offering is in a circle. */
function keepInside({ rows, from, to }: RowList, offerings: Uint32Array, test: CircleTest): number {
  let kept = 0
  for (let n = from; n < to; n++) {
    const row = rows[n]
    scratch[kept] = row
    kept += test.has(offerings[row])
  }
  return kept
}

/** A list so many times longer is searched rather than read. */
const SEARCH_RATIO = 16

/** Keeps those rows that are in a list. The result is sorted if they are, or if the list is long. */
function keepCommon(left: RowList, list: RowList): RowList {
  const isLong = list.isSorted && list.to - list.from > (left.to - left.from) * SEARCH_RATIO
  if (!isLong) return { ...SCRATCH, to: keepStamped(left, list), isSorted: left.isSorted }
  const { rows, from, to } = left
  const sorted = left.isSorted ? left : { ...SCRATCH, rows: sortRowNumbers(rows.subarray(from, to)), to: to - from }
  return { ...SCRATCH, to: keepFound(sorted, list) }
}

function keepFound({ rows, from, to }: RowList, list: RowList): number {
  let kept = 0
  let at = list.from
  for (let n = from; n < to; n++) {
    const row = rows[n]
    at = placeNear(list.rows, { from: at, to: list.to }, row, at)
    if (at === list.to) return kept
    scratch[kept] = row
    kept += Number(list.rows[at] === row)
  }
  return kept
}

/** By row: the last stamp of a list that has it. */
const stamps = new Uint8Array(RUN_ROWS_MAX)
let stamp = 0

/** A merge of both lists would cost a branch miss per row. */
function keepStamped({ rows, from, to }: RowList, list: RowList): number {
  if (stamp === 255) stamps.fill(0)
  stamp = (stamp % 255) + 1
  const current = stamp
  for (let n = list.from; n < list.to; n++) stamps[list.rows[n]] = current
  let kept = 0
  for (let n = from; n < to; n++) {
    const row = rows[n]
    scratch[kept] = row
    kept += Number(stamps[row] === current)
  }
  return kept
}

function withoutRows({ rows, from, to }: RowList, bits: Uint32Array): number {
  let kept = 0
  for (let n = from; n < to; n++) {
    const row = rows[n]
    scratch[kept] = row
    kept += 1 - ((bits[row >>> 5] >>> (row & 31)) & 1)
  }
  return kept
}
