// Hot path
import { runAtOnce, type Steps } from '../../lib/steps.ts'
import type { OfferingTerms } from '../offerings/term-offerings.ts'
import { beginOf, placeIn, rankIn } from '../sorted-lists.ts'
import { type PostingLists, postingsInSteps } from './posting-lists.ts'
import type { Run } from './run.ts'

/**
 * Some rows of a run with their posting lists: those that are deleted, or in progress. Immutable, in one buffer. The rows of a term
 * without those of a subset are counted by ranks in both.
 *
 *     header           uint32   numbers of rows, terms, postings, and words of bits
 *     terms, termEnds  uint32
 *     bits             uint32   one per row of the run
 *     rows, postings   uint16
 */
export class RowSubset implements PostingLists {
  readonly memory: SharedArrayBuffer
  readonly terms: Uint32Array
  readonly termEnds: Uint32Array
  readonly bits: Uint32Array
  /** Ascending. */
  readonly rows: Uint16Array
  readonly postings: Uint16Array

  constructor(memory: SharedArrayBuffer) {
    const [rows, terms, postings, bits] = new Uint32Array(memory, 0, HEADER_WORDS)
    let at = HEADER_WORDS * 4
    const place = (bytes: number) => {
      at += bytes
      return at - bytes
    }
    this.memory = memory
    this.terms = new Uint32Array(memory, place(terms * 4), terms)
    this.termEnds = new Uint32Array(memory, place(terms * 4), terms)
    this.bits = new Uint32Array(memory, place(bits * 4), bits)
    this.rows = new Uint16Array(memory, place(rows * 2), rows)
    this.postings = new Uint16Array(memory, place(postings * 2), postings)
  }

  /** `rows`: ascending. */
  static of(run: Run, rows: Uint16Array, offeringTerms: OfferingTerms): RowSubset {
    return runAtOnce(RowSubset.inSteps(run, rows, offeringTerms))
  }

  /** As `of()`, in steps. */
  static *inSteps(run: Run, rows: Uint16Array, offeringTerms: OfferingTerms): Steps<RowSubset> {
    const offerings = new Uint32Array(rows.length)
    for (let n = 0; n < rows.length; n++) offerings[n] = run.parts.offerings[rows[n]]
    const { terms, termEnds, postings } = yield* postingsInSteps(offerings, offeringTerms, rows)
    const words = Math.ceil(run.length / 32)
    const bytes = (HEADER_WORDS + terms.length * 2 + words) * 4 + (rows.length + postings.length) * 2
    const memory = new SharedArrayBuffer(bytes)
    new Uint32Array(memory, 0, HEADER_WORDS).set([rows.length, terms.length, postings.length, words])
    const subset = new RowSubset(memory)
    subset.terms.set(terms)
    subset.termEnds.set(termEnds)
    subset.rows.set(rows)
    subset.postings.set(postings)
    for (const row of rows) subset.bits[row >>> 5] |= 1 << (row & 31)
    return subset
  }

  get length(): number {
    return this.rows.length
  }

  has(row: number): boolean {
    return ((this.bits[row >>> 5] >>> (row & 31)) & 1) === 1
  }

  /** Number of its rows in [from, to) with a term; of all its rows there if the term is undefined. */
  count(term: number | undefined, from: number, to: number): number {
    if (term === undefined) return countIn(this.rows, 0, this.length, from, to)
    const place = placeIn(this.terms, term)
    if (place === -1) return 0
    return countIn(this.postings, beginOf(this.termEnds, place), this.termEnds[place], from, to)
  }
}

/** Number of the ascending rows [begin, end) of a list that are in [from, to). */
function countIn(rows: Uint16Array, begin: number, end: number, from: number, to: number): number {
  return rankIn(rows, begin, end, to) - (from === 0 ? 0 : rankIn(rows, begin, end, from))
}

const HEADER_WORDS = 4
