// Hot path

import type { Steps } from '../lib/steps.ts'
import type { Position } from '../slot/cursor.ts'
import { GeoRadius } from '../slot/geo-radius.ts'
import { nameFilters, type SlotFilters } from '../slot/slot-filters.ts'
import type { SlotQuery } from '../slot/slot-query.ts'
import { DistanceMatches, distanceOf } from './counts/distance-matches.ts'
import { countMatches } from './counts/offering-counts.ts'
import { CountedWindows, matchPrefix } from './counts/prefix-matches.ts'
import { SlotCounts } from './counts/slot-counts.ts'
import type { IndexContent } from './index-content.ts'
import { stateTerm } from './matching/filter-plan.ts'
import { matchEarliest, matchOfferings, matchRows } from './matching/matched-rows.ts'
import type { OpenRows } from './matching/open-rows.ts'
import type { OrderedMatches, SlotMatches } from './matching/slot-matches.ts'
import { type Allocate, writePage } from './page.ts'
import type { Run } from './runs/run.ts'
import type { Page, StartCounts } from './slot-index.ts'
import { WeightedCache } from './weighted-cache.ts'

/** Filters and an order. */
type OrderedFilters = SlotFilters & Pick<SlotQuery, 'sort'>

/** One committed state of an index at one time. Nothing in it changes, so its steps may pause. */
export class IndexView {
  /** See `SlotIndex.version`. */
  readonly version: string
  readonly counts: SlotCounts
  readonly #content: IndexContent
  readonly #open: OpenRows
  readonly #windows: CountedWindows
  readonly #cache = new WeightedCache<OrderedMatches>()

