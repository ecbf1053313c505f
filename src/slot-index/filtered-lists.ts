// Hot path

import { MINUTE_MS } from '../lib/time.ts'
import { rareMatcherOf } from '../slot/filter-values.ts'
import type { Circle } from '../slot/geo-radius.ts'
import { nameOfferingFilters, type SlotFilters } from '../slot/slot-filters.ts'
import { bucketFor, groupNumber } from './buckets.ts'
import { sortByDistance } from './distance-order.ts'
import { filterRows } from './filter-rows.ts'
import type { IndexState } from './index-state.ts'
import { ListCache } from './list-cache.ts'
import { matchOfferings } from './offering-matches.ts'
import type { PostingList } from './posting-list.ts'
import { STATUS_NUMBER } from './slot-rows.ts'

/** A part of a list: the rows from one position to before another. */
export interface ListPart {
  readonly list: PostingList
  readonly from: number
  readonly to: number
}

/**
 * The posting list of a query's filters. What no place decides is a property of the offering or of the row: the list of the
 * place is narrowed to those that match, and the outcome is remembered until the next change.
 *
 * A first query decides once for each offering, and then costs about 3 ns for each row that it looks at; `filterRows()` looks
 * at few where few offerings match.
 */
export class FilteredLists {
  readonly #state: IndexState
  readonly #remembered = new ListCache()

  constructor(state: IndexState) {
    this.#state = state
  }

  /** The rows that match all filters but the bounds of the start, in order of (start, id); of those, the rows of a place. */
  listFor(query: SlotFilters, bucket = bucketFor(query)): PostingList {
    const isWhole = query.minDurationMs === undefined && !asksOfOfferings(query)
    return isWhole ? this.#listAt(bucket, query) : this.#narrowed(query, bucket)
  }

  /** The same rows as a part of a list in order of (distance, start, id). */
  byDistance(query: SlotFilters, circle: Circle, { list, from, to }: ListPart): ListPart {
    const name = `distance ${this.#nameOf(query, bucketFor(query))} ${from} ${to}`
    const sorted = this.#find(name, () => sortByDistance(this.#state, circle, list.slice(from, to)))
    return { list: sorted, from: 0, to: sorted.length }
  }

  #listAt(bucket: number, { status, startAfterMs }: SlotFilters): PostingList {
    const group = this.#state.groupAt(groupNumber(bucket, STATUS_NUMBER[status]))
    return startAfterMs === undefined ? group.open : group.all
  }

  #narrowed(query: SlotFilters, bucket: number): PostingList {
    return this.#find(this.#nameOf(query, bucket), () =>
      filterRows(this.#state, {
        list: this.#listAt(bucket, query),
        listOfPrimary: (primaryBucket) => this.#listAt(primaryBucket, query),
        matches: asksOfOfferings(query) ? matchOfferings(this.#state.offerings, query, bucket) : undefined,
        minMinutes: (query.minDurationMs ?? 0) / MINUTE_MS,
      }),
    )
  }

  /** The list of that name, which is made only if it is not remembered. */
  #find(name: string, make: () => PostingList): PostingList {
    const known = this.#remembered.find(name)
    if (known !== undefined) return known
    const made = make()
    this.#remembered.add(name, made)
    return made
  }

  #nameOf(query: SlotFilters, bucket: number): string {
    const kind = query.startAfterMs === undefined ? 'open' : 'all'
    return `${bucket} ${query.status} ${kind} ${query.minDurationMs ?? 0} ${nameOfferingFilters(query)}`
  }
}

/** Whether a query asks anything of offerings that their place does not decide. */
function asksOfOfferings(query: SlotFilters): boolean {
  const { near, states } = query
  return (
    near !== undefined || (states !== undefined && states.length > 1) || rareMatcherOf(query) !== undefined
  )
}
