// Hot path
import { Heap } from '../../lib/heap.ts'
import { runAtOnce, STEP_MASK, type Steps } from '../../lib/steps.ts'
import type { Position } from '../../slot/cursor.ts'
import type { GeoRadius } from '../../slot/geo-radius.ts'
import type { OrderedMatches, RowReader, SlotMatches } from '../matching/slot-matches.ts'
import type { OfferingTable } from '../offerings/offering-table.ts'
import type { Run } from '../runs/run.ts'
import type { OfferingCounts } from './offering-counts.ts'
import { PrefixMatches } from './prefix-matches.ts'

/** How the rows of offerings are found. */
export interface RingSearch {
  /** See `PrefixBounds`. */
  readonly ends: readonly number[]
  /** Those of the matches that are of some offerings and start until an instant. */
  find(offerings: Uint32Array, untilMs: number): Steps<SlotMatches>
}

/**
 * Rows by (distance, start, id): rings of equal distance, of which each is read in order of (start, id). Rings are formed from the
 * nearest on, as many as are needed.
 */
export class DistanceMatches implements OrderedMatches {
  readonly count: number
  /** Those that have been formed, the nearest first. */
  readonly #rings: Ring[] = []
  readonly #sites: Sites
  /** The numbers of the sites that are in no ring yet. */
  readonly #left: Heap<number>
  readonly #search: RingSearch

  private constructor(sites: Sites, left: Heap<number>, search: RingSearch) {
    this.#sites = sites
    this.#left = left
    this.#search = search
    this.count = sites.total
  }

  static *of(
    counted: OfferingCounts,
    offerings: OfferingTable,
    circle: GeoRadius,
    search: RingSearch,
  ): Steps<DistanceMatches> {
    const sites = yield* sitesOf(counted, offerings, circle)
    const { distances } = sites
    // An iterator of the numbers would take four times as long.
    const numbers = distances.map((_, site) => site)
    const left = yield* Heap.of(numbers, (a, b) => distances[a] < distances[b])
    return new DistanceMatches(sites, left, search)
  }

  /** As if all rings had been read. */
  get weight(): number {
    return this.count + this.#sites.counts.length * SITE_WEIGHT
  }

  countThrough(after: Position): number {
    runAtOnce(this.prepareCount(after))
    const { distanceKm = 0 } = after
    let count = 0
    for (const ring of this.#rings) {
      if (ring.distanceKm > distanceKm) break
      count = ring.distanceKm < distanceKm ? ring.end : count + ring.matches.countThrough(after)
    }
    return count
  }

  *prepareCount(after: Position): Steps<void> {
    const { distanceKm = 0 } = after
    for (let n = 0; ; n++) {
      const ring = this.#ringAt(n)
      if (ring === undefined || ring.distanceKm > distanceKm) return
      if (ring.distanceKm === distanceKm) yield* ring.matches.prepareCount(after)
      if (ring.distanceKm === distanceKm || n % RINGS_PER_STEP === RINGS_PER_STEP - 1) yield
    }
  }

  *prepare(from: number, count: number): Steps<void> {
    const to = Math.min(from + count, this.count)
    for (let n = 0; ; n++) {
      const ring = this.#ringAt(n)
      if (ring === undefined || ring.begin >= to) return
      if (n % RINGS_PER_STEP === RINGS_PER_STEP - 1) yield
      if (ring.end <= from) continue
      const first = Math.max(from, ring.begin)
      yield* ring.matches.prepare(first - ring.begin, to - first)
      yield
    }
  }

  read(from: number, expected: number): RowReader {
    return new RingReader((n) => this.#ringAt(n), from, expected)
  }

  #ringAt(n: number): Ring | undefined {
    while (this.#rings.length <= n && this.#left.length > 0) this.#formRing()
    return this.#rings[n]
  }

  #formRing(): void {
    const { distances, ends, counts, offerings } = this.#sites
    const distanceKm = distances[this.#left.first]
    const own: number[] = []
    let count = 0
    do {
      const site = this.#left.pop()
      count += counts[site]
      for (let at = site === 0 ? 0 : ends[site - 1]; at < ends[site]; at++) own.push(offerings[at])
    } while (this.#left.length > 0 && distances[this.#left.first] === distanceKm)
    const begin = this.#rings.at(-1)?.end ?? 0
    const { ends: steps, find } = this.#search
    const few = Uint32Array.from(own)
    const matches = new PrefixMatches(count, { ends: steps, weight: 0, find: (untilMs) => find(few, untilMs) })
    this.#rings.push({ distanceKm, begin, end: begin + count, matches })
  }
}

const SITE_WEIGHT = 128
/** Some 50 microseconds. */
const RINGS_PER_STEP = 64

/** The rows at one distance. */
interface Ring {
  readonly distanceKm: number
  /** Number of rows of all nearer rings, and with its own. */
  readonly begin: number
  readonly end: number
  readonly matches: PrefixMatches
}

/** Counted offerings that follow each other at one position, in columns; the offerings of a site end at `ends`. */
interface Sites {
  readonly distances: number[]
  readonly ends: number[]
  /** Numbers of rows. */
  readonly counts: number[]
  readonly offerings: number[]
  /** Number of rows of all sites. */
  total: number
}

function* sitesOf(counted: OfferingCounts, table: OfferingTable, circle: GeoRadius): Steps<Sites> {
  const latitudes = table.positions.latitudes.values
  const longitudes = table.positions.longitudes.values
  const sites: Sites = { distances: [], ends: [], counts: [], offerings: [], total: 0 }
  let site = -1
  let last = -1
  for (const { length, offerings, counts } of counted.blocks()) {
    for (let n = 0; n < length; n++) {
      const offering = offerings[n]
      if (latitudes[offering] !== latitudes[last] || longitudes[offering] !== longitudes[last]) {
        site = sites.distances.push(distanceOf(table, circle, offering)) - 1
        sites.counts.push(0)
      }
      last = offering
      sites.counts[site] += counts[n]
      sites.total += counts[n]
      sites.ends[site] = sites.offerings.push(offering)
      if ((n & STEP_MASK) === STEP_MASK) yield
    }
  }
  return sites
}

/** Kilometers from a circle's center to an offering. */
export function distanceOf({ positions }: OfferingTable, circle: GeoRadius, offering: number): number {
  const { latitude, longitude } = positions.of(offering)
  return circle.distanceKm(latitude, longitude)
}

class RingReader implements RowReader {
  readonly #ringAt: (n: number) => Ring | undefined
  #next = 0
  /** The number of the next row, and that behind the last that is expected. */
  #from: number
  readonly #to: number
  #reader: RowReader | undefined

  constructor(ringAt: (n: number) => Ring | undefined, from: number, expected: number) {
    this.#ringAt = ringAt
    this.#from = from
    this.#to = from + expected
  }

  get run(): Run {
    if (this.#reader === undefined) throw new Error('Cannot read a row: there is none')
    return this.#reader.run
  }

  get row(): number {
    return this.#reader?.row ?? -1
  }

  next(): boolean {
    while (this.#reader?.next() !== true) {
      const ring = this.#ringAt(this.#next++)
      if (ring === undefined) return false
      if (ring.end <= this.#from) continue
      this.#reader = ring.matches.read(this.#from - ring.begin, this.#to - this.#from)
      this.#from = ring.end
    }
    return true
  }
}
