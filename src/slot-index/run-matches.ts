// Hot path
import type { CircleRows } from './circle-rows.ts'
import { filterRows, type RowList } from './filter-rows.ts'
import type { ShownSubset } from './open-rows.ts'
import { sortRowNumbers } from './row-numbers.ts'
import { beginOf, type PostingLists, placeIn, placeNear, rankIn } from './runs/posting-lists.ts'
import type { RowSubset } from './runs/row-subset.ts'
import type { RowKey, Run } from './runs/run.ts'
import { RUN_ROWS_MAX } from './runs/run-layout.ts'

/** The conditions on rows besides their start. */
export interface RowFilter {
  /** Terms with posting lists; all of them are required. */
  readonly terms: readonly number[]
  /** Bits by offering; all of them are required. */
  readonly tests: readonly Uint32Array[]
  /** The only offerings that pass the tests, if they are few. */
  readonly few: Uint32Array | undefined
  /** The circle that the offering must be in. */
  readonly circle: CircleRows | undefined
  /** Identifiers of slots, of which any is enough: `system|value`. */
  readonly identifiers?: readonly string[]
}

/** Rows of a run: all of it, or a subset. */
export interface RowSource {
  readonly run: Run
  readonly lists: PostingLists
  /** Ascending; without a term. */
  readonly all: Uint16Array
  /** Rows of the run that are left out. */
  readonly gone: RowSubset | undefined
  /** Whether `few` offerings can be looked up: they cannot in a subset. */
  readonly isWhole: boolean
}

/** The number of each row. */
const ALL_ROWS = Uint16Array.from({ length: RUN_ROWS_MAX }, (_, row) => row)

export function wholeRun(run: Run, gone: RowSubset | undefined): RowSource {
  return { run, lists: run.parts, all: ALL_ROWS, gone, isWhole: true }
}

/** `gone` are rows of the subset. */
export function partOfRun(run: Run, { rows, gone }: ShownSubset): RowSource {
  return { run, lists: rows, all: rows.rows, gone, isWhole: false }
}

/** Rows [firstRow, endRow) of a run. */
export interface RowRange {
  readonly firstRow: number
  readonly endRow: number
}

/**
 * The rows of one run that match a filter, in order: a part of a posting list, from which the deleted rows are left out; or a list that
 * was made for the filter.
 */
export class RunMatches {
  readonly run: Run
  readonly count: number
  /** The cost of finding the matches, in rows that are tested one by one. */
  readonly tested: number
  readonly #unordered: Uint16Array
  #isSorted: boolean
  readonly #from: number
  readonly #to: number
  readonly #term: number | undefined
  readonly #gone: RowSubset | undefined
  readonly #range: RowRange

  private constructor(run: Run, list: RowList, range: RowRange, gone: RowSubset | undefined, tested: number) {
    this.run = run
    this.tested = tested
    this.#unordered = list.rows
    this.#isSorted = list.isSorted
    this.#from = list.from
    this.#to = list.to
    this.#term = list.term
    this.#gone = gone
    this.#range = range
    this.count = list.to - list.from - (gone?.count(list.term, range.firstRow, range.endRow) ?? 0)
  }

  /** Undefined if none match. */
  static of(source: RowSource, range: RowRange, filter: RowFilter): RunMatches | undefined {
    const lists = listsOf(source, range, filter)
    if (lists === undefined) return undefined
    // A circle costs no more than testing the rows of the shortest list, of which each takes some 10 nanoseconds.
    const circleCost = filter.circle === undefined ? 0 : (lists[0].to - lists[0].from) * CIRCLE_COST
    const inCircle = listInCircle(source, range, filter, lists[0])
    // All rows are no list.
    if (inCircle !== undefined) lists.splice(0, lists[0].rows === ALL_ROWS ? 1 : 0, inCircle)
    lists.sort(byLength)
    const rest = inCircle === undefined ? filter : { ...filter, circle: undefined }
    const few = listOfFew(source, rest, lists[0])
    const [first, ...others] = few === undefined ? lists : [few, ...lists]
    if (first.isSorted && others.length === 0 && !needsTests(rest))
      return nonEmpty(new RunMatches(source.run, first, range, source.gone, 0))
    const list = filterRows(source, first, others, rest)
    return nonEmpty(new RunMatches(source.run, list, range, undefined, first.to - first.from + circleCost))
  }

  /** Number of rows in a list that was made for the filter. */
  get storedRows(): number {
    return this.tested === 0 ? 0 : this.count
  }

  /** Number of matches before a key. */
  rankOf(key: RowKey): number {
    return this.#rankBefore(this.run.rankOf(key))
  }

  /** Writes the rows of matches [from, to), at most as many as there are, and returns how many. */
  copy(from: number, to: number, target: Uint16Array): number {
    const gone = this.#gone
    const rows = this.#rows
    let written = 0
    for (let at = this.#placeOf(from); at < this.#to && written < to - from; at++) {
      const row = rows[at]
      if (gone === undefined || !gone.has(row)) target[written++] = row
    }
    return written
  }

  /** Sorted when they are needed: of most runs, only the number of rows is. */
  get #rows(): Uint16Array {
    if (!this.#isSorted) sortRowNumbers(this.#unordered)
    this.#isSorted = true
    return this.#unordered
  }

