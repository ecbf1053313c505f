// Hot path
import type { CircleTest } from './offering-positions.ts'
import { rowBits } from './row-bits.ts'
import type { RowFilter, RowSource } from './run-matches.ts'
import { placeNear } from './runs/posting-lists.ts'
import { RUN_ROWS_MAX } from './runs/run-layout.ts'

/** Rows [from, to) of a list: the rows of a term, or of all, in [firstRow, endRow). */
export interface RowList {
  readonly rows: Uint16Array
  readonly from: number
  readonly to: number
  readonly term: number | undefined
}

const scratch = new Uint16Array(RUN_ROWS_MAX)

/**
 * The rows of a list that are in the other lists and pass all tests. Each pass reads the rows that are left and writes them to `scratch`.
 * The passes are branchless: the length advances for a match only.
 */
export function filterRows(source: RowSource, list: RowList, others: readonly RowList[], filter: RowFilter): RowList {
  const { offerings, minutes } = source.run.parts
  const { minMinutes, tests, circle } = filter
  let left = list
  for (const other of others) left = leftOf(keepCommon(left, other))
  if (minMinutes > 0) left = leftOf(keepLong(left, minutes, minMinutes))
  for (const bits of tests) left = leftOf(keepMarked(left, offerings, bits))
  if (circle !== undefined) left = leftOf(keepInside(left, offerings, circle.test))
  if (source.gone !== undefined) left = leftOf(keepBits(left, source.gone.bits, 0))
  return { rows: left.rows.slice(left.from, left.to), from: 0, to: left.to - left.from, term: undefined }
}

function leftOf(length: number): RowList {
  return { rows: scratch, from: 0, to: length, term: undefined }
}

/** Keeps rows of at least so many minutes, and returns how many. */
function keepLong({ rows, from, to }: RowList, minutes: Uint16Array, minMinutes: number): number {
  let kept = 0
  for (let n = from; n < to; n++) {
    const row = rows[n]
    scratch[kept] = row
    kept += 1 - ((minutes[row] - minMinutes) >>> 31)
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

/** The rows of a list that are marked: see `rowBits`. Valid until rows are filtered. */
export function markedRows(list: RowList): RowList {
  return leftOf(keepBits(list, rowBits, 1))
}

/** A list so many times longer is searched rather than read. */
const SEARCH_RATIO = 16

/** Keeps those rows that are in a list. */
function keepCommon(left: RowList, list: RowList): number {
  return list.to - list.from > (left.to - left.from) * SEARCH_RATIO ? keepFound(left, list) : keepStamped(left, list)
}

function keepFound({ rows, from, to }: RowList, list: RowList): number {
  let kept = 0
  let at = list.from
  for (let n = from; n < to; n++) {
    const row = rows[n]
    at = placeNear(list.rows, { from: at, to: list.to }, row, at)
    if (at === list.to) return kept
    scratch[kept] = row
    kept += list.rows[at] === row ? 1 : 0
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
  for (let n = list.from; n < list.to; n++) stamps[list.rows[n]] = stamp
  let kept = 0
  for (let n = from; n < to; n++) {
    const row = rows[n]
    scratch[kept] = row
    kept += stamps[row] === stamp ? 1 : 0
  }
  return kept
}

/** Keeps rows whose bit has a value. */
function keepBits({ rows, from, to }: RowList, bits: Uint32Array, value: number): number {
  let kept = 0
  for (let n = from; n < to; n++) {
    const row = rows[n]
    scratch[kept] = row
    kept += ((bits[row >>> 5] >>> (row & 31)) & 1) ^ value ^ 1
  }
  return kept
}
