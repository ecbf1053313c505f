// Hot path

import type { PostingLists } from '../runs/posting-lists.ts'
import type { RowSubset } from '../runs/row-subset.ts'
import type { RowKey, Run } from '../runs/run.ts'
import { RUN_ROWS_MAX } from '../runs/run-layout.ts'
import { rowsOf, type TermRows } from '../runs/run-terms.ts'
import { beginOf, placeIn, placeNear, rankIn } from '../sorted-lists.ts'
import { BitmapRows, CommonRows, copyCommon, countIn, type Intersection } from './bitmap-rows.ts'
import type { CircleRows } from './circle-rows.ts'
import { filterRows, type RowList, type RowSets } from './filter-rows.ts'
import { ListedRows, type RowSet } from './listed-rows.ts'
import type { ShownSubset } from './open-rows.ts'

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
const ALL_ROWS = new Uint16Array(RUN_ROWS_MAX).map((_, row) => row)

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

/** The rows of one run that match a filter, in order: those of a term as they are in the run, or rows that were found for the filter. */
export class RunMatches {
  readonly run: Run
  /** The cost of finding the matches, in rows that are tested one by one. */
  readonly tested: number
  readonly #rows: RowSet

  private constructor(run: Run, { rows, tested }: FoundRows) {
    this.run = run
    this.tested = tested
    this.#rows = rows
  }

  /** Undefined if none match. */
  static of(source: RowSource, range: RowRange, filter: RowFilter): RunMatches | undefined {
    if (range.firstRow >= range.endRow) return undefined
    const found = isOneTerm(filter) ? rowsOfTerm(source, range, filter.terms[0]) : findRows(source, range, filter)
    return found === undefined || found.rows.count === 0 ? undefined : new RunMatches(source.run, found)
  }

  get count(): number {
    return this.#rows.count
  }

  /** Memory that was allocated for them, in words of four bytes. */
  get weight(): number {
    return this.#rows.weight
  }

  /** Number of matches before a key. */
  rankOf(key: RowKey): number {
    return this.#rows.rankOf(this.run.rankOf(key))
  }

  /** Writes the rows of matches [from, to), at most as many as there are, and returns how many. */
  copy(from: number, to: number, target: Uint16Array): number {
    return this.#rows.copy(from, to, target)
  }
}

interface FoundRows {
  readonly rows: RowSet
  readonly tested: number
}

function isOneTerm(filter: RowFilter): boolean {
  return filter.terms.length === 1 && isListed(filter)
}

/** Whether runs list the rows of a filter, so that none are tested. */
export function isListed({ terms, tests, circle, identifiers }: RowFilter): boolean {
  return terms.length <= 1 && tests.length === 0 && circle === undefined && identifiers === undefined
}

/** The rows of a term as they are in the run. */
function rowsOfTerm(source: RowSource, range: RowRange, term: number): FoundRows | undefined {
  const bitmap = bitmapOf(source, term)
  if (bitmap !== undefined) return { rows: new BitmapRows(bitmap, range, source.gone), tested: 0 }
  const list = listOfTerm(source, range, term)
  return list && { rows: new ListedRows(list, range, source.gone), tested: 0 }
}

/** The rows that are in all sets and pass the tests, found among those of the shortest list, of the circle, or of few offerings. */
function findRows(source: RowSource, range: RowRange, filter: RowFilter): FoundRows | undefined {
  const sets = setsOf(source, range, filter)
  if (sets === undefined) return undefined
  const { lists, bitmaps } = sets
  const { tests, circle } = filter
  if (tests.length === 0 && circle === undefined) {
    if (lists.length === 0)
      return { rows: new CommonRows({ bitmaps, range, gone: source.gone }), tested: costOfBitmaps(range) }
    // All rows.
    if (lists.length === 1 && bitmaps.length === 0)
      return { rows: new ListedRows(lists[0], range, source.gone), tested: 0 }
  }
  const shortest = lists.length > 0 ? lengthOf(lists[0]) : Math.min(...bitmaps.map((each) => countIn(each, range)))
  // A circle costs no more than testing the rows of the shortest list, of which each takes some 10 nanoseconds.
  const circleCost = circle === undefined ? 0 : shortest * CIRCLE_COST
  const inCircle = listInCircle(source, range, filter, shortest)
  // All rows are no list.
  if (inCircle !== undefined) lists.splice(0, lists[0]?.rows === ALL_ROWS ? 1 : 0, inCircle)
  lists.sort(byLength)
  const rest = inCircle === undefined ? filter : { ...filter, circle: undefined }
  const few = listOfFew(source, range, rest, lists.length > 0 ? lengthOf(lists[0]) : shortest)
  if (few !== undefined) lists.unshift(few)
  const isListed = lists.length > 0
  const [first, ...others] = isListed ? lists : [listOfCommon({ bitmaps, range, gone: undefined })]
  const list = filterRows(source, first, { lists: others, bitmaps: isListed ? bitmaps : [] }, rest)
  const tested = lengthOf(first) + circleCost + (isListed ? 0 : costOfBitmaps(range))
  return { rows: new ListedRows(list, range, undefined, list.to / 2), tested }
}

