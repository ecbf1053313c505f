// Hot path

import { defined } from '../../lib/optional.ts'
import { STEP_MASK, type Steps } from '../../lib/steps.ts'
import type { SuggestedFilter } from '../../slot/filter-parameters.ts'
import { GeoRadius } from '../../slot/geo-radius.ts'
import { SLOT_STATUSES } from '../../slot/slot.ts'
import { nameFilters, type SlotFilters } from '../../slot/slot-filters.ts'
import type { SlotQuery } from '../../slot/slot-query.ts'
import type { IndexContent } from '../index-content.ts'
import { isByOffering } from '../matching/filter-plan.ts'
import { matchOfferings, matchRows } from '../matching/matched-rows.ts'
import type { OpenRows } from '../matching/open-rows.ts'
import type { RowFilter } from '../matching/run-matches.ts'
import type { SlotMatches } from '../matching/slot-matches.ts'
import { countWindow, type RowWindow } from '../matching/window-counts.ts'
import { type CityCenter, cityCenters } from '../offerings/city-centers.ts'
import type { OfferingTable } from '../offerings/offering-table.ts'
import { countBits } from '../offerings/term-bitmaps.ts'
import { term } from '../offerings/term-names.ts'
import { WeightedCache } from '../weighted-cache.ts'
import { type ActorCard, actorCards } from './actor-cards.ts'
import { ActorRanking, type MatchedRows } from './actor-ranking.ts'
import { type Calendar, countFacets, type FacetCounts } from './facet-counts.ts'
import { addTotal, countMatches, type OfferingCounts, type OfferingTotal, selectOfferings } from './offering-counts.ts'
import { countTerms } from './term-totals.ts'
import { countValues, type Suggestions } from './value-counts.ts'

/** One page of actors and their total number. */
export interface ActorPage {
  readonly actors: readonly ActorCard[]
  readonly total: number
}

/** Actors with matching slots, ordered by their first slot or by distance from `near`. */
export type ActorQuery = SlotFilters & Pick<SlotQuery, 'sort' | 'limit' | 'offset'>

/** Cached counts of one query, and its actor rankings by sort order. */
class Counted {
  readonly counts: OfferingCounts
  readonly rows: MatchedRows
  readonly rankings = new Map<SlotQuery['sort'], ActorRanking>()

  constructor(counts: OfferingCounts, rows: MatchedRows) {
    this.counts = counts
    this.rows = rows
  }

  /** In words of four bytes. */
  get weight(): number {
    const { matches, bits } = this.rows
    const ofRankings = [...this.rankings.values()].reduce((sum, { weight }) => sum + weight, 0)
    return this.counts.weight + matches.weight + (bits?.length ?? 0) + ofRankings
  }
}

const WINDOWS_MAX = 12
/** Counting a window takes as long as finding the rows of some pages. */
const PAGES_UNCOUNTED = 3
/** The rows of so many offerings, and of such a share of all, are read sooner than the counts of all offerings. */
const FEW_MAX = 512
const FEW_SHARE = 1 / 16

/**
 * Counts matching slots instead of listing them. Each query counts its rows by offering, at the cost of its rows or of the offerings,
 * whichever are fewer; everything else derives from these counts. They are cached, within a bound, until the slots change.
 */
export class SlotCounts {
  readonly #content: IndexContent
  readonly #open: OpenRows
  readonly #find: (filters: SlotFilters) => Steps<SlotMatches>
  readonly #cache = new WeightedCache<Counted>()
  /** Rows by offering, by what selects them apart from the offering. */
  readonly #windows = new Map<string, Uint32Array>()
  /** Number of pages that asked for a window that ends. */
  readonly #pages = new Map<string, number>()
  #publishers: ReadonlyMap<string, readonly number[]> | undefined

  /** `find`: the rows that match some filters. */
  constructor(content: IndexContent, open: OpenRows, find: (filters: SlotFilters) => Steps<SlotMatches>) {
    this.#content = content
    this.#open = open
    this.#find = find
  }

