// Hot path
import { beginOf, placeIn } from '../sorted-lists.ts'
import type { PostingLists } from './posting-lists.ts'
import { blocksOf, countBlocks, type RowBitmap, wordsOf } from './row-bitmap.ts'
import type { RunParts, RunSizes } from './run-layout.ts'

/**
 * A term of at least this share of the rows has one bit per row instead of a list of 16-bit row numbers. Bits take less memory from a
 * 16th of the rows on; down to a 32nd, they take up to twice as much, and are intersected several times faster.
 */
const DENSE_SHARE = 1 / 32

/** The sizes of the posting lists in a run of so many rows. */
export function termSizes(
  { terms, termEnds, postings }: PostingLists,
  rows: number,
): Pick<RunSizes, 'terms' | 'postings' | 'denseTerms'> {
  let denseTerms = 0
  let denseRows = 0
  for (let place = 0; place < terms.length; place++) {
    const count = termEnds[place] - beginOf(termEnds, place)
    if (!isDense(count, rows)) continue
    denseTerms++
    denseRows += count
  }
  return { terms: terms.length - denseTerms, postings: postings.length - denseRows, denseTerms }
}

/** Writes posting lists into a run: as they are, or as bits. */
export function writeTerms(lists: PostingLists, parts: RunParts): void {
  const { rows } = parts.sizes
  let term = 0
  let end = 0
  let dense = 0
  for (let place = 0; place < lists.terms.length; place++) {
    const list = lists.postings.subarray(beginOf(lists.termEnds, place), lists.termEnds[place])
    if (isDense(list.length, rows)) {
      parts.denseTerms[dense] = lists.terms[place]
      const { bits, word } = bitmapAt(parts, dense)
      for (let n = 0; n < list.length; n++) bits[word + (list[n] >>> 5)] |= 1 << (list[n] & 31)
      countBlocks(bitmapAt(parts, dense++), rows)
    } else {
      parts.postings.set(list, end)
      end += list.length
      parts.terms[term] = lists.terms[place]
      parts.termEnds[term++] = end
    }
  }
}

function isDense(count: number, rows: number): boolean {
  return count >= rows * DENSE_SHARE
}

/** The rows of a term as bits. */
export interface TermRows extends RowBitmap {
  /** By which deleted rows are counted; undefined if the bits leave them out. */
  readonly term: number | undefined
}

/** The rows of a term of a run as bits; undefined unless it has them. */
export function rowsOf(parts: RunParts, term: number): TermRows | undefined {
  const place = placeIn(parts.denseTerms, term)
  return place === -1 ? undefined : bitmapAt(parts, place)
}

/** The rows of the n-th term with bits. */
export function bitmapAt({ sizes: { rows }, denseTerms, denseBits, denseCounts }: RunParts, n: number): TermRows {
  const [word, block] = [n * wordsOf(rows), n * blocksOf(rows)]
  return { bits: denseBits, word, before: denseCounts, block, term: denseTerms[n] }
}