/** The cost of testing a row by a circle, in other tests. */
const CIRCLE_COST = 4

/** The cost of intersecting bits, in rows that could be tested in the same time. */
function costOfBitmaps({ firstRow, endRow }: RowRange): number {
  return (endRow - firstRow) / 16
}

/**
 * The rows of each term in a range, or of all rows without terms, and those of the identifiers; the shortest list first. Undefined if
 * one of them is empty there.
 */
function setsOf(source: RowSource, range: RowRange, { terms, identifiers }: RowFilter): RowSets | undefined {
  const sets = terms.length === 0 ? { lists: listOfAll(source, range), bitmaps: [] } : setsOfTerms(source, range, terms)
  if (sets?.lists === undefined) return undefined
  const { lists, bitmaps } = sets
  if (identifiers !== undefined) {
    const named = listOfIdentifiers(source.run, range, identifiers)
    if (named.from === named.to) return undefined
    lists.push(named)
  }
  lists.sort(byLength)
  return { lists, bitmaps }
}

function byLength(a: RowList, b: RowList): number {
  return lengthOf(a) - lengthOf(b)
}

function lengthOf({ from, to }: RowList): number {
  return to - from
}

function setsOfTerms(source: RowSource, range: RowRange, terms: readonly number[]): RowSets | undefined {
  const lists: RowList[] = []
  const bitmaps: TermRows[] = []
  for (const term of terms) {
    const bitmap = bitmapOf(source, term)
    if (bitmap !== undefined) {
      bitmaps.push(bitmap)
      continue
    }
    const list = listOfTerm(source, range, term)
    if (list === undefined) return undefined
    lists.push(list)
  }
  return { lists, bitmaps }
}

function bitmapOf({ run, isWhole }: RowSource, term: number): TermRows | undefined {
  return isWhole ? rowsOf(run.parts, term) : undefined
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

/** The rows in a circle; undefined unless they are found sooner than by testing `rowsMax` others. */
function listInCircle(
  { run, isWhole }: RowSource,
  range: RowRange,
  { circle }: RowFilter,
  rowsMax: number,
): RowList | undefined {
  if (circle === undefined || !isWhole) return undefined
  const length = circle.gather(run, range, rowsMax, rowsInCircle)
  return length === -1 ? undefined : { rows: rowsInCircle, from: 0, to: length, term: undefined, isSorted: false }
}

/** The cost of looking an offering up, in rows of a list that could be tested in the same time. */
const FEW_COST = 24

/** The rows of few offerings; undefined unless they are found sooner than by testing `rowsMax` others. */
function listOfFew(
  { run, isWhole }: RowSource,
  { firstRow, endRow }: RowRange,
  { few }: RowFilter,
  rowsMax: number,
): RowList | undefined {
  if (few === undefined || !isWhole || few.length * FEW_COST > rowsMax) return undefined
  const { offeringRows } = run.parts
  let length = 0
  for (const offering of few) {
    const { from, to } = run.rowsOf(offering)
    for (let at = from; at < to; at++)
      if (offeringRows[at] >= firstRow && offeringRows[at] < endRow) rowsOfFew[length++] = offeringRows[at]
  }
  return { rows: rowsOfFew, from: 0, to: length, term: undefined, isSorted: false }
}

const commonRows = new Uint16Array(RUN_ROWS_MAX)

function listOfCommon(sets: Intersection): RowList {
  return { rows: commonRows, from: 0, to: copyCommon(sets, commonRows), term: undefined, isSorted: true }
}
