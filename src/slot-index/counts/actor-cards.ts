// Hot path

import { distinctByJson } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import type { Steps } from '../../lib/steps.ts'
import type { Coding, Identifier, Location, Offering, Provider, ResourceDetails, Slot } from '../../slot/slot.ts'
import type { IndexTables } from '../index-content.ts'
import type { OfferingTable } from '../offerings/offering-table.ts'
import type { RankedActor } from './actor-ranking.ts'
import type { CountedBlock, OfferingCounts } from './offering-counts.ts'

/** One provider at one location of a publisher, with its matching slots. Provider and location are those of the first slot. */
export interface ActorCard {
  /** See `actorKeyOf()`. */
  readonly key: string
  readonly publisher: string
  /** Distinct, in order of code, display, then system. */
  readonly serviceTypes: readonly Coding[]
  readonly totalSlots: number
  readonly provider?: Provider & Identity
  readonly location?: Location & Identity
  /** At least one of the slots can be attended virtually. */
  readonly isVirtual: boolean
  /** Start of the first slot, RFC 3339, as published. */
  readonly nextAvailableStart: string
}

/** The source's id of a resource, and its identifiers. */
interface Identity {
  readonly id?: string
  readonly identifier?: readonly Identifier[]
}

/** The id of the first resource and the identifiers of all. */
function identityOf(resources: readonly (ResourceDetails | undefined)[]): Identity {
  const known = resources.filter((resource) => resource !== undefined)
  const all = known.flatMap(({ identifier = [] }) => identifier)
  const identifier = distinctByJson(all)
  return { ...defined({ id: known[0]?.id }), ...(identifier.length > 0 && { identifier }) }
}

/** Sums over the offerings of an actor. */
interface Sum {
  slots: number
  isVirtual: boolean
  /** Numbers in `OfferingTable.serviceTypes`. */
  readonly serviceTypes: Set<number>
}

/** The cards of at most 255 ranked actors. */
export function* actorCards(
  { offerings, writers: [writer] }: IndexTables,
  counted: OfferingCounts,
  ranked: readonly RankedActor[],
): Steps<ActorCard[]> {
  const sums = yield* sumActors(offerings, counted, ranked)
  const cards: ActorCard[] = []
  for (const [n, actor] of ranked.entries()) {
    const { start }: Slot = JSON.parse(writer.textOf(actor.firstRun, actor.firstRow))
    cards.push(cardOf(offerings, { ...actor, start }, sums[n]))
    yield
  }
  return cards
}

function* sumActors(table: OfferingTable, counted: OfferingCounts, ranked: readonly RankedActor[]): Steps<Sum[]> {
  const sums = ranked.map((): Sum => ({ slots: 0, isVirtual: false, serviceTypes: new Set() }))
  // One byte per actor rejects nearly all of 100,000 offerings.
  const places = new Uint8Array(table.actors.end)
  ranked.forEach(({ actor }, n) => {
    places[actor] = n + 1
  })
  for (const block of counted.blocks()) {
    for (const n of indexesOnPage(table.actorOf.values, block, places)) {
      const offering = block.offerings[n]
      const sum = sums[places[table.actorOf.values[offering]] - 1]
      sum.slots += block.counts[n]
      sum.isVirtual ||= table.isVirtual.values[offering] === 1
      sum.serviceTypes.add(table.serviceTypeOf.values[offering])
    }
    yield
  }
  return sums
}

/** The indexes of those offerings of a block whose actors have a place on the page. */
function indexesOnPage(actorOf: Uint32Array, { length, offerings }: CountedBlock, places: Uint8Array): number[] {
  const found: number[] = []
  for (let n = 0; n < length; n++) if (places[actorOf[offerings[n]]] !== 0) found.push(n)
  return found
}

function cardOf(
  table: OfferingTable,
  { actor, firstRun, firstRow, start }: RankedActor & { readonly start: string },
  { slots, isVirtual, serviceTypes }: Sum,
): ActorCard {
  const { publisher, provider, location, details }: Offering = table.offeringOf(firstRun.offeringOf(firstRow))
  const { Practitioner, PractitionerRole, Location } = details?.resources ?? {}
  serviceTypes.delete(0)
  const lists = Array.from(serviceTypes, (number): Coding[] => JSON.parse(table.serviceTypes.textOf(number)))
  return {
    key: table.actors.textOf(actor),
    publisher,
    serviceTypes: distinctByJson(lists.flat()).sort(compareCodings),
    totalSlots: slots,
    ...(provider !== undefined && {
      provider: { ...provider, ...identityOf([Practitioner?.[0], PractitionerRole?.[0]]) },
    }),
    ...(location !== undefined && { location: { ...location, ...identityOf([Location?.[0]]) } }),
    isVirtual,
    nextAvailableStart: start,
  }
}

/** Absent values sort first. */
function compareCodings(a: Coding, b: Coding): number {
  return compare(a.code, b.code) || compare(a.display, b.display) || compare(a.system, b.system)
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0
}
