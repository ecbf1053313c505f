// Hot path
import { runAtOnce, type Steps } from '../../lib/steps.ts'
import type { OfferingTerms } from '../offerings/term-offerings.ts'
import { beginOf } from '../sorted-lists.ts'

/** Ascending row numbers by term, in columns. */
export interface PostingLists {
  /** Ascending. */
  readonly terms: Uint32Array
  /** Where the rows of each term end in `postings`. */
  readonly termEnds: Uint32Array
  readonly postings: Uint16Array
}

/** Counts by term, all 0; absent while lists are made. */
let spareCounts: Uint32Array | undefined

/** The posting lists of rows 0, 1, 2, …, whose offerings are `offerings`. */
export function postingsOf(offerings: Uint32Array, lists: OfferingTerms): PostingLists {
  return runAtOnce(postingsInSteps(offerings, lists))
}

/** As `postingsOf()`, in steps of some 100 microseconds; of ascending `rows` if they are given. */
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