  /** The facets of matching slots; the calendar defines the days. */
  *facets(filters: SlotFilters, calendar: Calendar): Steps<FacetCounts> {
    const { counts } = yield* this.#count(filters)
    const matches = yield* this.#find(filters)
    return yield* countFacets(this.#content.tables.offerings, { matches, counts, filters }, calendar)
  }

  /** The values of a filter among matching slots: see `countValues()`. */
  *values(filters: SlotFilters, filter: SuggestedFilter, text: string): Steps<Suggestions> {
    const { counts } = yield* this.#count(filters)
    return yield* countValues(this.#content.tables.offerings, counts, filter, text)
  }

  /** Cities with locations: see `cityCenters()`. */
  *cities(text: string): Steps<CityCenter[]> {
    const open = yield* this.#countWindow({ status: 'free' })
    return yield* cityCenters(this.#content.tables.offerings, open, text)
  }

  /** One page of at most 255 actors with matching slots. */
  *actors(query: ActorQuery): Steps<ActorPage> {
    const counted = yield* this.#count(query)
    const ranking = yield* this.#rank(counted, query)
    const page = yield* ranking.slice(query.offset, query.offset + query.limit)
    // The ranking has grown.
    this.#cache.add(nameFilters(query), counted)
    return { actors: yield* actorCards(this.#content.tables, counted.counts, page), total: ranking.total }
  }

  /** Number of slots of each publisher that have not ended, in order of `SLOT_STATUSES`. */
  *publishers(): Steps<ReadonlyMap<string, readonly number[]>> {
    this.#publishers ??= yield* this.#countPublishers()
    return this.#publishers
  }

  /** Number of open slots of each publisher, in all and by state. */
  *open(): Steps<Map<string, OpenCount>> {
    const { counts } = yield* this.#count({ status: 'free' })
    return yield* countOpen(this.#content.tables.offerings, counts)
  }

  /** Rows by offering, of filters that select rows by their offerings: see `isByOffering()`. */
  *byOffering(filters: SlotFilters): Steps<OfferingCounts> {
    const { planner } = this.#content.tables
    const bits = yield* planner.offeringsOf(yield* planner.plan(filters))
    return yield* selectOfferings(yield* this.#countWindow(filters), bits)
  }

  /** Notes that a page asks for a window. True if its rows are to be counted. */
  notePage(window: RowWindow): boolean {
    if (window.startBeforeMs === undefined) return true
    const name = nameOf(window)
    const pages = (this.#pages.get(name) ?? 0) + 1
    this.#pages.set(name, pages)
    return pages > PAGES_UNCOUNTED || this.#windows.has(name)
  }

  /** The rows in a window that match any of some plans, of which none match two. The plans are of filters on offerings. */
  *total(window: RowWindow, plans: readonly RowFilter[]): Steps<OfferingTotal> {
    const sums = yield* this.#countWindow(window)
    const total: OfferingTotal = { rows: 0, few: [] }
    for (const plan of plans) yield* addTotal(yield* this.#content.tables.planner.candidatesOf(plan), sums, total)
    return total
  }

  *#countPublishers(): Steps<ReadonlyMap<string, readonly number[]>> {
    const { publishers, terms } = this.#content.tables.offerings
    const numbers = new Map<string, number>()
    for (let n = 1; n < publishers.end; n++) {
      const slug = publishers.textOf(n)
      numbers.set(slug, terms.find(term.publisher(slug)) ?? 0)
    }
    const totals: Uint32Array[] = []
    for (const status of SLOT_STATUSES.keys())
      totals.push(yield* countTerms(this.#content, this.#open, status, [...numbers.values()]))
    const sums = new Map<string, readonly number[]>()
    for (const [slug, number] of numbers) {
      const counts = totals.map((ofStatus) => ofStatus[number])
      if (counts.some((count) => count > 0)) sums.set(slug, counts)
    }
    return sums
  }

  *#count(filters: SlotFilters): Steps<Counted> {
    const name = nameFilters(filters)
    const known = this.#cache.find(name)
    if (known !== undefined) return known
    const counted = yield* this.#countOfferings(filters)
    this.#cache.add(name, counted)
    return counted
  }

  /** Reads the rows of few offerings, or rows that had to be tested; else selects from the counts of the whole window. */
  *#countOfferings(filters: SlotFilters): Steps<Counted> {
    const { offerings, planner } = this.#content.tables
    const bits = isByOffering(filters) ? yield* planner.offeringsOf(yield* planner.plan(filters)) : undefined
    const isFew = bits !== undefined && countBits(bits) <= Math.min(FEW_MAX, offerings.end * FEW_SHARE)
    if (isFew || !isByOffering(filters)) {
      const matches = yield* this.#find(filters)
      return new Counted(yield* countMatches(matches, offerings.end), { matches, bits: undefined })
    }
    const counts = yield* selectOfferings(yield* this.#countWindow(filters), bits)
    return new Counted(counts, { matches: yield* this.#candidates(filters), bits })
  }

  /** Rows among which all matches are, found without testing rows. */
  *#candidates(filters: SlotFilters): Steps<SlotMatches> {
    const { planner, offerings } = this.#content.tables
    const plans = yield* planner.plan(filters)
    const terms = plans.length === 1 ? plans[0].terms : []
    const { status, startAfterMs, startBeforeMs } = filters
    const window = { status, ...defined({ startAfterMs, startBeforeMs }) }
    return yield* matchRows(this.#content, this.#open, window, {
      terms: terms.length === 0 ? [] : [offerings.rarestOf(terms)],
    })
  }

  *#countWindow(window: RowWindow): Steps<Uint32Array> {
    const name = nameOf(window)
    const sums = this.#windows.get(name) ?? (yield* countWindow(this.#content, this.#open, window))
    this.#windows.set(name, sums)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > WINDOWS_MAX) this.#windows.delete(oldest)
    return sums
  }

  *#rank({ counts, rows, rankings }: Counted, query: ActorQuery): Steps<ActorRanking> {
    const { sort, near } = query
    const circle = sort === 'distance' && near !== undefined ? new GeoRadius(near) : undefined
    const { offerings } = this.#content.tables
    const matchOf = (few: Uint32Array) => matchOfferings(this.#content, this.#open, query, few)
    const ranking = rankings.get(sort) ?? (yield* ActorRanking.of(offerings, { rows, counts, matchOf }, circle))
    // Two requests may have begun it in turns.
    rankings.set(sort, rankings.get(sort) ?? ranking)
    return ranking
  }
}

function nameOf({ status, startAfterMs, startBeforeMs }: RowWindow): string {
  return `${status} ${startAfterMs} ${startBeforeMs}`
}

/** Number of open slots in all and by state; a slot of several states counts in each. */
export interface OpenCount {
  all: number
  readonly byState: Map<string, number>
}

/** Sums counted offerings by publisher and state. */
function* countOpen(table: OfferingTable, counted: OfferingCounts): Steps<Map<string, OpenCount>> {
  const { publisherOf, publishers, placeOf } = table
  // Many offerings have the same publisher and the same states.
  const sums = new Map<number, number>()
  for (const { length, offerings, counts } of counted.blocks()) {
    for (let n = 0; n < length; n++) {
      if ((n & STEP_MASK) === 0) yield
      const pair = publisherOf.values[offerings[n]] * PAIR + placeOf.values[offerings[n]]
      sums.set(pair, (sums.get(pair) ?? 0) + counts[n])
    }
  }
  const open = new Map<string, OpenCount>()
  for (const [pair, sum] of sums) {
    const publisher = publishers.textOf(Math.floor(pair / PAIR))
    const count = open.get(publisher) ?? { all: 0, byState: new Map<string, number>() }
    open.set(publisher, count)
    count.all += sum
    for (const name of table.statesAt(pair % PAIR)) count.byState.set(name, (count.byState.get(name) ?? 0) + sum)
    yield
  }
  return open
}

const PAIR = 2 ** 32
