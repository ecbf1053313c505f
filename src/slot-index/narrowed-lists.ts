// Hot path
import { nameOfferingFilters, type SlotFilters } from '../slot/slot-filters.ts'
import { type Matcher, matcherOf } from '../slot/traits.ts'
import type { IndexState } from './index-state.ts'
import { type PostingList, PostingListBuilder } from './posting-list.ts'

/** How many rows all remembered lists may hold together: 16 MiB. */
const ROWS_MAX = 4 * 1024 * 1024

/**
 * The rarer filters: a posting list narrowed to the offerings that match, and remembered until the next change.
 *
 * What the filters ask is a property of the offering, so it is decided once per offering and then looked up per row:
 * a first query costs about 3 ns for each row of the list it narrows.
 */
export class NarrowedLists {
  readonly #state: IndexState
  readonly #remembered = new Map<string, PostingList>()
  readonly #numbers = new Map<PostingList, number>()
  #rows = 0

  constructor(state: IndexState) {
    this.#state = state
  }

  /** The list less the slots that the query's rarer filters leave out. */
  narrow(list: PostingList, query: SlotFilters): PostingList {
    const matches = narrowing(query)
    const { minDurationMs = 0 } = query
    if (matches === undefined && minDurationMs === 0) return list
    const name = `${this.#numberOf(list)} ${minDurationMs} ${nameOfferingFilters(query)}`
    const known = this.#remembered.get(name)
    if (known !== undefined) return known
    const narrowed = this.#filter(list, matches ?? (() => true), minDurationMs)
    this.#remember(name, narrowed)
    return narrowed
  }

  /** Lists do not change, so one that was seen before is the same list. */
  #numberOf(list: PostingList): number {
    const number = this.#numbers.get(list) ?? this.#numbers.size
    this.#numbers.set(list, number)
    return number
  }

  #filter(list: PostingList, matches: Matcher, minDurationMs: number): PostingList {
    const { rows, offerings } = this.#state
    const matching = new Uint8Array(offerings.end)
    for (let offering = 0; offering < offerings.end; offering++) {
      const traits = offerings.traits[offering]
      if (traits !== undefined && matches(traits)) matching[offering] = 1
    }
    const found = new PostingListBuilder()
    for (const chunk of list.chunks) {
      for (const row of chunk) {
        if (matching[rows.offeringOf(row)] === 1 && rows.endOf(row) - rows.startOf(row) >= minDurationMs)
          found.push(row)
      }
    }
    return found.build()
  }

  #remember(name: string, list: PostingList): void {
    this.#remembered.set(name, list)
    // An empty list takes room as well.
    this.#rows += list.length + 64
    for (const [oldest, rows] of this.#remembered) {
      if (this.#rows <= ROWS_MAX) return
      this.#remembered.delete(oldest)
      this.#rows -= rows.length + 64
    }
  }
}

/** What no place decides. */
function narrowing({ states, isVirtual: _, ...rest }: SlotFilters): Matcher | undefined {
  return matcherOf(states !== undefined && states.length > 1 ? { states, ...rest } : rest)
}
