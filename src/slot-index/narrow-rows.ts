// Hot path
import type { IndexState } from './index-state.ts'
import type { OfferingMatches } from './offering-matches.ts'
import { PostingList, type RowOrder } from './posting-list.ts'
import { RowVector } from './row-vector.ts'

/** What to narrow, and to what. */
export interface Narrowing {
  /** All rows that may match. */
  readonly list: PostingList
  /** The rows that are at home in a place, among others that are listed there. */
  readonly listOfHome: (home: number) => PostingList
  readonly matches: OfferingMatches
  /** From a row's start to its end. */
  readonly minDurationMs: number
}

/** Rows to look through; with a home, only for those that are at home there. */
interface Part {
  readonly rows: PostingList
  readonly home?: number
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
  const found = new RowVector()
  const ends: number[] = []
  for (const part of partsOf(narrowing)) {
    lookThrough(state, part, narrowing, found)
    ends.push(found.length)
  }
  const rows = mergeRuns(found.rows.slice(0, found.length), ends, state.rows)
  return PostingList.of(rows.length === 0 ? [] : [rows])
}

function partsOf({ list, listOfHome, matches }: Narrowing): Part[] {
  if (matches.homes === undefined) return [{ rows: list }]
  const parts = Array.from(matches.homes, (home) => ({ rows: listOfHome(home), home }))
  const length = parts.reduce((sum, { rows }) => sum + rows.length, 0)
  return length <= list.length * HOMES_SHARE_MAX ? parts : [{ rows: list }]
}

function lookThrough(
  { rows, offerings }: IndexState,
  part: Part,
  { matches, minDurationMs }: Narrowing,
  found: RowVector,
): void {
  const { home } = part
  const { homes } = offerings
  const { matching } = matches
  for (const chunk of part.rows.chunks) {
    for (let n = 0; n < chunk.length; n++) {
      const row = chunk[n]
      const offering = rows.offeringOf(row)
      if (matching[offering] === 0 || (home !== undefined && homes[offering] !== home)) continue
      if (minDurationMs === 0 || rows.endOf(row) - rows.startOf(row) >= minDurationMs) found.push(row)
    }
  }
}

/** Rows that are in order up to each of some ends, all in order: neighbours are merged until one is left. */
function mergeRuns(rows: Uint32Array, ends: readonly number[], order: RowOrder): Uint32Array {
  let source = rows
  let target: Uint32Array = new Uint32Array(ends.length > 1 ? rows.length : 0)
  let runs = ends
  while (runs.length > 1) {
    const merged: number[] = []
    for (let run = 0; run < runs.length; run += 2) {
      const from = run === 0 ? 0 : runs[run - 1]
      const to = runs[Math.min(run + 1, runs.length - 1)]
      mergeTwo(source, { from, middle: runs[run], to }, target, order)
      merged.push(to)
    }
    runs = merged
    ;[source, target] = [target, source]
  }
  return source
}

function mergeTwo(
  source: Uint32Array,
  { from, middle, to }: { from: number; middle: number; to: number },
  target: Uint32Array,
  order: RowOrder,
): void {
  let a = from
  let b = middle
  for (let at = from; at < to; at++) {
    const takesA = b === to || (a < middle && order.compare(source[a], source[b]) < 0)
    target[at] = takesA ? source[a++] : source[b++]
  }
}
