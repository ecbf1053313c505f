// Hot path
import { STEP_MASK, type Steps, sortInSteps } from '../lib/steps.ts'
import type { Position } from '../slot/cursor.ts'
import type { GeoRadius } from '../slot/geo-radius.ts'
import type { OfferingCounts } from './offering-counts.ts'
import type { OfferingTable } from './offering-table.ts'
import { PrefixMatches } from './prefix-matches.ts'
import type { Run } from './runs/run.ts'
import type { OrderedMatches, RowReader, SlotMatches } from './slot-matches.ts'

/** How the rows of groups are found. */
export interface GroupSearch {
  /** See `PrefixSteps.ends`. */
  readonly ends: readonly number[]
  /** Those of the matches that are of some offerings, which are in ascending order, and start until an instant. */
  find(offerings: Uint32Array, untilMs: number): Steps<SlotMatches>
}

/** Rows by (distance, start, id): groups of equal distance, of which each is read in order of (start, id). */
export class DistanceMatches implements OrderedMatches {
  readonly count: number
  readonly #groups: readonly DistanceGroup[]

  private constructor(groups: readonly DistanceGroup[]) {
    this.#groups = groups
    this.count = groups.at(-1)?.end ?? 0
  }

  static *of(
    counted: OfferingCounts,
    offerings: OfferingTable,
    circle: GeoRadius,
    search: GroupSearch,
  ): Steps<DistanceMatches> {
    const rings = yield* ringsOf(counted, offerings, circle)
    const order = yield* sortInSteps(
      Uint32Array.from(rings.keys()),
      (a, b) => rings[a].distanceKm - rings[b].distanceKm,
    )
    const groups: DistanceGroup[] = []
    let end = 0
    for (const [n, ring] of order.entries()) {
      end += rings[ring].count
      groups.push(new DistanceGroup(rings[ring], end, search))
      if ((n & STEP_MASK) === STEP_MASK) yield
    }
    return new DistanceMatches(groups)
  }

  /** As if all groups had been read. */
  get weight(): number {
    return this.count + this.#groups.length * GROUP_WEIGHT
  }

  countThrough(after: Position): number {
    const { distanceKm = 0 } = after
    let count = 0
    for (const group of this.#groups) {
      if (group.distanceKm > distanceKm) break
      count = group.distanceKm < distanceKm ? group.end : count + group.matches.countThrough(after)
    }
    return count
  }

  /** Of the group at the distance of the position. */
  *prepareCount(after: Position): Steps<void> {
    const { distanceKm = 0 } = after
    const group = this.#groups.find((each) => each.distanceKm === distanceKm)
    if (group === undefined) return
    yield* group.matches.prepareCount(after)
    yield
  }

  *prepare(from: number, count: number): Steps<void> {
    const to = Math.min(from + count, this.count)
    for (let n = groupAt(this.#groups, from), read = from; read < to; read = this.#groups[n++].end) {
      const { matches, begin } = this.#groups[n]
      yield* matches.prepare(read - begin, to - read)
      yield
    }
  }

  read(from: number, expected: number): RowReader {
    return new GroupReader(this.#groups, from, expected)
  }
}

const GROUP_WEIGHT = 128

/** The rows of offerings at one distance. */
class DistanceGroup {
  readonly distanceKm: number
  /** Number of rows of this and all nearer groups. */
  readonly end: number
  readonly #ring: Ring
  readonly #search: GroupSearch
  #matches: PrefixMatches | undefined

  constructor(ring: Ring, end: number, search: GroupSearch) {
    this.distanceKm = ring.distanceKm
    this.end = end
    this.#ring = ring
    this.#search = search
  }

  get begin(): number {
    return this.end - this.#ring.count
  }

  get matches(): PrefixMatches {
    this.#matches ??= this.#toMatches()
    return this.#matches
  }

  #toMatches(): PrefixMatches {
    const { count, offerings } = this.#ring
    const own = Uint32Array.from(offerings).sort()
    const { ends, find } = this.#search
    return new PrefixMatches(count, { ends, weight: 0, find: (untilMs) => find(own, untilMs) })
  }
}

/** Offerings at one distance, and the number of their rows. */
interface Ring {
  readonly distanceKm: number
  readonly offerings: number[]
  count: number
}

/** The rings of counted offerings, in any order. */
function* ringsOf(counted: OfferingCounts, table: OfferingTable, circle: GeoRadius): Steps<Ring[]> {
  const latitudes = table.positions.latitudes.values
  const longitudes = table.positions.longitudes.values
  const rings = new Map<number, Ring>()
  let ring: Ring = { distanceKm: Number.NaN, offerings: [], count: 0 }
  let last = -1
  for (const { length, offerings, counts } of counted.blocks()) {
    for (let n = 0; n < length; n++) {
      const offering = offerings[n]
      // Offerings that follow each other often are at one place.
      if (latitudes[offering] !== latitudes[last] || longitudes[offering] !== longitudes[last]) {
        const distanceKm = distanceOf(table, circle, offering)
        ring = rings.get(distanceKm) ?? { distanceKm, offerings: [], count: 0 }
        rings.set(distanceKm, ring)
      }
      last = offering
      ring.offerings.push(offering)
      ring.count += counts[n]
      if ((n & STEP_MASK) === STEP_MASK) yield
    }
  }
  return [...rings.values()]
}

/** The number of the group of the n-th row; the number of groups behind the last row. */
function groupAt(groups: readonly DistanceGroup[], n: number): number {
  const group = groups.findIndex(({ end }) => end > n)
  return group === -1 ? groups.length : group
}

/** Kilometers from a circle's center to an offering. */
export function distanceOf({ positions }: OfferingTable, circle: GeoRadius, offering: number): number {
  const { latitude, longitude } = positions.of(offering)
  return circle.distanceKm(latitude, longitude)
}

class GroupReader implements RowReader {
  readonly #groups: readonly DistanceGroup[]
  #next: number
  /** The number of the next row, and that behind the last that is expected. */
  #from: number
  readonly #to: number
  #reader: RowReader | undefined

  constructor(groups: readonly DistanceGroup[], from: number, expected: number) {
    this.#groups = groups
    this.#next = groupAt(groups, from)
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
      if (this.#next >= this.#groups.length) return false
      const { matches, begin, end } = this.#groups[this.#next++]
      this.#reader = matches.read(this.#from - begin, this.#to - this.#from)
      this.#from = end
    }
    return true
  }
}
