// Hot path
import { popCount } from '../../lib/bits.ts'

/**
 * Rows of a run as one bit each, with the number of rows before each block of 512 rows: a rank counts the bits of at most half a kilobit
 * (Jacobson's rank directory). Both are parts of longer arrays, because a view of its own would cost a query more than the rank.
 */
export interface RowBitmap {
  readonly bits: Uint32Array
  /** The word of row 0. */
  readonly word: number
  readonly before: Uint16Array
  /** The place of block 0 in `before`. */
  readonly block: number
}

const BLOCK_SHIFT = 9
const WORD_SHIFT = 5
/** Rows of a block of the directory. */
export const RANKED_ROWS = 1 << BLOCK_SHIFT
const BLOCK_WORDS = RANKED_ROWS >>> WORD_SHIFT

/** Words of the bits of so many rows. */
export function wordsOf(rows: number): number {
  return (rows + 31) >>> WORD_SHIFT
}

/** Entries of the directory of so many rows: the last one counts the rows before a block that begins behind them. */
export function blocksOf(rows: number): number {
  return (rows >>> BLOCK_SHIFT) + 1
}

/** Number of rows before a row; `row` may be the number of rows of the run. */
export function rankInBitmap({ bits, word, before, block }: RowBitmap, row: number): number {
  let rank = before[block + (row >>> BLOCK_SHIFT)]
  const end = word + (row >>> WORD_SHIFT)
  for (let at = word + (row >>> BLOCK_SHIFT) * BLOCK_WORDS; at < end; at++) rank += popCount(bits[at])
  return (row & 31) === 0 ? rank : rank + popCount(bits[end] & belowBit(row))
}

/** Writes the directory of bits that have been set. */
export function countBlocks({ bits, word, before, block }: RowBitmap, rows: number): void {
  let count = 0
  for (let n = 0; n < wordsOf(rows); n++) {
    if (n % BLOCK_WORDS === 0) before[block + n / BLOCK_WORDS] = count
    count += popCount(bits[word + n])
  }
  if (rows % RANKED_ROWS === 0) before[block + rows / RANKED_ROWS] = count
}

/** The bits of a word below that of a row. */
export function belowBit(row: number): number {
  return (1 << (row & 31)) - 1
}
