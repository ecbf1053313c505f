// Hot path
import type { IndexState } from './index-state.ts'
import type { OfferingMatches } from './offering-matches.ts'
import { PostingList } from './posting-list.ts'
import { mergeRuns } from './row-runs.ts'
import { RowVector } from './row-vector.ts'
import type { SlotRows } from './slot-rows.ts'

/** What to narrow, and to what. */
export interface RowFilter {
  /** All rows that may match. */
  readonly list: PostingList
  /** The rows that are at home in a place, among others that are listed there. */
  readonly listOfPrimary: (primaryBucket: number) => PostingList
  /** Undefined if all do. */
  readonly matches: OfferingMatches | undefined
  /** How long a row lasts at least; 0: whatever. */
  readonly minMinutes: number
}

/** Rows to look through, and which of them match. */
interface Part {
  readonly rows: PostingList
  readonly minMinutes: number
  /** Undefined: whatever their offering. */
  readonly marked: Marked | undefined
}

/** Offerings of some marks, bounds included. */
interface Marked {
  readonly marks: Uint16Array
  readonly min: number
  readonly max: number
}

/**
 * The rows of a list whose offering matches and that last long enough, in order.
 *
 * Few offerings have few homes, whose lists are short: these are looked through instead of the list, each for the rows that are
 * at home there, so that none is found twice.
 */
export function filterRows(state: IndexState, narrowing: RowFilter): PostingList {
  const parts = partsOf(narrowing)
  const found = new RowVector(parts.reduce((sum, { rows }) => sum + rows.length, 0))
  const ends: number[] = []
  for (const part of parts) {
    for (const chunk of part.rows.chunks) keepMatching(chunk, part, found, state.rows)
    ends.push(found.length)
  }
  const rows = mergeRuns(found.rows.slice(0, found.length), ends, state.rows)
  return PostingList.of(rows.length === 0 ? [] : [rows])
}

function partsOf({ list, listOfPrimary, matches, minMinutes }: RowFilter): Part[] {
  if (matches === undefined) return [{ rows: list, minMinutes, marked: undefined }]
  const { marks, primaryBuckets } = matches
  const parts = primaryBuckets.map((primaryBucket, n) => ({
    rows: listOfPrimary(primaryBucket),
    minMinutes,
    marked: { marks, min: n + 1, max: n + 1 },
  }))
  const length = parts.reduce((sum, { rows }) => sum + rows.length, 0)
  // What is found in several homes has yet to be merged: each row as often as their number can be halved.
  if (length * (1 + Math.log2(Math.max(1, parts.length))) < list.length) return parts
  return [{ rows: list, minMinutes, marked: { marks, min: 1, max: primaryBuckets.length } }]
}

/** Adds those of some rows that match. */
function keepMatching(chunk: Uint32Array, part: Part, found: RowVector, columns: SlotRows): void {
  const from = found.length
  let kept = chunk
  if (part.marked !== undefined) {
    found.length = writeMarked(chunk, found, columns.offerings, part.marked)
    kept = found.rows.subarray(from, found.length)
  }
  if (part.minMinutes === 0) return
  found.length = from
  found.length = writeLong(kept, found, columns.minutes, part.minMinutes)
}

/**
 * Writes those of some rows whose offering is marked so, and returns where they end. Every row is written, and stays if the end moves
 * on: a branch would be mispredicted for every other row, which takes longer than all the rest.
 */
function writeMarked(
  chunk: Uint32Array,
  { rows, length }: RowVector,
  offerings: Uint32Array,
  marked: Marked,
): number {
  const { marks, min, max } = marked
  let end = length
  for (let n = 0; n < chunk.length; n++) {
    const row = chunk[n]
    const mark = marks[offerings[row]]
    rows[end] = row
    // A difference below zero has its highest bit set.
    end += 1 - (((mark - min) | (max - mark)) >>> 31)
  }
  return end
}

/** The same of those that last long enough; they may be read from where they are written. */
function writeLong(
  source: Uint32Array,
  { rows, length }: RowVector,
  minutes: Uint16Array,
  minMinutes: number,
): number {
  let end = length
  for (let n = 0; n < source.length; n++) {
    const row = source[n]
    rows[end] = row
    end += 1 - ((minutes[row] - minMinutes) >>> 31)
  }
  return end
}
