// Hot path

import { STEP_MASK, type Steps } from '../lib/steps.ts'
import { GeoRadius } from '../slot/geo-radius.ts'
import { SLOT_STATUSES } from '../slot/slot.ts'
import { nameFilters, type SlotFilters } from '../slot/slot-filters.ts'
import type { SlotQuery } from '../slot/slot-query.ts'
import { type ActorCard, type ActorRanking, actorCards, rankActors } from './actor-ranking.ts'
import { ALL_SLOTS_BUCKET, groupIn, groupNumber, type ListGroups } from './buckets.ts'
import { type Calendar, countFacets, type FacetCounts } from './facet-counts.ts'
import type { ListPart } from './filtered-lists.ts'
import type { IndexState } from './index-state.ts'
import { countOfferings, type OfferingCounts } from './offering-counts.ts'
import { STATUS_NUMBER } from './slot-rows.ts'

/** One page of actors and their total number. */
export interface ActorPage {
  readonly actors: readonly ActorCard[]
  readonly total: number
}

/** Actors with matching slots, ordered by their first slot or by distance from `near`. */
export type ActorQuery = SlotFilters & Pick<SlotQuery, 'sort' | 'limit' | 'offset'>

/** Cached counts of one query, and its actor rankings by sort order. */
interface Counted {
  readonly part: ListPart
  readonly counts: OfferingCounts
  readonly rankings: Map<SlotQuery['sort'], ActorRanking>
}

/** Size of the cache in words of four bytes: 16 MiB. */
const WORDS_MAX = 4 * 1024 * 1024
/** Three columns of counts and two rankings of two. */
const WORDS_PER_OFFERING = 7
const OVERHEAD_WORDS = 128

/**
 * Counts matching slots instead of listing them. Each query costs one pass over its rows, which counts them by offering;
 * everything else derives from these counts. They are cached, within a bound, until the slots change.
 */
export class SlotCounts {
  readonly #state: IndexState
  readonly #groups: ListGroups
  readonly #part: (filters: SlotFilters) => Steps<ListPart>
  readonly #cache = new Map<string, Counted>()
  #words = 0
  #publishers: ReadonlyMap<string, readonly number[]> | undefined

  /** `part`: the rows that match some filters, in order of (start, id). */
  constructor(state: IndexState, groups: ListGroups, part: (filters: SlotFilters) => Steps<ListPart>) {
    this.#state = state
    this.#groups = groups
    this.#part = part
  }

  /** The facets of matching slots; the calendar defines the days. */
  *facets(filters: SlotFilters, calendar: Calendar): Steps<FacetCounts> {
    const { part, counts } = yield* this.#count(filters)
    return yield* countFacets(this.#state, part, counts, calendar)
  }

  /** One page of at most 255 actors with matching slots. */
  *actors(query: ActorQuery): Steps<ActorPage> {
    const counted = yield* this.#count(query)
    const { actors, firstRows } = yield* this.#rank(counted, query)
    const [from, to] = [query.offset, query.offset + query.limit]
    const page = { actors: actors.subarray(from, to), firstRows: firstRows.subarray(from, to) }
    return { actors: yield* actorCards(this.#state, counted.counts, page), total: actors.length }
  }

  /** Number of slots of each publisher that have not ended, in order of `SLOT_STATUSES`. */
  *publishers(): Steps<ReadonlyMap<string, readonly number[]>> {
    this.#publishers ??= yield* this.#countPublishers()
    return this.#publishers
  }

  /** Number of open slots of each publisher, in all and by state. */
  *open(): Steps<Map<string, OpenCount>> {
    return yield* countOpen(this.#state, this.#groups)
  }

  *#countPublishers(): Steps<ReadonlyMap<string, readonly number[]>> {
    const sums = new Map<string, number[]>()
    for (const [at, status] of SLOT_STATUSES.entries()) {
      const { offerings, counts } = (yield* this.#count({ status })).counts
      for (let n = 0; n < offerings.length; n++) {
        const publisher = this.#state.offerings.traits[offerings[n]]?.publisher ?? ''
        const sum = sums.get(publisher) ?? SLOT_STATUSES.map(() => 0)
        sums.set(publisher, sum)
        sum[at] += counts[n]
        if ((n & STEP_MASK) === 0) yield
      }
    }
    return sums
  }

  *#count(filters: SlotFilters): Steps<Counted> {
    const name = nameFilters(filters)
    const known = this.#cache.get(name)
    if (known !== undefined) return known
    const part = yield* this.#part(filters)
    const counted = { part, counts: yield* countOfferings(this.#state, part), rankings: new Map() }
    this.#store(name, counted)
    return counted
  }

  *#rank({ counts, rankings }: Counted, { sort, near }: ActorQuery): Steps<ActorRanking> {
    const circle = sort === 'distance' && near !== undefined ? new GeoRadius(near) : undefined
    const ranking = rankings.get(sort) ?? (yield* rankActors(this.#state, counts, circle))
    rankings.set(sort, ranking)
    return ranking
  }

  #store(name: string, counted: Counted): void {
    // Two queries may have counted the same in turns.
    if (this.#cache.has(name)) return
    this.#cache.set(name, counted)
    this.#words += wordsOf(counted)
    for (const [oldest, evicted] of this.#cache) {
      if (this.#words <= WORDS_MAX) return
      this.#cache.delete(oldest)
      this.#words -= wordsOf(evicted)
    }
  }
}

function wordsOf({ counts }: Counted): number {
  return counts.offerings.length * WORDS_PER_OFFERING + OVERHEAD_WORDS
}

/** Number of open slots in all and by state; a slot of several states counts in each. */
export interface OpenCount {
  all: number
  readonly byState: Map<string, number>
}

/**
 * Counts each publisher's free slots that have not ended. One pass over the open rows and one over the offerings: about
 * 10 ms for 1,000,000 slots.
 */
function* countOpen(state: IndexState, groups: ListGroups): Steps<Map<string, OpenCount>> {
  const { open: list } = groupIn(groups, groupNumber(ALL_SLOTS_BUCKET, STATUS_NUMBER.free))
  const { offerings, counts } = yield* countOfferings(state, { list, from: 0, to: list.length })
  const publishers = new Map<string, OpenCount>()
  for (let n = 0; n < offerings.length; n++) {
    if ((n & STEP_MASK) === 0) yield
    const traits = state.offerings.traits[offerings[n]]
    if (traits === undefined) continue
    const count = publishers.get(traits.publisher) ?? { all: 0, byState: new Map<string, number>() }
    publishers.set(traits.publisher, count)
    count.all += counts[n]
    for (const name of traits.states) count.byState.set(name, (count.byState.get(name) ?? 0) + counts[n])
  }
  return publishers
}
