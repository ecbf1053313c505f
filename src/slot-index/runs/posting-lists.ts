// Hot path
import { runAtOnce, type Steps } from '../../lib/steps.ts'

/** Ascending row numbers by term, in columns. */
export interface PostingLists {
  /** Ascending. */
  readonly terms: Uint32Array
  /** Where the rows of each term end in `postings`. */
  readonly termEnds: Uint32Array
  readonly postings: Uint16Array
}

/** The terms of each offering: those of offering n are `terms` [ends[n-1], ends[n]). */
export interface OfferingTerms {
  readonly terms: Uint32Array
  readonly ends: Uint32Array
  /** Exclusive upper bound of the terms. */
  readonly termsEnd: number
}

/** The values of offerings by which the rows of a run are grouped. */
export interface OfferingGroups extends OfferingTerms {
  /** By offering: see `cellOf()`. */
  readonly cells: Uint32Array
}

/** Counts by term, all 0; absent while lists are made. */
let spareCounts: Uint32Array | undefined

/** The posting lists of ascending `rows`, whose offerings are `offerings`. Without `rows`, of rows 0, 1, 2, …. */
export function postingsOf(offerings: Uint32Array, lists: OfferingTerms, rows?: Uint16Array): PostingLists {
  return runAtOnce(postingsInSteps(offerings, lists, rows))
}

/** As `postingsOf()`, in steps of some 100 microseconds. */
export function* postingsInSteps(
  offerings: Uint32Array,
  lists: OfferingTerms,
  rows?: Uint16Array,
): Steps<PostingLists> {
  const { length } = offerings
  const isLarge = spareCounts !== undefined && spareCounts.length >= lists.termsEnd
  const counts = isLarge && spareCounts !== undefined ? spareCounts : new Uint32Array(lists.termsEnd * 2)
  spareCounts = undefined
  const seen: number[] = []
  for (let from = 0; from < length; from += ROWS_PER_STEP) {
    countTerms(offerings.subarray(from, from + ROWS_PER_STEP), lists, counts, seen)
    yield
  }
  const terms = Uint32Array.from(seen).sort()
  const termEnds = new Uint32Array(terms.length)
  let end = 0
  for (let place = 0; place < terms.length; place++) {
    const begin = end
    end += counts[terms[place]]
    termEnds[place] = end
    // From here on, where the next row of the term is written.
    counts[terms[place]] = begin
  }
  const postings = new Uint16Array(end)
  for (let from = 0; from < length; from += ROWS_PER_STEP) {
    const part = { offerings, rows, from, to: Math.min(length, from + ROWS_PER_STEP) }
    writeRows(part, lists, counts, postings)
    yield
  }
  for (const term of terms) counts[term] = 0
  spareCounts = counts
  return { terms, termEnds, postings }
}

const ROWS_PER_STEP = 256

/** Appends the terms that were not counted before to `seen`. */
function countTerms(offerings: Uint32Array, lists: OfferingTerms, counts: Uint32Array, seen: number[]): void {
  for (const offering of offerings) {
    for (let at = beginOf(lists.ends, offering); at < lists.ends[offering]; at++)
      if (counts[lists.terms[at]]++ === 0) seen.push(lists.terms[at])
  }
}

interface RowsPart {
  readonly offerings: Uint32Array
  readonly rows: Uint16Array | undefined
  readonly from: number
  readonly to: number
}

function writeRows(part: RowsPart, lists: OfferingTerms, places: Uint32Array, postings: Uint16Array): void {
  const { offerings, rows, from, to } = part
  for (let n = from; n < to; n++) {
    const row = rows === undefined ? n : rows[n]
    for (let at = beginOf(lists.ends, offerings[n]); at < lists.ends[offerings[n]]; at++)
      postings[places[lists.terms[at]]++] = row
  }
}

/** Where the n-th of several lists begins that follow each other and end at `ends`. */
export function beginOf(ends: Uint16Array | Uint32Array, n: number): number {
  return n === 0 ? 0 : ends[n - 1]
}

/** The place of a value in an ascending list; -1 if it is absent. */
export function placeIn(values: Uint32Array, value: number): number {
  const { length } = values
  if (length === 0 || value > values[length - 1]) return -1
  const guess = Math.floor((value * length) / (values[length - 1] + 1))
  const place = placeNear(values, { from: 0, to: length }, value, guess)
  return values[place] === value ? place : -1
}

/** The place of the first number of an ascending list that is not below a value. */
export function placeFrom(values: Uint32Array | Float64Array, value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Where a search near a guess begins to widen: half a cache line. */
const STRIDE = 16

/**
 * The place of the first of the ascending values [from, to) that is not below a value: an exponential search from a guess, which reads
 * two or three cache lines where a binary search reads one per halving.
 */
export function placeNear(
  values: Uint16Array | Uint32Array,
  { from, to }: { readonly from: number; readonly to: number },
  value: number,
  guess: number,
): number {
  if (from >= to) return from
  let low = from
  let high = to
  let at = Math.max(from, Math.min(guess, to - 1))
  let stride = STRIDE
  if (values[at] < value) {
    do {
      low = at + 1
      at += stride
      stride *= 4
    } while (at < to && values[at] < value)
    high = Math.min(at, to)
  } else {
    while (at >= from && values[at] >= value) {
      high = at
      at -= stride
      stride *= 4
    }
    low = Math.max(from, at + 1)
  }
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Number of rows before `row` in the ascending rows [from, to). */
export function rankIn(rows: Uint16Array, from: number, to: number, row: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rows[middle] < row) low = middle + 1
    else high = middle
  }
  return low - from
}
