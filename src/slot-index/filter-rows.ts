// Hot path
import type { Steps } from '../lib/steps.ts'
import type { IndexState } from './index-state.ts'
import type { OfferingMatches } from './offering-matches.ts'
import { listOfRows, type PostingList } from './posting-list.ts'
import { mergeRuns } from './row-runs.ts'
import { RowVector } from './row-vector.ts'
import type { SlotRows } from './slot-rows.ts'

/** The rows to filter, and the conditions. */
export interface RowFilter {
  /** All rows that may match. */
  readonly list: PostingList
  /** The list of a bucket; it contains the rows whose primary bucket it is, and others. */
  readonly listOfPrimary: (primaryBucket: number) => PostingList
  /** Undefined if all offerings match. */
  readonly matches: OfferingMatches | undefined
  /** Minimum duration of a row; 0 for no minimum. */
  readonly minMinutes: number
}

/** Rows to scan, and the conditions. */
interface Part {
  readonly rows: PostingList
  readonly minMinutes: number
  /** Undefined if every offering matches. */
  readonly marked: Marked | undefined
}

/** Offerings whose mark is in [min, max]. */
interface Marked {
  readonly marks: Uint16Array
  readonly min: number
  readonly max: number
}

/**
 * The rows of a list whose offering matches and that are long enough, in order.
 *
 * A few offerings have few primary buckets with short lists. These are scanned instead of the list, each for the rows
 * whose primary bucket it is, so that no row is found twice; the results are merged.
 */
export function* filterRows(state: IndexState, filter: RowFilter): Steps<PostingList> {
  const parts = partsOf(filter)
  const found = new RowVector(parts.reduce((sum, { rows }) => sum + rows.length, 0))
  const ends: number[] = []
  for (const part of parts) {
    for (const chunk of part.rows.chunks) {
      keepMatching(chunk, part, found, state.rows)
      yield
    }
    ends.push(found.length)
  }
  return listOfRows(yield* mergeRuns(yield* copyRows(found), ends, state.rows))
}

/** Without the memory of the rows that did not match. */
function* copyRows({ rows, length }: RowVector): Steps<Uint32Array> {
  const copy = new Uint32Array(length)
  for (let from = 0; from < length; from += COPIED_ROWS) {
    copy.set(rows.subarray(from, Math.min(from + COPIED_ROWS, length)), from)
    yield
  }
  return copy
}

/** Copied in some 20 microseconds. */
const COPIED_ROWS = 32_768

function partsOf({ list, listOfPrimary, matches, minMinutes }: RowFilter): Part[] {
  if (matches === undefined) return [{ rows: list, minMinutes, marked: undefined }]
  const { marks, primaryBuckets } = matches
  const parts = primaryBuckets.map((primaryBucket, n) => ({
    rows: listOfPrimary(primaryBucket),
    minMinutes,
    marked: { marks, min: n + 1, max: n + 1 },
  }))
  const length = parts.reduce((sum, { rows }) => sum + rows.length, 0)
  // Merging the parts costs log2(parts) copies of each row.
  if (length * (1 + Math.log2(Math.max(1, parts.length))) < list.length) return parts
  return [{ rows: list, minMinutes, marked: { marks, min: 1, max: primaryBuckets.length } }]
}

/** Appends the matching rows of a chunk. */
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
 * Appends the rows whose offering has a mark in range and returns the new length. Branchless: every row is written, and
 * the length advances only for a match. A branch would be mispredicted for every other row, which costs more than the rest.
 */
function writeMarked(chunk: Uint32Array, { rows, length }: RowVector, offerings: Uint32Array, marked: Marked): number {
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

/** Appends the rows that are long enough; `source` may overlap the target. */
function writeLong(source: Uint32Array, { rows, length }: RowVector, minutes: Uint16Array, minMinutes: number): number {
  let end = length
  for (let n = 0; n < source.length; n++) {
    const row = source[n]
    rows[end] = row
    end += 1 - ((minutes[row] - minMinutes) >>> 31)
  }
  return end
}
