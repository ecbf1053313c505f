// Hot path
import { runAtOnce, type Steps } from '../lib/steps.ts'
import type { Position } from '../slot/cursor.ts'
import type { SlotFilters } from '../slot/slot-filters.ts'
import { isByOffering } from './filter-plan.ts'
import { type IndexContent, STATUS_NUMBER } from './index-content.ts'
import { matchPlans } from './matched-rows.ts'
import { LOOKED_UP_MAX } from './offering-counts.ts'
import type { OpenRows } from './open-rows.ts'
import { isListed, type RowFilter } from './run-matches.ts'
import type { SlotCounts } from './slot-counts.ts'
import { type OrderedMatches, type RowReader, SlotMatches } from './slot-matches.ts'

/** The rows that start before those of a query are found, too, to be subtracted: not if they are more than a quarter. */
const SHARE_MIN = 3 / 4

/** In which steps rows are found. */
export interface PrefixSteps {
  /** Starts in ascending order, the last infinite: rows are found up to one of them. */
  readonly ends: readonly number[]
  /** Called whenever more rows have been found. */
  readonly onGrowth?: () => void
}

/** How rows are found. */
export interface PrefixSearch extends PrefixSteps {
  /** Memory that it takes, in words of four bytes. */
  readonly weight: number
  /** The matches that start until an instant. */
  find(untilMs: number): Steps<SlotMatches>
}

/**
 * Where the runs of level 1 end that may have rows of a query. Undefined if its rows cannot be counted by offering, or if too many that
 * are counted start before.
 */
export function endsOf(filters: SlotFilters, { levels }: IndexContent, { baseMs }: OpenRows): number[] | undefined {
  const { status, startAfterMs, startBeforeMs } = filters
  // Slots that have ended are not counted.
  const hasEnded = startAfterMs !== undefined && startAfterMs <= baseMs
  if (!isByOffering(filters) || startBeforeMs !== undefined || hasEnded) return undefined
  const open = levels[STATUS_NUMBER[status]].one.map(({ run }) => run.lastStartMs).filter((endMs) => endMs > baseMs)
  const ends = open.filter((endMs) => endMs >= (startAfterMs ?? baseMs))
  return ends.length < open.length * SHARE_MIN ? undefined : [...ends.slice(0, -1), Number.POSITIVE_INFINITY]
}

/**
 * The rows of a query in order of (start, id): all if runs list them. Else the offerings that match say how many there are, and pages
 * find as many as they read.
 */
export function* matchPrefix(
  { content, open, counts }: { readonly content: IndexContent; readonly open: OpenRows; readonly counts: SlotCounts },
  filters: SlotFilters,
  steps: PrefixSteps,
): Steps<OrderedMatches> {
  const { status, startAfterMs } = filters
  const { planner } = content.tables
  const plans = yield* planner.plan(filters)
  if (plans.every(isListed)) return yield* matchPlans(content, open, filters, plans)
  const { rows, few } = yield* counts.total({ status }, plans)
  const own = few.length > LOOKED_UP_MAX ? plans : [planner.planFew(few)]
  const find = (untilMs: number) => matchPlans(content, open, { ...filters, startBeforeMs: untilMs }, own)
  const search = { ...steps, weight: steps.ends.length * 2 + weightOf(own), find }
  if (startAfterMs === undefined) return new PrefixMatches(rows, search)
  const before = yield* matchPlans(content, open, { status, startBeforeMs: startAfterMs - 1 }, own)
  return new PrefixMatches(rows - before.count, search)
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
