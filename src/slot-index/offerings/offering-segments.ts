// Hot path
import type { Steps } from '../../lib/steps.ts'
import { hashText } from '../../lib/text.ts'
import type { GeoRadius } from '../../slot/geo-radius.ts'
import { findInGrid, type GeoGrid, gridOf } from './geo-grid.ts'
import { type HashIndex, mergeHashes, offeringsByHash } from './hash-index.ts'
import type { OfferingPositions } from './offering-positions.ts'
import type { OfferingTerms } from './term-offerings.ts'
import { listByTerm, offeringsOf, type TermOfferings } from './term-offerings.ts'

/** The search structures of the offerings [from, to): by term, hash and position. Immutable, in shared memory. */
export interface OfferingSegment {
  readonly from: number
  readonly to: number
  readonly withTerm: TermOfferings
  /** By the hashes of `lookupsOf()`. */
  readonly hashes: HashIndex
  readonly grid: GeoGrid
}

/** What segments are built from. */
export interface SegmentColumns {
  readonly groups: OfferingTerms
  readonly positions: OfferingPositions
}

/** A segment is merged with the one before, unless that has more than `SIZE_RATIO` times as many offerings. */
const SIZE_RATIO = 4

/** Finds offerings in segments that follow each other. There are few: each is much larger than the next (a log-structured merge). */
export class OfferingSegments {
  readonly all: readonly OfferingSegment[]

  constructor(all: readonly OfferingSegment[]) {
    this.all = all
  }

  /** Exclusive upper bound of the numbers. */
  get end(): number {
    return this.all.at(-1)?.to ?? 0
  }

  /** Adds the next offerings. `entries`: of their hashes. Yields after some hundred nanoseconds per offering of the new segment. */
  *with(columns: SegmentColumns, end: number, entries: readonly number[]): Steps<OfferingSegments> {
    const kept = [...this.all]
    let from = this.end
    let hashes = mergeHashes(undefined, entries)
    for (let last = kept.at(-1); last !== undefined && last.to - last.from <= (end - from) * SIZE_RATIO; ) {
      kept.pop()
      from = last.from
      hashes = mergeHashes(last.hashes, hashes)
      last = kept.at(-1)
    }
    yield
    const withTerm = listByTerm(columns.groups, from, end)
    yield
    const grid = gridOf(from, end, columns.positions)
    return new OfferingSegments([...kept, { from, to: end, withTerm, hashes, grid }])
  }

  /** The offerings of a term: lists of ascending numbers, in their order. */
  withTerm(term: number): Uint32Array[] {
    return this.all.map(({ withTerm }) => offeringsOf(withTerm, term))
  }

  /** The originals that may be found by a value of `lookupsOf()`. */
  withLookup(name: string): number[] {
    const hash = hashText(name)
    return this.all.flatMap(({ hashes }) => offeringsByHash(hashes, hash))
  }

  /** The offerings in a circle, in any order. */
  *near(circle: GeoRadius, positions: OfferingPositions): Steps<Uint32Array> {
    const found: number[] = []
    for (const { grid } of this.all) yield* findInGrid(grid, circle, positions, found)
    return new Uint32Array(found)
  }
}
