// Hot path
import { defined } from '../../lib/optional.ts'
import { runAtOnce, type Steps } from '../../lib/steps.ts'
import type { Position } from '../../slot/cursor.ts'
import type { SlotFilters } from '../../slot/slot-filters.ts'
import { type IndexContent, STATUS_NUMBER } from '../index-content.ts'
import { isByOffering } from '../matching/filter-plan.ts'
import { matchPlans } from '../matching/matched-rows.ts'
import type { OpenRows } from '../matching/open-rows.ts'
import { isListed, type RowFilter } from '../matching/run-matches.ts'
import { type OrderedMatches, type RowReader, SlotMatches } from '../matching/slot-matches.ts'
import type { RowWindow } from '../matching/window-counts.ts'
import { placeFrom } from '../sorted-lists.ts'
import { LOOKED_UP_MAX } from './offering-counts.ts'
import type { SlotCounts } from './slot-counts.ts'

/** Rows that are counted although they start before or after those of a query are found, to be subtracted: a third of the runs at most. */
const SHARE_MIN = 2 / 3
/** The rows of all open runs are counted, or of three quarters of these, and so on: windows that end between two of them share the counts. */
const COUNTED_RATIO = 3 / 4
/** The rows of a smaller share of all, or of fewer runs, are found as soon as they are counted. */
const COUNTED_SHARE_MIN = 1 / 8
const COUNTED_RUNS_MIN = 16

/** Which rows are counted, and in which steps rows are found. */
export interface PrefixBounds {
  /** Starts in ascending order, the last infinite: rows are found up to one of them. */
  readonly ends: readonly number[]
  /** The window whose rows are counted: more than those of the query. */
  readonly counted: RowWindow
}

/** How rows are found. */
export interface PrefixSearch {
  /** See `PrefixBounds`. */
  readonly ends: readonly number[]
  /** Called whenever more rows have been found. */
  readonly onGrowth?: () => void
  /** Memory that it takes, in words of four bytes. */
  readonly weight: number
  /** The matches that start until an instant. */
  find(untilMs: number): Steps<SlotMatches>
}

/** Decides which rows of one state of an index are counted at one time. */
export class CountedWindows {
  readonly #content: IndexContent
  readonly #open: OpenRows
  /** By status: where the runs of level 1 end that have open rows, in ascending order. */
  readonly #ends: Float64Array[] = []

  constructor(content: IndexContent, open: OpenRows) {
    this.#content = content
    this.#open = open
  }

  /** Undefined if the rows of a query cannot be counted by offering, or if too many that are counted start before or after. */
  boundsOf(filters: SlotFilters): PrefixBounds | undefined {
    const { baseMs } = this.#open
    const { status, startAfterMs = baseMs + 1, startBeforeMs = Number.POSITIVE_INFINITY } = filters
    // Slots that have ended are not counted.
    if (!isByOffering(filters) || startAfterMs <= baseMs || startBeforeMs < startAfterMs) return undefined
    const open = this.#endsOf(STATUS_NUMBER[status])
    const first = placeFrom(open, startAfterMs)
    const end = Math.min(placeFrom(open, startBeforeMs) + 1, open.length)
    const wanted = Math.max(end, open.length * COUNTED_SHARE_MIN, COUNTED_RUNS_MIN)
    let counted = open.length
    for (let fewer = counted; fewer >= wanted; fewer = Math.floor(fewer * COUNTED_RATIO)) counted = fewer
    if (end - first < counted * SHARE_MIN) return undefined
    return {
      ends: [...open.subarray(first, end - 1), Number.POSITIVE_INFINITY],
      counted: counted === open.length ? { status } : { status, startBeforeMs: open[counted - 1] },
    }
  }

  #endsOf(status: number): Float64Array {
    const known = this.#ends[status]
    if (known !== undefined) return known
    const ends = Float64Array.from(this.#content.levels[status].one, ({ run }) => run.lastStartMs)
    const open = ends.subarray(placeFrom(ends, this.#open.baseMs + 1))
    this.#ends[status] = open
    return open
  }
}

/**
 * The rows of a query in order of (start, id): all if runs list them. Else the offerings that match say how many there are, and pages
 * find as many as they read.
 */
export function* matchPrefix(
  { content, open, counts }: { readonly content: IndexContent; readonly open: OpenRows; readonly counts: SlotCounts },
  filters: SlotFilters,
  { ends, counted }: PrefixBounds,
  onGrowth?: () => void,
): Steps<OrderedMatches> {
  const { status, startAfterMs, startBeforeMs } = filters
  const { planner } = content.tables
  const plans = yield* planner.plan(filters)
  if (plans.every(isListed)) return yield* matchPlans(content, open, filters, plans)
  const { rows, few } = yield* counts.total(counted, plans)
  const own = few.length > LOOKED_UP_MAX ? plans : [planner.planFew(few)]
  const findIn = (window: RowWindow) => matchPlans(content, open, window, own)
  const find = (untilMs: number) => findIn({ ...filters, startBeforeMs: Math.min(untilMs, startBeforeMs ?? untilMs) })
  let outside = 0
  if (startAfterMs !== undefined) outside += (yield* findIn({ status, startBeforeMs: startAfterMs - 1 })).count
  if (startBeforeMs !== undefined) outside += (yield* findIn({ ...counted, startAfterMs: startBeforeMs + 1 })).count
  const weight = ends.length * 2 + weightOf(own)
  return new PrefixMatches(rows - outside, { ends, weight, find, ...defined({ onGrowth }) })
}

/** Of their bitmaps. */
function weightOf(plans: readonly RowFilter[]): number {
  return plans.flatMap(({ tests }) => tests).reduce((sum, bits) => sum + bits.length, 0)
}

/** Matches whose number is known before their rows, which are found from the first on, as far as they are read. */
export class PrefixMatches implements OrderedMatches {
  readonly count: number
  readonly #search: PrefixSearch
  #found = new SlotMatches([])
  /** Number of the ends up to which rows have been found. */
  #searched = 0

  constructor(count: number, search: PrefixSearch) {
    this.count = count
    this.#search = search
  }

  get weight(): number {
    return this.#search.weight + this.#found.weight
  }

  countThrough(position: Position): number {
    runAtOnce(this.prepareCount(position))
    return this.#found.countThrough(position)
  }

  *prepareCount({ startMs }: Position): Steps<void> {
    yield* this.#searchTo(this.#search.ends.findIndex((endMs) => endMs >= startMs) + 1)
  }

  *prepare(from: number, count: number): Steps<void> {
    const wanted = Math.min(this.count, from + count)
    const { length } = this.#search.ends
    // As far as twice as many rows would be if they were spread evenly; four times as far if that is too little.
    let searched = Math.ceil((length * wanted * 2) / this.count)
    for (; this.#found.count < wanted && this.#searched < length; searched *= 4) yield* this.#searchTo(searched)
  }

  read(from: number, expected: number): RowReader {
    runAtOnce(this.prepare(from, expected))
    return this.#found.read(from, expected)
  }

  *#searchTo(searched: number): Steps<void> {
    const { ends, find, onGrowth } = this.#search
    const last = Math.min(searched, ends.length)
    if (last <= this.#searched) return
    const found = yield* find(ends[last - 1])
    // Another request may have searched further meanwhile.
    if (last <= this.#searched) return
    this.#found = found
    this.#searched = last
    onGrowth?.()
  }
}
