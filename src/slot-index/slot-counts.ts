// Hot path
import { Circle } from '../slot/geo-radius.ts'
import { SLOT_STATUSES } from '../slot/slot.ts'
import { nameFilters, type SlotFilters } from '../slot/slot-filters.ts'
import type { SlotQuery } from '../slot/slot-query.ts'
import { type ActorCard, actorCards } from './actor-cards.ts'
import { type ActorRanking, rankActors } from './actor-ranking.ts'
import type { Calendar } from './day-counts.ts'
import { countFacets, type FacetCounts } from './facet-counts.ts'
import type { ListPart } from './filtered-lists.ts'
import type { IndexState } from './index-state.ts'
import { countOfferings, type OfferingCounts } from './offering-counts.ts'
import { countOpen, type OpenCount } from './open-counts.ts'

/** One page of actors, and how many there are in all. */
export interface ActorPage {
  readonly actors: readonly ActorCard[]
  readonly total: number
}

/** Which actors: those with slots that match, in order of the first of them, or of distance from `near`. */
export type ActorQuery = SlotFilters & Pick<SlotQuery, 'sort' | 'limit' | 'offset'>

/** What was counted for one question, and in what orders its actors were put. */
interface Counted {
  readonly part: ListPart
  readonly counts: OfferingCounts
  readonly rankings: Map<SlotQuery['sort'], ActorRanking>
}

/** How many words of four bytes all that is remembered may take: 16 MiB. */
const WORDS_MAX = 4 * 1024 * 1024
/** Three columns of counts and two rankings of two. */
const WORDS_PER_OFFERING = 7
const OVERHEAD_WORDS = 128

/**
 * Counts the slots that match instead of listing them. Each question costs one pass over its rows, in which they are counted by
 * offering; all else is made of these counts. They are remembered, within a bound, as long as this object: until the slots change.
 */
export class SlotCounts {
  readonly #state: IndexState
  readonly #part: (filters: SlotFilters) => ListPart
  readonly #remembered = new Map<string, Counted>()
  #words = 0
  #publishers: ReadonlyMap<string, readonly number[]> | undefined

  /** `part`: the rows that match some filters, in order of (start, id). */
  constructor(state: IndexState, part: (filters: SlotFilters) => ListPart) {
    this.#state = state
    this.#part = part
  }

  /** How the slots that match are spread; days are those of the calendar. */
  facets(filters: SlotFilters, calendar: Calendar): FacetCounts {
    const { part, counts } = this.#count(filters)
    return countFacets(this.#state, part, counts, calendar)
  }

  /** One page, of at most 255, of the actors that have slots which match. */
  actors(query: ActorQuery): ActorPage {
    const counted = this.#count(query)
    const { actors, firstRows } = this.#rank(counted, query)
    const [from, to] = [query.offset, query.offset + query.limit]
    const page = { actors: actors.subarray(from, to), firstRows: firstRows.subarray(from, to) }
    return { actors: actorCards(this.#state, counted.counts, page), total: actors.length }
  }

  /** How many slots of each publisher have not ended, in order of `SLOT_STATUSES`. */
  publishers(): ReadonlyMap<string, readonly number[]> {
    this.#publishers ??= this.#countPublishers()
    return this.#publishers
  }

  /** How many slots of each publisher are open, in all and by state. */
  open(): Map<string, OpenCount> {
    return countOpen(this.#state)
  }

  #countPublishers(): ReadonlyMap<string, readonly number[]> {
    const sums = new Map<string, number[]>()
    SLOT_STATUSES.forEach((status, at) => {
      const { offerings, counts } = this.#count({ status }).counts
      for (let n = 0; n < offerings.length; n++) {
        const publisher = this.#state.offerings.traits[offerings[n]]?.publisher ?? ''
        const sum = sums.get(publisher) ?? SLOT_STATUSES.map(() => 0)
        sums.set(publisher, sum)
        sum[at] += counts[n]
      }
    })
    return sums
  }

  #count(filters: SlotFilters): Counted {
    const name = nameFilters(filters)
    const known = this.#remembered.get(name)
    if (known !== undefined) return known
    const part = this.#part(filters)
    const counted = { part, counts: countOfferings(this.#state, part), rankings: new Map() }
    this.#remember(name, counted)
    return counted
  }

  #rank({ counts, rankings }: Counted, { sort, near }: ActorQuery): ActorRanking {
    const circle = sort === 'distance' && near !== undefined ? new Circle(near) : undefined
    const ranking = rankings.get(sort) ?? rankActors(this.#state, counts, circle)
    rankings.set(sort, ranking)
    return ranking
  }

  #remember(name: string, counted: Counted): void {
    this.#remembered.set(name, counted)
    this.#words += wordsOf(counted)
    for (const [oldest, forgotten] of this.#remembered) {
      if (this.#words <= WORDS_MAX) return
      this.#remembered.delete(oldest)
      this.#words -= wordsOf(forgotten)
    }
  }
}

function wordsOf({ counts }: Counted): number {
  return counts.offerings.length * WORDS_PER_OFFERING + OVERHEAD_WORDS
}
