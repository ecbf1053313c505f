// Hot path
import type { IndexState } from './index-state.ts'
import type { OfferingMatches } from './offering-matches.ts'
import { PostingList } from './posting-list.ts'
import { mergeRuns } from './row-runs.ts'
import { RowVector } from './row-vector.ts'

/** What to narrow, and to what. */
export interface Narrowing {
  /** All rows that may match. */
  readonly list: PostingList
  /** The rows that are at home in a place, among others that are listed there. */
  readonly listOfHome: (home: number) => PostingList
  readonly matches: OfferingMatches
  /** How long a row lasts at least; 0: whatever. */
  readonly minMinutes: number
}

/** Rows to look through, for those whose offering has one of these marks. */
interface Part {
  readonly rows: PostingList
  readonly markMin: number
  readonly markMax: number
}

/** The homes must be so much shorter than the list, for what is found in them has yet to be put in order. */
const HOMES_SHARE_MAX = 0.5

/**
 * The rows of a list whose offering matches and that last long enough, in order.
 *
 * Few offerings have few homes, whose lists are short: these are looked through instead of the list, each for the rows that are
 * at home there, so that none is found twice.
 */
export function narrowRows(state: IndexState, narrowing: Narrowing): PostingList {
  const parts = partsOf(narrowing)
  const found = new RowVector(parts.reduce((sum, { rows }) => sum + rows.length, 0))
  const ends: number[] = []
  for (const part of parts) {
    for (const chunk of part.rows.chunks) {
      const from = found.length
      keepMarked(chunk, found, state.rows.offerings, { ...part, marks: narrowing.matches.marks })
      if (narrowing.minMinutes > 0) keepLong(found, from, state.rows.minutes, narrowing.minMinutes)
    }
    ends.push(found.length)
  }
  const rows = mergeRuns(found.rows.slice(0, found.length), ends, state.rows)
  return PostingList.of(rows.length === 0 ? [] : [rows])
}

function partsOf({ list, listOfHome, matches: { homes } }: Narrowing): Part[] {
  const parts = homes.map((home, n) => ({ rows: listOfHome(home), markMin: n + 1, markMax: n + 1 }))
  const length = parts.reduce((sum, { rows }) => sum + rows.length, 0)
  return length <= list.length * HOMES_SHARE_MAX ? parts : [{ rows: list, markMin: 1, markMax: homes.length }]
}

/**
 * Adds those of some rows whose offering is marked so. Every row is written, and stays if the end moves on: a branch would be
 * mispredicted for every other row, which takes longer than all the rest.
 */
function keepMarked(
  chunk: Uint32Array,
  found: RowVector,
  offerings: Uint32Array,
  { marks, markMin, markMax }: { marks: Uint16Array; markMin: number; markMax: number },
): void {
  const { rows } = found
  let end = found.length
  for (let n = 0; n < chunk.length; n++) {
    const row = chunk[n]
    const mark = marks[offerings[row]]
    rows[end] = row
    // A difference below zero has its highest bit set.
    end += 1 - (((mark - markMin) | (markMax - mark)) >>> 31)
  }
  found.length = end
}

/** Of the rows from a position on, those that last long enough. */
function keepLong(found: RowVector, from: number, minutes: Uint16Array, minMinutes: number): void {
  const { rows } = found
  let end = from
  for (let n = from; n < found.length; n++) {
    const row = rows[n]
    rows[end] = row
    end += 1 - ((minutes[row] - minMinutes) >>> 31)
  }
  found.length = end
}