  constructor(content: IndexContent, open: OpenRows) {
    const { store, revision } = content.committed
    this.version = `${store}.${revision}.${open.count}`
    this.#content = content
    this.#open = open
    this.#windows = new CountedWindows(content, open)
    this.counts = new SlotCounts(content, open, (filters) => this.#find(filters))
  }

  /** One page of a query's slots; undefined if it takes longer than some 100 microseconds. */
  trySelect(query: SlotQuery, allocate: Allocate): Page | undefined {
    const step = this.select(query, allocate).next()
    return step.done === true ? step.value : undefined
  }

  /** One page of a query's slots. */
  *select(query: SlotQuery, allocate: Allocate): Steps<Page> {
    const matches = yield* this.#forPages(query)
    const after = query.cursor?.after
    const total = matches.count
    if (after !== undefined && matches.prepareCount !== undefined) yield* matches.prepareCount(after)
    const from = after === undefined ? Math.min(query.offset, total) : matches.countThrough(after)
    const count = Math.min(query.limit, total - from)
    if (matches.prepare !== undefined) yield* matches.prepare(from, count)
    const { body, last } = writePage(this.#content.tables.writers, { query, matches, from, count }, allocate)
    const hasMore = query.cursor !== undefined && from + count < total
    return {
      body,
      total,
      last: hasMore && last !== undefined ? this.#positionOf(last, query) : undefined,
      nextStartMs: total === 0 ? yield* this.#nextStart(query) : undefined,
    }
  }

  /** The rows of a query in its order, of which pages read some. */
  *#forPages(query: OrderedFilters): Steps<OrderedMatches> {
    const bounds = circleOf(query) === undefined ? this.#windows.boundsOf(query) : undefined
    if (bounds === undefined) return yield* this.matches(query)
    const name = `pages ${nameFilters(query)}`
    const known = this.#cache.find(name)
    if (known !== undefined) return known
    if (!this.counts.notePage(bounds.counted)) return yield* this.matches(query)
    const view = { content: this.#content, open: this.#open, counts: this.counts }
    const onGrowth = () => this.#cache.add(name, matches)
    const matches: OrderedMatches = yield* matchPrefix(view, query, bounds, onGrowth)
    this.#cache.add(name, matches)
    return matches
  }

  /** All rows of a query in its order. */
  *matches(query: OrderedFilters): Steps<OrderedMatches> {
    const circle = circleOf(query)
    if (circle === undefined) return yield* this.#find(query)
    const name = `distance ${nameFilters(query)}`
    const known = this.#cache.find(name)
    if (known !== undefined) return known
    const { offerings } = this.#content.tables
    const { startBeforeMs = Number.POSITIVE_INFINITY } = query
    // The rows of a window that ends are found sooner than counted.
    const bounds = startBeforeMs === Number.POSITIVE_INFINITY ? this.#windows.boundsOf(query) : undefined
    const counted =
      bounds !== undefined ? this.counts.byOffering(query) : countMatches(yield* this.#find(query), offerings.end)
    const find = (few: Uint32Array, untilMs: number) =>
      matchOfferings(this.#content, this.#open, { ...query, startBeforeMs: Math.min(startBeforeMs, untilMs) }, few)
    const search = { ends: bounds?.ends ?? [Number.POSITIVE_INFINITY], find }
    const sorted = yield* DistanceMatches.of(yield* counted, offerings, circle, search)
    this.#cache.add(name, sorted)
    return sorted
  }

  /** See `SlotIndex.countStarts()`. */
  *countStarts(query: SlotQuery, edgesMs: readonly number[]): Steps<StartCounts> {
    const { startAfterMs, startBeforeMs: _, ...unbounded } = query
    // Only says whether ended slots are counted.
    const filters = startAfterMs === undefined ? unbounded : { ...unbounded, startAfterMs: Number.NEGATIVE_INFINITY }
    const all = countBetween(yield* this.#find(filters), edgesMs)
    const byState = new Map<string | undefined, readonly number[]>()
    const { states, terms: names } = this.#content.tables.offerings
    for (const state of query.states ?? [...states.keys()]) {
      yield
      const number = state === undefined ? states.get(state) : names.find(stateTerm(state, query))
      const terms = number === undefined ? [] : [number]
      const { states: _, ...anywhere } = filters
      if (terms.length > 0)
        byState.set(state, countBetween(yield* matchRows(this.#content, this.#open, anywhere, { terms }), edgesMs))
    }
    return { all, byState }
  }

  /**
   * The rows that match, in order of (start, id). Matches in few runs are found again as quickly as in the cache, unless rows had to be
   * tested.
   */
  *#find(filters: SlotFilters): Steps<SlotMatches> {
    const steps = matchRows(this.#content, this.#open, filters)
    const isBounded = filters.startAfterMs !== undefined && filters.startBeforeMs !== undefined
    if (isBounded) {
      const step = steps.next()
      if (step.done === true) return step.value
    }
    const name = nameFilters(filters)
    const known = this.#cache.find(name)
    if (known !== undefined) return known as SlotMatches
    const matches = yield* steps
    this.#cache.add(name, matches)
    return matches
  }

  /** The earliest start of a match without the bounds of the start, if the query has any. */
  *#nextStart({ startAfterMs, startBeforeMs, ...unbounded }: SlotFilters): Steps<number | undefined> {
    if (startAfterMs === undefined && startBeforeMs === undefined) return undefined
    const matches = yield* matchEarliest(this.#content, this.#open, unbounded)
    return matches.startFrom(Number.NEGATIVE_INFINITY)
  }

  #positionOf({ run, row }: { run: Run; row: number }, query: OrderedFilters): Position {
    const position = { startMs: run.startMsOf(row), id: run.idOf(row) }
    const circle = circleOf(query)
    if (circle === undefined) return position
    return { ...position, distanceKm: distanceOf(this.#content.tables.offerings, circle, run.offeringOf(row)) }
  }
}

/** Number of matches in each interval [edge, next edge). */
function countBetween(matches: SlotMatches, edgesMs: readonly number[]): number[] {
  const before = edgesMs.map((edgeMs) => matches.countBefore(edgeMs))
  return before.slice(1).map((count, n) => count - before[n])
}

/** The radius whose center the slots are sorted by, if they are sorted by distance. */
function circleOf({ sort, near }: OrderedFilters): GeoRadius | undefined {
  return sort === 'distance' && near !== undefined ? new GeoRadius(near) : undefined
}
