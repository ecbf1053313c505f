import { filterValuesOf, statesIn } from '../../../src/slot/filter-values.ts'
import { GeoRadius } from '../../../src/slot/geo-radius.ts'
import { actorKeyOf } from '../../../src/slot/ids.ts'
import type { ResourceDetails, Slot } from '../../../src/slot/slot.ts'
import type { ActorCard } from '../../../src/slot-index/counts/actor-cards.ts'
import { type Calendar, DAYS_MAX, type FacetCounts } from '../../../src/slot-index/counts/facet-counts.ts'
import type { ActorPage, ActorQuery } from '../../../src/slot-index/counts/slot-counts.ts'
import { matches, serviceTypes, specialties } from './naive-index.ts'

/** The slots to count, in order of (start, id). */
export function naiveMatches(slots: Iterable<Slot>, asked: ActorQuery, nowMs: number): Slot[] {
  return [...slots]
    .filter((slot) => matches(slot, asked, nowMs))
    .sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1))
}

/** The facets of matching slots: one pass over all slots for each facet. */
export function naiveFacets(
  slots: readonly Slot[],
  calendar: Calendar,
  { states, isVirtual }: Pick<ActorQuery, 'states' | 'isVirtual'> = {},
): FacetCounts {
  const statesOf = (slot: Slot, mode: boolean | undefined) => statesIn(filterValuesOf(slot.offering), mode)
  const countMode = (mode: boolean) =>
    slots.filter((slot) => {
      const { modes } = filterValuesOf(slot.offering)
      const isHere = states === undefined || statesOf(slot, mode).some((state) => states.includes(state))
      return modes.includes(mode ? 'virtual' : 'in-person') && isHere
    }).length
  const days = tally(slots, ({ startMs }) => [calendar(startMs).date]).sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    total: slots.length,
    state: tally(slots, (slot) => statesOf(slot, isVirtual)).map(([value, count]) => ({
      value,
      count,
    })),
    isVirtual: { true: countMode(true), false: countMode(false) },
    serviceType: tally(slots, (slot) => typesOf(slot).flatMap(({ code }) => code ?? [])).map(([code, count]) => {
      const displays = slots.map((slot) => typesOf(slot).find((type) => type.code === code && type.display)?.display)
      const display = commonest(displays)
      return { code, ...(display !== undefined && { display }), count }
    }),
    specialty: tally(slots, (slot) => wordsOf(slot).map((text) => text.toLowerCase())).map(([folded, count]) => {
      const own = slots.map((slot) => wordsOf(slot).find((text) => text.toLowerCase() === folded))
      return { value: commonest(own) ?? '', count }
    }),
    day: days.slice(0, DAYS_MAX).map(([date, count]) => ({ date, count })),
    others: {
      state: 0,
      serviceType: 0,
      specialty: 0,
      day: days.slice(DAYS_MAX).reduce((sum, [, count]) => sum + count, 0),
    },
  }
}

/** The actors of matching slots. */
export function naiveActors(slots: readonly Slot[], asked: ActorQuery): ActorPage {
  const actors = [...Map.groupBy(slots, ({ offering }) => actorKeyOf(offering))].map(([key, own]) => ({
    distanceKm: Math.min(...own.map((slot) => distanceOf(slot, asked))),
    startMs: own[0].startMs,
    card: cardOf(key, own),
  }))
  actors.sort((a, b) => a.distanceKm - b.distanceKm || a.startMs - b.startMs || (a.card.key < b.card.key ? -1 : 1))
  const page = actors.slice(asked.offset, asked.offset + asked.limit)
  return { actors: page.map(({ card }) => card), total: actors.length }
}

function cardOf(key: string, own: readonly Slot[]): ActorCard {
  const { publisher, provider, location, details } = own[0].offering
  const { Location, Practitioner, PractitionerRole } = details?.resources ?? {}
  const types = own.flatMap((slot) => typesOf(slot).map((type) => JSON.stringify(type)))
  return {
    key,
    publisher,
    serviceTypes: [...new Set(types)]
      .map((text) => JSON.parse(text))
      .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)),
    totalSlots: own.length,
    ...(provider && { provider: { ...provider, ...identity(Practitioner?.[0], PractitionerRole?.[0]) } }),
    ...(location && { location: { ...location, ...identity(Location?.[0]) } }),
    isVirtual: own.some(({ offering }) => filterValuesOf(offering).modes.includes('virtual')),
    nextAvailableStart: own[0].start,
  }
}

function identity(...resources: (ResourceDetails | undefined)[]): object {
  const id = resources.find((resource) => resource !== undefined)?.id
  const texts = new Set(resources.flatMap((resource) => resource?.identifier ?? []).map((one) => JSON.stringify(one)))
  const identifier = [...texts].map((text) => JSON.parse(text))
  return { ...(id !== undefined && { id }), ...(identifier.length > 0 && { identifier }) }
}

const typesOf = ({ offering }: Slot) => serviceTypes(offering)
const wordsOf = ({ offering }: Slot) => specialties(offering)
const sortKey = ({ code = '', display = '', system = '' }) => `${code}\u0000${display}\u0000${system}`

function distanceOf({ offering: { location } }: Slot, { sort, near }: ActorQuery): number {
  if (sort !== 'distance' || near === undefined) return 0
  return new GeoRadius(near).distanceKm(location?.latitude ?? 0, location?.longitude ?? 0)
}

/** Values by descending count, then by value. A slot counts once for each of its values. */
function tally(slots: readonly Slot[], valuesOf: (slot: Slot) => readonly string[]): [string, number][] {
  const values = slots.flatMap((slot) => [...new Set(valuesOf(slot))])
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, same]): [string, number] => [value, same.length])
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}

/** Of equally frequent ones, the first. */
function commonest(texts: readonly (string | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined)
  return [...Map.groupBy(said, (text) => text)].sort(
    ([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1),
  )[0]?.[0]
}
