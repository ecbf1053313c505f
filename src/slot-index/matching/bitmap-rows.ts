// Hot path

import { lowestBit, popCount } from '../../lib/bits.ts'
import {
  belowBit,
  blocksOf,
  countBlocks,
  RANKED_ROWS,
  type RowBitmap,
  rankInBitmap,
  wordsOf,
} from '../runs/row-bitmap.ts'
import type { RowSubset } from '../runs/row-subset.ts'
import { RUN_ROWS_MAX } from '../runs/run-layout.ts'
import type { TermRows } from '../runs/run-terms.ts'
import type { RowSet } from './listed-rows.ts'
import type { RowRange } from './run-matches.ts'

/** Number of rows in a range. */
export function countIn(bitmap: RowBitmap, { firstRow, endRow }: RowRange): number {
  return rankInBitmap(bitmap, endRow) - rankInBitmap(bitmap, firstRow)
}

/** The rows of a term with bits in a range, without the deleted ones. */
export class BitmapRows implements RowSet {
  readonly count: number
  readonly weight: number = 0
  readonly #bitmap: TermRows
  readonly #range: RowRange
  readonly #gone: RowSubset | undefined
  readonly #before: number

  constructor(bitmap: TermRows, range: RowRange, gone: RowSubset | undefined) {
    this.#bitmap = bitmap
    this.#range = range
    this.#gone = gone
    this.#before = rankInBitmap(bitmap, range.firstRow)
    this.count = this.rankOf(range.endRow)
  }

  rankOf(row: number): number {
    const { firstRow, endRow } = this.#range
    const to = Math.min(row, endRow)
    if (to <= firstRow) return 0
    return rankInBitmap(this.#bitmap, to) - this.#before - (this.#gone?.count(this.#bitmap.term, firstRow, to) ?? 0)
  }

  copy(from: number, to: number, target: Uint16Array): number {
    const { firstRow } = this.#range
    const { bits, word } = this.#bitmap
    // Ends before the rows behind the range.
    const end = Math.min(to, this.count) - from
    const begin = this.#blockOf(from)
    let skipped = from - this.rankOf(begin)
    let written = 0
    for (let at = begin >>> 5; written < end; at++) {
      let left = bits[word + at] & ~(this.#gone?.bits[at] ?? 0)
      if (at === firstRow >>> 5) left &= ~belowBit(firstRow)
      const count = popCount(left)
      if (count <= skipped) {
        skipped -= count
        continue
      }
      for (; skipped > 0; skipped--) left &= left - 1
      for (; left !== 0 && written < end; left &= left - 1) target[written++] = at * 32 + lowestBit(left)
    }
    return written
  }

  /** A row, at most a block before the n-th match: the first of its block, or of the range. */
  #blockOf(n: number): number {
    const { firstRow, endRow } = this.#range
    let low = Math.floor(firstRow / RANKED_ROWS)
    let high = Math.floor((endRow - 1) / RANKED_ROWS)
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.rankOf(middle * RANKED_ROWS) <= n) low = middle
      else high = middle - 1
    }
    return Math.max(firstRow, low * RANKED_ROWS)
  }
}

/** The rows of a range that are in all bitmaps and not deleted. */
export interface Intersection {
  readonly bitmaps: readonly RowBitmap[]
  readonly range: RowRange
  readonly gone: RowSubset | undefined
}

/** The intersection of several terms with bits. In most runs it is only counted: the bits are kept when rows are read. */
export class CommonRows implements RowSet {
  readonly count: number
  /** As if the bits were kept. */
  readonly weight: number
  readonly #sets: Intersection
  #kept: BitmapRows | undefined

  constructor(sets: Intersection) {
    this.#sets = sets
    this.count = intersect(sets, scratch, 0)
    this.weight = wordsOf(sets.range.endRow - sets.range.firstRow)
  }

  rankOf(row: number): number {
    return this.#rows.rankOf(row)
  }

  copy(from: number, to: number, target: Uint16Array): number {
    return this.#rows.copy(from, to, target)
  }

  get #rows(): BitmapRows {
    this.#kept ??= keep(this.#sets)
    return this.#kept
  }
}

/** Keeps the bits of the blocks of the range. */
function keep(sets: Intersection): BitmapRows {
  const { firstRow, endRow } = sets.range
  const firstBlock = Math.floor(firstRow / RANKED_ROWS)
  const begin = firstBlock * RANKED_ROWS
  const bits = new Uint32Array(wordsOf(endRow - begin))
  intersect(sets, bits, wordsOf(begin))
  const before = new Uint16Array(blocksOf(endRow - begin))
  countBlocks({ bits, word: 0, before, block: 0 }, endRow - begin)
  const bitmap = { bits, word: -wordsOf(begin), before, block: -firstBlock, term: undefined }
  return new BitmapRows(bitmap, sets.range, undefined)
}

/** Writes the rows that some sets have in common to `target`, ascending, and returns how many. */
export function copyCommon(sets: Intersection, target: Uint16Array): number {
  intersect(sets, scratch, 0)
  let written = 0
  for (let at = sets.range.firstRow >>> 5; at < wordsOf(sets.range.endRow); at++)
    for (let left = scratch[at]; left !== 0; left &= left - 1) target[written++] = at * 32 + lowestBit(left)
  return written
}

const scratch = new Uint32Array(wordsOf(RUN_ROWS_MAX))

/** Writes the bits of the rows that some sets have in common from word `base` on to `target`, and returns how many are set. */
function intersect({ bitmaps, range, gone }: Intersection, target: Uint32Array, base: number): number {
  const { firstRow, endRow } = range
  const first = firstRow >>> 5
  const end = wordsOf(endRow)
  const [a, b = a] = bitmaps
  for (let at = first; at < end; at++) target[at - base] = a.bits[a.word + at] & b.bits[b.word + at]
  for (let n = 2; n < bitmaps.length; n++) {
    const { bits, word } = bitmaps[n]
    for (let at = first; at < end; at++) target[at - base] &= bits[word + at]
  }
  if (gone !== undefined) for (let at = first; at < end; at++) target[at - base] &= ~gone.bits[at]
  target[first - base] &= ~belowBit(firstRow)
  if ((endRow & 31) !== 0) target[end - 1 - base] &= belowBit(endRow)
  let count = 0
  for (let at = first; at < end; at++) count += popCount(target[at - base])
  return count
}
