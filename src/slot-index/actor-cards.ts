// Hot path
import type { Location, Offering, Provider, Slot } from '../slot/slot.ts'
import type { ActorRanking } from './actor-ranking.ts'
import type { IndexState } from './index-state.ts'
import type { OfferingCounts } from './offering-counts.ts'
import type { ServiceType } from './offering-terms.ts'

/** One provider at one location of a publisher, and the slots there that match. Provider and location are as in the first of them. */
export interface ActorCard {
  /** See `actorKeyOf()`. */
  readonly key: string
  readonly publisher: string
  /** Each once, in order of code, then display. */
  readonly serviceTypes: readonly ServiceType[]
  readonly totalSlots: number
  readonly provider?: Provider
  readonly location?: Location
  /** One of them at least can be attended virtually. */
  readonly isVirtual: boolean
  /** Start of the first, RFC 3339, as its source says it. */
  readonly nextAvailableStart: string
}

/** What the offerings of an actor come to. */
interface Sum {
  slots: number
  isVirtual: boolean
  /** Numbers. */
  readonly serviceTypes: Set<number>
}

/** The cards of some actors of a ranking of these counts: at most 255. */
export function actorCards(
  state: IndexState,
  counted: OfferingCounts,
  { actors, firstRows }: ActorRanking,
): ActorCard[] {
  const sums = sumActors(state, counted, actors)
  return Array.from(actors, (actor, n) => cardOf(state, { actor, firstRow: firstRows[n] }, sums[n]))
}

function sumActors({ offerings }: IndexState, counted: OfferingCounts, actors: Uint32Array): Sum[] {
  const { terms, traits } = offerings
  const sums = Array.from(actors, (): Sum => ({ slots: 0, isVirtual: false, serviceTypes: new Set() }))
  // One byte for each actor there is: of 100,000 offerings, nearly all are passed over by looking at it.
  const positions = new Uint8Array(terms.actors.end)
  actors.forEach((actor, n) => {
    positions[actor] = n + 1
  })
  for (let n = 0; n < counted.offerings.length; n++) {
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

/** What is absent comes first. */
function compareServiceTypes(a: ServiceType, b: ServiceType): number {
  return compare(a.code, b.code) || compare(a.display, b.display)
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0
}
