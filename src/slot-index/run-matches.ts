// Hot path
import { filterRows, type RowList } from './filter-rows.ts'
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
  /** Terms of which each row that passes the tests has exactly one, if that is known: the cells of a circle. */
  readonly any: readonly number[] | undefined
  /** Shortest duration in minutes. */
  readonly minMinutes: number
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

/** `subset` has no deleted rows. */
export function partOfRun(run: Run, subset: RowSubset): RowSource {
  return { run, lists: subset, all: subset.rows, gone: undefined, isWhole: false }
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
  /** Number of rows that were tested one by one to find the matches. */
  readonly tested: number
  readonly #rows: Uint16Array
  readonly #from: number
  readonly #to: number
  readonly #term: number | undefined
  readonly #gone: RowSubset | undefined
  readonly #range: RowRange

  private constructor(run: Run, list: RowList, range: RowRange, gone: RowSubset | undefined, tested: number) {
    this.run = run
    this.tested = tested
    this.#rows = list.rows
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
    const { run, gone, isWhole } = source
    const [shortest, ...others] = lists
    const isListed = others.length > 0 || shortest.term !== undefined
    const sooner = isWhole
      ? soonerList(source, range, filter, { isListed, rows: shortest.to - shortest.from })
      : undefined
    if (sooner === undefined && others.length === 0 && filter.tests.length === 0 && filter.minMinutes === 0)
      return nonEmpty(new RunMatches(run, shortest, range, gone, 0))
    const { first, left } = sooner ?? { first: shortest, left: others }
    const list = filterRows(source, first, left ?? lists, filter)
    return nonEmpty(new RunMatches(run, list, range, undefined, first.to - first.from))
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
    let written = 0
    for (let at = this.#placeOf(from); at < this.#to && written < to - from; at++) {
      const row = this.#rows[at]
      if (gone === undefined || !gone.has(row)) target[written++] = row
    }
    return written
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
  return lists?.length === 1 ? lists : lists?.sort((a, b) => a.to - a.from - (b.to - b.from))
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
  return from === to ? undefined : { rows: postings, from, to, term }
}

/** The rows of slots with any of some identifiers. Deleted rows are not counted in it, so it is never the only list. */
function listOfIdentifiers(run: Run, { firstRow, endRow }: RowRange, identifiers: readonly string[]): RowList {
  const [first, ...others] = identifiers.map((identifier) => run.rowsWith(identifier))
  const rows = others.length === 0 ? first : unionOf([first, ...others])
  const [from, to] = [firstRow, endRow].map((row) => rankIn(rows, 0, rows.length, row))
  return { rows, from, to, term: undefined }
}

function unionOf(lists: readonly Uint16Array[]): Uint16Array {
  const union = new Uint16Array(lists.reduce((sum, { length }) => sum + length, 0))
  const whole = lists.map((rows) => ({ rows, from: 0, to: rows.length, term: undefined }))
  return union.subarray(0, writeUnion(whole, { firstRow: 0, endRow: RUN_ROWS_MAX }, union))
}

const unionBits = new Uint32Array(Math.ceil(RUN_ROWS_MAX / 32))

/** Writes the rows of some lists in a range to `target`, ascending and each once, and returns how many. */
function writeUnion(lists: readonly RowList[], { firstRow, endRow }: RowRange, target: Uint16Array): number {
  const firstWord = firstRow >>> 5
  const endWord = (endRow + 31) >>> 5
  unionBits.fill(0, firstWord, endWord)
  for (const { rows, from, to } of lists)
    for (let at = from; at < to; at++) unionBits[rows[at] >>> 5] |= 1 << (rows[at] & 31)
  let length = 0
  for (let n = firstWord; n < endWord; n++)
    for (let word = unionBits[n]; word !== 0; word &= word - 1)
      target[length++] = n * 32 + 31 - Math.clz32(word & -word)
  return length
}

function listOfAll({ all, isWhole }: RowSource, { firstRow, endRow }: RowRange): RowList[] | undefined {
  const from = isWhole ? firstRow : rankIn(all, 0, all.length, firstRow)
  const to = isWhole ? endRow : rankIn(all, 0, all.length, endRow)
  return from === to ? undefined : [{ rows: all, from, to, term: undefined }]
}

/** What is found without a list, in rows of a list that could be tested in the same time. */
const FEW_COST = 24
const ANY_COST = 32
const ANY_ROW_COST = 2

/** Rows to be tested, and the lists that they must be in besides; all lists of the filter if undefined. */
interface FirstRows {
  readonly first: RowList
  readonly left?: readonly RowList[]
}

/** The rows of few offerings, or without a list those of the cells of a circle, if they are found sooner than by testing so many rows. */
function soonerList(
  source: RowSource,
  range: RowRange,
  { few, any }: RowFilter,
  { isListed, rows }: { readonly isListed: boolean; readonly rows: number },
): FirstRows | undefined {
  const fewCost = few === undefined ? Number.POSITIVE_INFINITY : few.length * FEW_COST
  const ofAny = isListed || any === undefined ? undefined : rowsOfAny(source, range, any, Math.min(rows, fewCost))
  if (ofAny !== undefined) return { first: ofAny, left: [] }
  // Not limited to the range, as all lists are.
  return few !== undefined && fewCost <= rows ? { first: rowsOfFew(source.run, few) } : undefined
}

const gathered = new Uint16Array(RUN_ROWS_MAX)

function rowsOfFew(run: Run, few: Uint32Array): RowList {
  let length = 0
  for (const offering of few) {
    const { from, to } = run.rowsOf(offering)
    gathered.set(run.parts.offeringRows.subarray(from, to), length)
    length += to - from
  }
  return { rows: gathered.subarray(0, length).sort(), from: 0, to: length, term: undefined }
}

/** The rows in a range of any of some terms, if they are found in less than a cost. */
function rowsOfAny(source: RowSource, range: RowRange, any: readonly number[], cost: number): RowList | undefined {
  let left = cost - any.length * ANY_COST
  if (left < 0) return undefined
  const lists: RowList[] = []
  for (const term of any) {
    const list = listOfTerm(source, range, term)
    if (list === undefined) continue
    lists.push(list)
    left -= (list.to - list.from) * ANY_ROW_COST
    if (left < 0) return undefined
  }
  return { rows: gathered, from: 0, to: writeUnion(lists, range, gathered), term: undefined }
}
