// Hot path

import { Heap } from '../../lib/heap.ts'
import { STEP_MASK, type Steps } from '../../lib/steps.ts'
import type { GeoRadius } from '../../slot/geo-radius.ts'
import type { SlotMatches } from '../matching/slot-matches.ts'
import type { OfferingTable } from '../offerings/offering-table.ts'
import type { Run } from '../runs/run.ts'
import { distanceOf } from './distance-matches.ts'
import type { CountedBlock, OfferingCounts } from './offering-counts.ts'

/** An actor and its first row in order of (start, id). */
export interface RankedActor {
  /** Its number in `OfferingTable.actors`. */
  readonly actor: number
  readonly firstRun: Run
  readonly firstRow: number
}

/** Rows in order of (start, id), of which those match whose offerings have a bit; all without bits. */
export interface MatchedRows {
  readonly matches: SlotMatches
  readonly bits: Uint32Array | undefined
}

/** The input of a ranking: the rows, and how many each offering has. */
export interface RankedSlots {
  readonly rows: MatchedRows
  readonly counts: OfferingCounts
  /** Those of the matches that are of some offerings. */
  readonly matchOf: (offerings: Uint32Array) => Steps<SlotMatches>
}

/**
 * The actors of matches by the start of their first row, then by key; with a circle first by the distance of the actor's nearest
 * offering from its center. They are found as far as they are asked for, by reading rows in that order.
 */
export class ActorRanking {
  readonly total: number
  readonly #offerings: OfferingTable
  readonly #ranked: RankedActor[] = []
  readonly #isRanked: Uint8Array
  /** A flag; with a circle also a distance and a place in its ring. */
  readonly #wordsPerActor: number
  /** Extends `#ranked`. Requests that wait for it take turns in advancing it. */
  readonly #work: Steps<void>

  private constructor(offerings: OfferingTable, total: number, slots: RankedSlots, circle: GeoRadius | undefined) {
    this.total = total
    this.#offerings = offerings
    this.#isRanked = new Uint8Array(offerings.actors.end)
    this.#wordsPerActor = circle === undefined ? 0.25 : 3.25
    this.#work = circle === undefined ? this.#rank(slots.rows, total) : this.#rankNearest(slots, circle)
  }

  /** Memory that it takes by now, in words of four bytes. */
  get weight(): number {
    return this.#ranked.length * WORDS_PER_RANKED + this.#isRanked.length * this.#wordsPerActor
  }

  static *of(offerings: OfferingTable, slots: RankedSlots, circle?: GeoRadius): Steps<ActorRanking> {
    const isCounted = new Uint8Array(offerings.actors.end)
    let total = 0
    for (const block of slots.counts.blocks()) {
      total += countActors(offerings.actorOf.values, block, isCounted)
      yield
    }
    return new ActorRanking(offerings, total, slots, circle)
  }

  /** Actors [from, to), at most as many as there are. */
  *slice(from: number, to: number): Steps<readonly RankedActor[]> {
    const end = from >= this.total ? 0 : Math.min(to, this.total)
    while (this.#ranked.length < end) {
      const { done } = this.#work.next()
      if (done === true && this.#ranked.length < end)
        throw new Error('Cannot rank actors: some of their slots are missing')
      yield
    }
    return this.#ranked.slice(from, end)
  }

  /** Ranks `left` actors, which are those of some matches; with their distances all together. */
  *#rank({ matches, bits }: MatchedRows, left: number, distances?: Float64Array): Steps<void> {
    const actorOf = this.#offerings.actorOf.values
    const reader = matches.read(0, ROWS_AHEAD)
    let tied: FoundActor[] = []
    for (let rows = 1, found = 0; found < left && reader.next(); rows++) {
      if ((rows & STEP_MASK) === 0) yield
      const { run, row } = reader
      if (distances === undefined && tied.length > 0 && run.startMsOf(row) !== tied[0].startMs) {
        yield* this.#rankTied(tied)
        tied = []
      }
      const offering = run.offeringOf(row)
      const actor = actorOf[offering]
      if (this.#isRanked[actor] === 1 || !hasBit(bits, offering)) continue
      this.#isRanked[actor] = 1
      const distanceKm = distances === undefined ? 0 : distances[actor]
      tied.push({ actor, firstRun: run, firstRow: row, startMs: run.startMsOf(row), distanceKm })
      found++
    }
    yield* this.#rankTied(tied)
  }

  /** Orders actors only as far as they are asked for: thousands may have a slot at the next full hour. */
  *#rankTied(tied: readonly FoundActor[]): Steps<void> {
    const { actors } = this.#offerings
    const left = yield* Heap.of(tied, (a, b) => {
      const difference = a.distanceKm - b.distanceKm || a.startMs - b.startMs
      return difference === 0 ? actors.textOf(a.actor) < actors.textOf(b.actor) : difference < 0
    })
    while (left.length > 0) {
      this.#ranked.push(left.pop())
      if (left.length % RANKED_PER_STEP === 0) yield
    }
  }

