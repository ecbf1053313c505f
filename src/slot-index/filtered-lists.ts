// Hot path

import type { Steps } from '../lib/steps.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { Position } from '../slot/cursor.ts'
import type { GeoRadius } from '../slot/geo-radius.ts'
import { nameOfferingFilters, type SlotFilters } from '../slot/slot-filters.ts'
import { bucketFor, groupIn, groupNumber, isDecidedByBucket, type ListGroups } from './buckets.ts'
import { distanceOf, sortByDistance } from './distance-order.ts'
import { filterRows } from './filter-rows.ts'
import type { IndexState } from './index-state.ts'
import { ListCache } from './list-cache.ts'
import { matchOfferings } from './offering-matches.ts'
import type { PostingList } from './posting-list.ts'
import { STATUS_NUMBER } from './slot-rows.ts'

/** Rows [from, to) of a list. */
export interface ListPart {
  readonly list: PostingList
  readonly from: number
  readonly to: number
}

/**
 * The posting list of a query's filters. Filters that no bucket decides are properties of the offering or of the row: the
 * bucket's list is filtered by them, and the result is cached until the next change.
 *
 * The first such query evaluates each offering once and then scans rows at about 3 ns each; `filterRows()` scans few rows
 * where few offerings match.
 */
export class FilteredLists {
  readonly #state: IndexState
  readonly #groups: ListGroups
  readonly #cache = new ListCache()

  /** `groups`: the lists to filter, which stay the same as long as this object is used. */
  constructor(state: IndexState, groups: ListGroups) {
    this.#state = state
    this.#groups = groups
  }

  /**
   * The rows of a bucket that match all filters except the bounds of the start, in order of (start, id); undefined if the list has to
   * be built.
   */
  find(query: SlotFilters, bucket = bucketFor(query)): PostingList | undefined {
    const isWhole = query.minDurationMs === undefined && isDecidedByBucket(query)
    return isWhole ? this.#listAt(bucket, query) : this.#cache.find(this.#nameOf(query, bucket))
  }

  /** The list that `find()` finds, built if necessary. */
  *build(query: SlotFilters, bucket = bucketFor(query)): Steps<PostingList> {
    const known = this.find(query, bucket)
    if (known !== undefined) return known
    const { offerings } = this.#state
    const list = yield* filterRows(this.#state, {
      list: this.#listAt(bucket, query),
      listOfPrimary: (primaryBucket) => this.#listAt(primaryBucket, query),
      matches: isDecidedByBucket(query) ? undefined : yield* matchOfferings(offerings, query, bucket),
      minMinutes: (query.minDurationMs ?? 0) / MINUTE_MS,
    })
    this.#cache.add(this.#nameOf(query, bucket), list)
    return list
  }

  /** The rows of a part, sorted by (distance, start, id); undefined if they have to be sorted. */
  findByDistance(query: SlotFilters, part: ListPart): ListPart | undefined {
    const list = this.#cache.find(this.#nameByDistance(query, part))
    return list && { list, from: 0, to: list.length }
  }

  /** The part that `findByDistance()` finds, sorted if necessary. */
  *sortByDistance(query: SlotFilters, circle: GeoRadius, part: ListPart): Steps<ListPart> {
    const known = this.findByDistance(query, part)
    if (known !== undefined) return known
    const list = yield* sortByDistance(this.#state, circle, part)
    this.#cache.add(this.#nameByDistance(query, part), list)
    return { list, from: 0, to: list.length }
  }

  #listAt(bucket: number, { status, startAfterMs }: SlotFilters): PostingList {
    const group = groupIn(this.#groups, groupNumber(bucket, STATUS_NUMBER[status]))
    return startAfterMs === undefined ? group.open : group.all
  }

  #nameOf(query: SlotFilters, bucket: number): string {
    const kind = query.startAfterMs === undefined ? 'open' : 'all'
    return `${bucket} ${query.status} ${kind} ${query.minDurationMs ?? 0} ${nameOfferingFilters(query)}`
  }

  #nameByDistance(query: SlotFilters, { from, to }: ListPart): string {
    return `distance ${this.#nameOf(query, bucketFor(query))} ${from} ${to}`
  }
}

/** Number of rows of a part up to and including a position, whose slot may be gone. `circle` is set if the list is sorted by distance. */
export function countThrough(
  { list, from, to }: ListPart,
  after: Position,
  state: IndexState,
  circle: GeoRadius | undefined,
): number {
  const id = Buffer.from(after.id, 'latin1')
  const { distanceKm = 0 } = after
  const count = list.countWhile((row) => {
    const farther = circle === undefined ? 0 : distanceOf(state, circle, row) - distanceKm
    return (farther || state.rows.compareTo(row, after.startMs, id)) <= 0
  })
  return Math.min(Math.max(count, from), to) - from
}

/** The position of a row. */
export function positionOf(row: number, state: IndexState, circle: GeoRadius | undefined): Position {
  const position = { startMs: state.rows.startOf(row), id: state.rows.idOf(row) }
  return circle === undefined ? position : { ...position, distanceKm: distanceOf(state, circle, row) }
}
