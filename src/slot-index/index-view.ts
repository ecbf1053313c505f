// Hot path

import type { Steps } from '../lib/steps.ts'
import { GeoRadius } from '../slot/geo-radius.ts'
import type { SlotFilters } from '../slot/slot-filters.ts'
import type { SlotQuery } from '../slot/slot-query.ts'
import { bucketFor, bucketsByState, type ListGroups } from './buckets.ts'
import { countThrough, FilteredLists, type ListPart, positionOf } from './filtered-lists.ts'
import type { IndexState } from './index-state.ts'
import type { Allocate, PageCopier } from './page-copier.ts'
import type { PostingList } from './posting-list.ts'
import { SlotCounts } from './slot-counts.ts'
import type { Page, StartCounts } from './slot-index.ts'

/** Filters and an order. */
type OrderedFilters = SlotFilters & Pick<SlotQuery, 'sort'>

/**
 * One committed state of an index at one time, with the lists and counts that queries have built from it. Its lists never change; its
 * rows stay readable while it is the newest view or a snapshot of it is open, so steps that pause need one (`SlotIndex.inSteps()`).
 */
export class IndexView {
  /** See `SlotIndex.version`. */
  readonly version: string
  readonly counts: SlotCounts
  readonly #state: IndexState
  readonly #groups: ListGroups
  readonly #lists: FilteredLists
  readonly #copier: PageCopier

  constructor(state: IndexState, version: string, copier: PageCopier) {
    this.version = version
    this.#state = state
    this.#groups = state.groups
    this.#lists = new FilteredLists(state, this.#groups)
    this.#copier = copier
    this.counts = new SlotCounts(state, this.#groups, (filters) => this.#inOrder(filters))
  }

  /** One page of a query's slots; undefined if a list has to be built for it, which takes milliseconds. */
  trySelect(query: SlotQuery, allocate: Allocate): Page | undefined {
    const part = this.#find(query)
    if (part === undefined) return undefined
    const unbounded = part.from === part.to ? withoutBounds(query) : undefined
    const list = unbounded && this.#lists.find(unbounded)
    return unbounded !== undefined && list === undefined ? undefined : this.#page(query, part, list, allocate)
  }

  /** One page of a query's slots. */
  *select(query: SlotQuery, allocate: Allocate): Steps<Page> {
    const part = yield* this.part(query)
    const unbounded = part.from === part.to ? withoutBounds(query) : undefined
    return this.#page(query, part, unbounded && (yield* this.#lists.build(unbounded)), allocate)
  }

  /** All rows of a query in its order. */
  *part(query: OrderedFilters): Steps<ListPart> {
    const part = yield* this.#inOrder(query)
    const circle = circleOf(query)
    return circle === undefined ? part : yield* this.#lists.sortByDistance(query, circle, part)
  }

  /** See `SlotIndex.countStarts()`. */
  *countStarts(query: SlotQuery, edgesMs: readonly number[]): Steps<StartCounts> {
    const { rows } = this.#state
    const all = countBetween(yield* this.#lists.build(query), edgesMs, rows)
    const buckets = query.states?.map((state) => [state, bucketFor({ ...query, states: [state] })] as const) ?? [
      ...bucketsByState(this.#groups.keys(), query),
    ]
    const byState = new Map<string | undefined, readonly number[]>()
    for (const [state, bucket] of buckets)
      byState.set(state, countBetween(yield* this.#lists.build(query, bucket), edgesMs, rows))
    return { all, byState }
  }

  #find(query: OrderedFilters): ListPart | undefined {
    const list = this.#lists.find(query)
    if (list === undefined) return undefined
    const part = this.#between(list, query)
    return circleOf(query) === undefined ? part : this.#lists.findByDistance(query, part)
  }

  /** The rows that match, in order of (start, id). */
  *#inOrder(filters: SlotFilters): Steps<ListPart> {
    return this.#between(yield* this.#lists.build(filters), filters)
  }

  #between(list: PostingList, { startAfterMs, startBeforeMs }: SlotFilters): ListPart {
    const { rows } = this.#state
    const from = startAfterMs === undefined ? 0 : list.countBefore(startAfterMs, rows)
    const to = startBeforeMs === undefined ? list.length : list.countBefore(startBeforeMs + 1, rows)
    return { list, from, to: Math.max(from, to) }
  }

  /** `unbounded`: if nothing matches and the start is bounded, the rows that match without these bounds. */
  #page(query: SlotQuery, part: ListPart, unbounded: PostingList | undefined, allocate: Allocate): Page {
    const { list, from } = part
    const circle = circleOf(query)
    const total = part.to - from
    const after = query.cursor?.after
    const first = after === undefined ? Math.min(query.offset, total) : countThrough(part, after, this.#state, circle)
    const end = Math.min(first + query.limit, total)
    const body = this.#copier.page(list, { from: from + first, to: from + end, total }, allocate)
    const row = query.cursor !== undefined && end < total ? list.at(from + end - 1) : undefined
    const next = unbounded?.at(0)
    return {
      body,
      total,
      last: row === undefined ? undefined : positionOf(row, this.#state, circle),
      nextStartMs: next === undefined ? undefined : this.#state.rows.startOf(next),
    }
  }
}

/** The filters without the bounds of the start; undefined if there are none. */
function withoutBounds({ startAfterMs, startBeforeMs, ...unbounded }: SlotFilters): SlotFilters | undefined {
  return startAfterMs === undefined && startBeforeMs === undefined ? undefined : unbounded
}

/** Number of rows in each interval [edge, next edge). */
function countBetween(list: PostingList, edgesMs: readonly number[], rows: IndexState['rows']): number[] {
  const before = edgesMs.map((edgeMs) => list.countBefore(edgeMs, rows))
  return before.slice(1).map((count, n) => count - before[n])
}

/** The radius whose center the list is sorted by, if it is sorted by distance. */
function circleOf({ sort, near }: OrderedFilters): GeoRadius | undefined {
  return sort === 'distance' && near !== undefined ? new GeoRadius(near) : undefined
}
