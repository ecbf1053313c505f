// Hot path

import { rareMatcherOf } from '../slot/filter-values.ts'
import type { Circle } from '../slot/geo-radius.ts'
import { nameOfferingFilters, type SlotFilters } from '../slot/slot-filters.ts'
import { groupNumber, placeFor } from './buckets.ts'
import { sortByDistance } from './distance-order.ts'
import { narrowRows } from './filter-rows.ts'
import type { IndexState } from './index-state.ts'
import { ListMemory } from './list-cache.ts'
import { matchOfferings } from './offering-matches.ts'
import type { PostingList } from './posting-list.ts'
import { STATUS_NUMBER } from './slot-rows.ts'

const MINUTE_MS = 60_000

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
 * A first query decides once for each offering, and then costs about 3 ns for each row that it looks at; `narrowRows()` looks
 * at few where few offerings match.
 */
export class NarrowedLists {
  readonly #state: IndexState
  readonly #remembered = new ListMemory()

  constructor(state: IndexState) {
    this.#state = state
  }

  /** The rows that match all filters but the bounds of the start, in order of (start, id); of those, the rows of a place. */
  listFor(query: SlotFilters, place = placeFor(query)): PostingList {
    const isWhole = query.minDurationMs === undefined && !asksOfOfferings(query)
    return isWhole ? this.#listAt(place, query) : this.#narrowed(query, place)
  }

  /** The same rows as a part of a list in order of (distance, start, id). */
  byDistance(query: SlotFilters, circle: Circle, { list, from, to }: ListPart): ListPart {
    const name = `distance ${this.#nameOf(query, placeFor(query))} ${from} ${to}`
    const sorted = this.#find(name, () => sortByDistance(this.#state, circle, list.slice(from, to)))
    return { list: sorted, from: 0, to: sorted.length }
  }

  #listAt(place: number, { status, startAfterMs }: SlotFilters): PostingList {
    const group = this.#state.groupAt(groupNumber(place, STATUS_NUMBER[status]))
    return startAfterMs === undefined ? group.open : group.all
  }

  #narrowed(query: SlotFilters, place: number): PostingList {
    return this.#find(this.#nameOf(query, place), () =>
      narrowRows(this.#state, {
        list: this.#listAt(place, query),
        listOfHome: (home) => this.#listAt(home, query),
        matches: asksOfOfferings(query) ? matchOfferings(this.#state.offerings, query, place) : undefined,
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

  #nameOf(query: SlotFilters, place: number): string {
    const kind = query.startAfterMs === undefined ? 'open' : 'all'
    return `${place} ${query.status} ${kind} ${query.minDurationMs ?? 0} ${nameOfferingFilters(query)}`
  }
}

/** Whether a query asks anything of offerings that their place does not decide. */
function asksOfOfferings(query: SlotFilters): boolean {
  const { near, states } = query
  return (
    near !== undefined || (states !== undefined && states.length > 1) || rareMatcherOf(query) !== undefined
  )
}
