// Hot path

import { STEP_MASK, type Steps, sortInSteps } from '../lib/steps.ts'
import type { GeoRadius } from '../slot/geo-radius.ts'
import type { Location, Offering, Provider, Slot } from '../slot/slot.ts'
import type { IndexState } from './index-state.ts'
import type { OfferingCounts } from './offering-counts.ts'
import type { ServiceType } from './offering-table.ts'

/** Ranked actors, in columns. */
export interface ActorRanking {
  /** Actor numbers: see `OfferingTerms`. */
  readonly actors: Uint32Array
  /** The first row of each actor in order of (start, id). */
  readonly firstRows: Uint32Array
}

/**
 * Ranks the actors of counted offerings by the start of their first row, then by key; with a circle first by the distance of
 * the actor's nearest offering from its center.
 */
export function* rankActors(state: IndexState, counted: OfferingCounts, circle?: GeoRadius): Steps<ActorRanking> {
  const { rows, offerings } = state
  const { actors: keys } = offerings.terms
  const { actors, firstRows, distancesKm } = yield* findActors(state, counted, circle)
  const startsMs = new Float64Array(actors.length)
  const order = new Uint32Array(actors.length)
  for (let n = 0; n < order.length; n++) {
    startsMs[n] = rows.startOf(firstRows[n])
    order[n] = n
    if ((n & STEP_MASK) === 0) yield
  }
  const sorted = yield* sortInSteps(
    order,
    (a, b) =>
      distancesKm[a] - distancesKm[b] ||
      startsMs[a] - startsMs[b] ||
      compare(keys.textOf(actors[a]), keys.textOf(actors[b])),
  )
  const ranking = { actors: new Uint32Array(sorted.length), firstRows: new Uint32Array(sorted.length) }
  for (let n = 0; n < sorted.length; n++) {
    ranking.actors[n] = actors[sorted[n]]
    ranking.firstRows[n] = firstRows[sorted[n]]
    if ((n & STEP_MASK) === 0) yield
  }
  return ranking
}

/** The actors in order of their first rows; without a circle all distances are 0. */
function* findActors(
  { offerings }: IndexState,
  counted: OfferingCounts,
  circle: GeoRadius | undefined,
): Steps<{ actors: number[]; firstRows: number[]; distancesKm: number[] }> {
  const { terms } = offerings
  const positions = new Uint32Array(terms.actors.end)
  const found = { actors: [] as number[], firstRows: [] as number[], distancesKm: [] as number[] }
  for (let n = 0; n < counted.offerings.length; n++) {
    if ((n & STEP_MASK) === 0) yield
    const offering = counted.offerings[n]
    const actor = terms.actorOf[offering]
    const distanceKm = circle?.distanceKm(offerings.latitudes[offering], offerings.longitudes[offering]) ?? 0
    const slot = positions[actor] - 1
    if (slot >= 0) {
      found.distancesKm[slot] = Math.min(found.distancesKm[slot], distanceKm)
      continue
    }
    positions[actor] = found.actors.push(actor)
    found.firstRows.push(counted.firstRows[n])
    found.distancesKm.push(distanceKm)
  }
  return found
}

/** One provider at one location of a publisher, with its matching slots. Provider and location are those of the first slot. */
export interface ActorCard {
  /** See `actorKeyOf()`. */
  readonly key: string
  readonly publisher: string
  /** Distinct, in order of code, then display. */
  readonly serviceTypes: readonly ServiceType[]
  readonly totalSlots: number
  readonly provider?: Provider
  readonly location?: Location
  /** At least one of the slots can be attended virtually. */
  readonly isVirtual: boolean
  /** Start of the first slot, RFC 3339, as published. */
  readonly nextAvailableStart: string
}

/** Sums over the offerings of an actor. */
interface Sum {
  slots: number
  isVirtual: boolean
  /** Numbers. */
  readonly serviceTypes: Set<number>
}

/** The cards of at most 255 ranked actors. */
export function* actorCards(
  state: IndexState,
  counted: OfferingCounts,
  { actors, firstRows }: ActorRanking,
): Steps<ActorCard[]> {
  const sums = yield* sumActors(state, counted, actors)
  const cards: ActorCard[] = []
  for (let n = 0; n < actors.length; n++) {
    cards.push(cardOf(state, { actor: actors[n], firstRow: firstRows[n] }, sums[n]))
    yield
  }
  return cards
}

function* sumActors({ offerings }: IndexState, counted: OfferingCounts, actors: Uint32Array): Steps<Sum[]> {
  const { terms, traits } = offerings
  const sums = Array.from(actors, (): Sum => ({ slots: 0, isVirtual: false, serviceTypes: new Set() }))
  // One byte per actor rejects nearly all of 100,000 offerings.
  const positions = new Uint8Array(terms.actors.end)
  actors.forEach((actor, n) => {
    positions[actor] = n + 1
  })
  for (let n = 0; n < counted.offerings.length; n++) {
    if ((n & STEP_MASK) === 0) yield
    const offering = counted.offerings[n]
    const slot = positions[terms.actorOf[offering]]
    if (slot === 0) continue
    const sum = sums[slot - 1]
    sum.slots += counted.counts[n]
    sum.isVirtual ||= traits[offering]?.modes.includes('virtual') === true
    sum.serviceTypes.add(terms.serviceTypeOf[offering])
  }
  return sums
}

function cardOf(
  { rows, offerings }: IndexState,
  { actor, firstRow }: { actor: number; firstRow: number },
  { slots, isVirtual, serviceTypes }: Sum,
): ActorCard {
  const { terms } = offerings
  const shared = offerings.arena.bytesAt(offerings.addressOf(rows.offeringOf(firstRow))).toString('utf8')
  const own = rows.arena.bytesAt(rows.addressOf(firstRow)).toString('utf8')
  const { publisher, provider, location }: Offering = JSON.parse(`{${shared.slice(1)}`)
  const { start }: Slot = JSON.parse(`${own}}`)
  serviceTypes.delete(0)
  const names = Array.from(serviceTypes, (number) => terms.serviceTypes.textOf(number))
  return {
    key: terms.actors.textOf(actor),
    publisher,
    serviceTypes: names.map((name): ServiceType => JSON.parse(name)).sort(compareServiceTypes),
    totalSlots: slots,
    ...(provider !== undefined && { provider }),
    ...(location !== undefined && { location }),
    isVirtual,
    nextAvailableStart: start,
  }
}

/** Absent values sort first. */
function compareServiceTypes(a: ServiceType, b: ServiceType): number {
  return compare(a.code, b.code) || compare(a.display, b.display)
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0
}
