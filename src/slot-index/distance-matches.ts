// Hot path
import { runAtOnce, STEP_MASK, type Steps, sortInSteps } from '../lib/steps.ts'
import type { Position } from '../slot/cursor.ts'
import type { GeoRadius } from '../slot/geo-radius.ts'
import { countMatches } from './offering-counts.ts'
import type { OfferingTable } from './offering-table.ts'
import type { Run } from './runs/run.ts'
import type { OrderedMatches, RowReader, SlotMatches } from './slot-matches.ts'

/** The rows of offerings at one distance. */
class DistanceGroup {
  readonly distanceKm: number
  /** Number of rows of this and all nearer groups. */
  readonly end: number
  readonly #offerings: Uint32Array
  readonly #matchOf: MatchOf
  #matches: SlotMatches | undefined

  constructor(
    { distanceKm, end, offerings }: { distanceKm: number; end: number; offerings: Uint32Array },
    matchOf: MatchOf,
  ) {
    this.distanceKm = distanceKm
    this.end = end
    this.#offerings = offerings
    this.#matchOf = matchOf
  }

  get matches(): SlotMatches {
    return this.#matches ?? runAtOnce(this.find())
  }

  *find(): Steps<SlotMatches> {
    this.#matches ??= yield* this.#matchOf(this.#offerings)
    return this.#matches
  }
}

type MatchOf = (offerings: Uint32Array) => Steps<SlotMatches>

/** Rows by (distance, start, id): groups of equal distance, of which each is read in order of (start, id). */
export class DistanceMatches implements OrderedMatches {
  readonly count: number
  readonly #groups: readonly DistanceGroup[]

  private constructor(groups: readonly DistanceGroup[]) {
    this.#groups = groups
    this.count = groups.at(-1)?.end ?? 0
  }

  /** `matchOf`: those of the matches that are of some offerings, which are few and in ascending order. */
  static *of(
    matches: SlotMatches,
    offerings: OfferingTable,
    circle: GeoRadius,
    matchOf: MatchOf,
  ): Steps<DistanceMatches> {
    const counted = yield* countMatches(matches, offerings.end)
    const [numbers, counts, distances]: number[][] = [[], [], []]
    for (const block of counted.blocks()) {
      for (let n = 0; n < block.length; n++) {
        numbers.push(block.offerings[n])
        counts.push(block.counts[n])
        distances.push(distanceOf(offerings, circle, block.offerings[n]))
        if ((n & STEP_MASK) === 0) yield
      }
    }
    const order = yield* sortInSteps(Uint32Array.from(distances.keys()), (a, b) => distances[a] - distances[b])
    const groups: DistanceGroup[] = []
    let end = 0
    for (let from = 0, to = 0; from < order.length; from = to) {
      while (to < order.length && distances[order[to]] === distances[order[from]]) end += counts[order[to++]]
      const own = Uint32Array.from(order.subarray(from, to), (n) => numbers[n]).sort()
      groups.push(new DistanceGroup({ distanceKm: distances[order[from]], end, offerings: own }, matchOf))
      if ((to & STEP_MASK) === 0) yield
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

  /** The groups at the distance of the position. */
  *prepareCount({ distanceKm = 0 }: Position): Steps<void> {
    for (const group of this.#groups) {
      if (group.distanceKm > distanceKm) return
      if (group.distanceKm < distanceKm) continue
      yield* group.find()
      yield
    }
  }

  *prepare(from: number, count: number): Steps<void> {
    for (let n = groupAt(this.#groups, from), read = from; read < from + count; read = this.#groups[n++].end) {
      yield* this.#groups[n].find()
      yield
    }
  }

  read(from: number, expected: number): RowReader {
    return new GroupReader(this.#groups, from, expected)
  }
}

const GROUP_WEIGHT = 128

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
  readonly #expected: number
  #next: number
  #within: number
  #reader: RowReader | undefined

  constructor(groups: readonly DistanceGroup[], from: number, expected: number) {
    this.#groups = groups
    this.#expected = expected
    this.#next = groupAt(groups, from)
    this.#within = from - (groups[this.#next - 1]?.end ?? 0)
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
      this.#reader = this.#groups[this.#next++].matches.read(this.#within, this.#expected)
      this.#within = 0
    }
    return true
  }
}