  #rankBefore(row: number): number {
    const from = this.#from
    const to = this.#to
    const { firstRow, endRow } = this.#range
    // The rows of most lists are spread evenly over the range.
    const guess = from + Math.floor(((to - from) * (row - firstRow)) / (endRow - firstRow))
    const rank = placeNear(this.#rows, { from, to }, row, guess) - from
    if (this.#gone === undefined || rank === 0) return rank
    return rank - this.#gone.count(this.#term, firstRow, Math.min(row, endRow))
  }

  /** Where the n-th match is in the list. */
  #placeOf(n: number): number {
    if (this.#gone === undefined) return this.#from + n
    let low = this.#from + n
    // As many rows are left out before it as in all, at most.
    let high = this.#from + n + (this.#to - this.#from - this.count)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#rankBefore(this.#rows[middle] + 1) <= n) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The cost of testing a row by a circle, in other tests. */
const CIRCLE_COST = 4

function needsTests({ tests, circle }: RowFilter): boolean {
  return tests.length > 0 || circle !== undefined
}

function nonEmpty(matches: RunMatches): RunMatches | undefined {
  return matches.count === 0 ? undefined : matches
}

/**
 * The rows of each term in a range, or of all rows without terms, and those of the identifiers; the shortest list first. Undefined if
 * one of them is empty there.
 */
function listsOf(source: RowSource, range: RowRange, { terms, identifiers }: RowFilter): RowList[] | undefined {
  if (range.firstRow >= range.endRow) return undefined
  const lists = terms.length === 0 ? listOfAll(source, range) : listsOfTerms(source, range, terms)
  if (identifiers !== undefined && lists !== undefined) {
    const named = listOfIdentifiers(source.run, range, identifiers)
    if (named.from === named.to) return undefined
    lists.push(named)
  }
  return lists?.sort(byLength)
}

function byLength(a: RowList, b: RowList): number {
  return a.to - a.from - (b.to - b.from)
}

function listsOfTerms(source: RowSource, range: RowRange, terms: readonly number[]): RowList[] | undefined {
  const lists: RowList[] = []
  for (const term of terms) {
    const list = listOfTerm(source, range, term)
    if (list === undefined) return undefined
    lists.push(list)
  }
  return lists
}

/** Undefined if it is empty in the range. */
function listOfTerm({ lists, run }: RowSource, { firstRow, endRow }: RowRange, term: number): RowList | undefined {
  const { terms: known, termEnds, postings } = lists
  const place = placeIn(known, term)
  if (place === -1) return undefined
  const list = { from: beginOf(termEnds, place), to: termEnds[place] }
  // The rows of most terms are spread evenly over a run.
  const placeOf = (row: number) =>
    placeNear(postings, list, row, list.from + Math.floor(((list.to - list.from) * row) / run.length))
  const from = firstRow === 0 ? list.from : placeOf(firstRow)
  const to = endRow === run.length ? list.to : placeOf(endRow)
  return from === to ? undefined : { rows: postings, from, to, term, isSorted: true }
}

/** The rows of slots with any of some identifiers. Deleted rows are not counted in it, so it is never the only list. */
function listOfIdentifiers(run: Run, { firstRow, endRow }: RowRange, identifiers: readonly string[]): RowList {
  const [first, ...others] = identifiers.map((identifier) => run.rowsWith(identifier))
  const rows = others.length === 0 ? first : unionOf([first, ...others])
  const [from, to] = [firstRow, endRow].map((row) => rankIn(rows, 0, rows.length, row))
  return { rows, from, to, term: undefined, isSorted: true }
}

function unionOf(lists: readonly Uint16Array[]): Uint16Array {
  return Uint16Array.from(new Set(lists.flatMap((rows) => [...rows]))).sort()
}

function listOfAll({ all, isWhole }: RowSource, { firstRow, endRow }: RowRange): RowList[] | undefined {
  const from = isWhole ? firstRow : rankIn(all, 0, all.length, firstRow)
  const to = isWhole ? endRow : rankIn(all, 0, all.length, endRow)
  return from === to ? undefined : [{ rows: all, from, to, term: undefined, isSorted: true }]
}

const rowsOfFew = new Uint16Array(RUN_ROWS_MAX)
const rowsInCircle = new Uint16Array(RUN_ROWS_MAX)

/** The rows in a circle; undefined unless they are found sooner than by testing those of a list. */
function listInCircle(
  { run, isWhole }: RowSource,
  range: RowRange,
  { circle }: RowFilter,
  { from, to }: RowList,
): RowList | undefined {
  if (circle === undefined || !isWhole) return undefined
  const length = circle.gather(run, range, to - from, rowsInCircle)
  return length === -1 ? undefined : { rows: rowsInCircle, from: 0, to: length, term: undefined, isSorted: false }
}

/** The cost of looking an offering up, in rows of a list that could be tested in the same time. */
const FEW_COST = 24

/** The rows of few offerings, also outside the range; undefined unless they are found sooner than by testing those of a list. */
function listOfFew({ run, isWhole }: RowSource, { few }: RowFilter, { from, to }: RowList): RowList | undefined {
  if (few === undefined || !isWhole || few.length * FEW_COST > to - from) return undefined
  let length = 0
  for (const offering of few) {
    const rows = run.rowsOf(offering)
    rowsOfFew.set(run.parts.offeringRows.subarray(rows.from, rows.to), length)
    length += rows.to - rows.from
  }
  return { rows: rowsOfFew, from: 0, to: length, term: undefined, isSorted: false }
}