  /** Ranks some of the nearest actors at a time. */
  *#rankNearest({ counts, matchOf }: RankedSlots, circle: GeoRadius): Steps<void> {
    const actorOf = this.#offerings.actorOf.values
    const distances = new Float64Array(this.#offerings.actors.end).fill(Number.POSITIVE_INFINITY)
    for (const { length, offerings } of counts.blocks()) {
      for (let n = 0; n < length; n++) {
        const actor = actorOf[offerings[n]]
        distances[actor] = Math.min(distances[actor], distanceOf(this.#offerings, circle, offerings[n]))
        if ((n & STEP_MASK) === 0) yield
      }
    }
    const { actors, ends } = yield* groupByRing(distances, circle.near.radiusKm)
    for (let from = 0, ring = 0; from < actors.length; ) {
      while (ends[ring] < Math.min(from + NEAREST_AT_ONCE, actors.length)) ring++
      const some = actors.subarray(from, ends[ring])
      const matches = yield* matchOf(yield* this.#offeringsOf(some, counts))
      yield* this.#rank({ matches, bits: undefined }, some.length, distances)
      from = ends[ring]
    }
  }

  /** Those of some offerings that some actors have, ascending. */
  *#offeringsOf(actors: Uint32Array, counts: OfferingCounts): Steps<Uint32Array> {
    const actorOf = this.#offerings.actorOf.values
    const isWanted = new Uint8Array(this.#isRanked.length)
    for (const actor of actors) isWanted[actor] = 1
    const found: number[] = []
    for (const { length, offerings } of counts.blocks()) {
      for (let n = 0; n < length; n++) if (isWanted[actorOf[offerings[n]]] === 1) found.push(offerings[n])
      yield
    }
    return Uint32Array.from(found).sort()
  }
}

/** Marks the actors of a block, and returns how many were not. */
function countActors(actorOf: Uint32Array, { length, offerings }: CountedBlock, isCounted: Uint8Array): number {
  let added = 0
  for (let n = 0; n < length; n++) {
    const actor = actorOf[offerings[n]]
    added += 1 - isCounted[actor]
    isCounted[actor] = 1
  }
  return added
}

function hasBit(bits: Uint32Array | undefined, number: number): boolean {
  return bits === undefined || ((bits[number >>> 5] >>> (number & 31)) & 1) === 1
}

interface FoundActor extends RankedActor {
  readonly startMs: number
  /** Of the nearest offering; 0 without a circle. */
  readonly distanceKm: number
}

/** Rows that are read ahead. */
const ROWS_AHEAD = 256
/** Actors whose first rows are found together, at least. */
const NEAREST_AT_ONCE = 32
/** Some 50 microseconds. */
const ACTORS_STEP_MASK = 16_383
const RINGS = 4096
/** Some 30 microseconds. */
const RANKED_PER_STEP = 32
/** A `FoundActor`. */
const WORDS_PER_RANKED = 20

/** Actors by distance, in rings of equal width: a counting sort. Those in ring n end at `ends[n]`. */
function* groupByRing(distances: Float64Array, radiusKm: number): Steps<{ actors: Uint32Array; ends: Uint32Array }> {
  const ringOf = (actor: number) => Math.min(RINGS - 1, Math.floor((distances[actor] / radiusKm) * RINGS))
  const ends = new Uint32Array(RINGS)
  const near: number[] = []
  for (let actor = 0; actor < distances.length; actor++) {
    if ((actor & ACTORS_STEP_MASK) === ACTORS_STEP_MASK) yield
    if (distances[actor] === Number.POSITIVE_INFINITY) continue
    near.push(actor)
    ends[ringOf(actor)]++
  }
  for (let ring = 1; ring < RINGS; ring++) ends[ring] += ends[ring - 1]
  const places = ends.slice()
  const actors = new Uint32Array(near.length)
  for (let n = near.length - 1; n >= 0; n--) {
    actors[--places[ringOf(near[n])]] = near[n]
    if ((n & ACTORS_STEP_MASK) === 0) yield
  }
  return { actors, ends }
}
