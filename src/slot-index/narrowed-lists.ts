// Hot path
import type { Circle } from '../slot/circle.ts'
import { nameOfferingFilters, type SlotFilters } from '../slot/slot-filters.ts'
import { rareMatcherOf } from '../slot/traits.ts'
import { sortByDistance } from './distance-order.ts'
import type { IndexState } from './index-state.ts'
import { narrowRows } from './narrow-rows.ts'
import { matchOfferings } from './offering-matches.ts'
import { groupNumber, placeFor } from './places.ts'
import type { PostingList } from './posting-list.ts'
import { STATUS_NUMBER } from './slot-rows.ts'

/** How many rows all remembered lists may hold together: 16 MiB. */
const ROWS_MAX = 4 * 1024 * 1024
/** An empty list takes room as well. */
const OVERHEAD_ROWS = 64

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
  readonly #remembered = new Map<string, PostingList>()
  #rows = 0

  constructor(state: IndexState) {
    this.#state = state
  }

  /** The rows that match all filters but the bounds of the start, in order of (start, id); of those, the rows of a place. */
  listFor(query: SlotFilters, place = placeFor(query)): PostingList {
    const { minDurationMs } = query
    const isRare =
      minDurationMs !== undefined ||
      query.near !== undefined ||
      (query.states !== undefined && query.states.length > 1) ||
      rareMatcherOf(query) !== undefined
    return isRare ? this.#narrowed(query, place) : this.#listAt(place, query)
  }

  /** The same rows as a part of a list in order of (distance, start, id). */
  byDistance(query: SlotFilters, circle: Circle, { list, from, to }: ListPart): ListPart {
    const name = `distance ${this.#nameOf(query, placeFor(query))} ${from} ${to}`
    const sorted = this.#remembered.get(name) ?? sortByDistance(this.#state, circle, list.slice(from, to))
    this.#remember(name, sorted)
    return { list: sorted, from: 0, to: sorted.length }
  }

  #listAt(place: number, { status, startAfterMs }: SlotFilters): PostingList {
    const group = this.#state.groupAt(groupNumber(place, STATUS_NUMBER[status]))
    return startAfterMs === undefined ? group.open : group.all
  }

  #narrowed(query: SlotFilters, place: number): PostingList {
    const name = this.#nameOf(query, place)
    const known = this.#remembered.get(name)
    if (known !== undefined) return known
    const narrowed = narrowRows(this.#state, {
      list: this.#listAt(place, query),
      listOfHome: (home) => this.#listAt(home, query),
      matches: matchOfferings(this.#state.offerings, query, place),
      minMinutes: (query.minDurationMs ?? 0) / 60_000,
    })
    this.#remember(name, narrowed)
    return narrowed
  }

  #nameOf(query: SlotFilters, place: number): string {
    const kind = query.startAfterMs === undefined ? 'open' : 'all'
    return `${place} ${query.status} ${kind} ${query.minDurationMs ?? 0} ${nameOfferingFilters(query)}`
  }

  #remember(name: string, list: PostingList): void {
    if (this.#remembered.has(name)) return
    this.#remembered.set(name, list)
    this.#rows += list.length + OVERHEAD_ROWS
    for (const [oldest, rows] of this.#remembered) {
      if (this.#rows <= ROWS_MAX) return
      this.#remembered.delete(oldest)
      this.#rows -= rows.length + OVERHEAD_ROWS
    }
  }
}
