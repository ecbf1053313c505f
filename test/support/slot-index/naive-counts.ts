import { filterValuesOf } from '../../../src/slot/filter-values.ts'
import { GeoRadius } from '../../../src/slot/geo-radius.ts'
import { actorKeyOf } from '../../../src/slot/ids.ts'
import type { Slot } from '../../../src/slot/slot.ts'
import type { ActorCard } from '../../../src/slot-index/actor-ranking.ts'
import { type Calendar, DAYS_MAX, type FacetCounts } from '../../../src/slot-index/facet-counts.ts'
import type { ActorPage, ActorQuery } from '../../../src/slot-index/slot-counts.ts'
import { matches } from './naive-index.ts'

/** What is to be counted, in order of (start, id). */
export function naiveMatches(slots: Iterable<Slot>, asked: ActorQuery, nowMs: number): Slot[] {
  return [...slots]
    .filter((slot) => matches(slot, asked, nowMs))
    .sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1))
}

/** The facets of matching slots, by looking at each of them, once for each facet. There are few values. */
export function naiveFacets(slots: readonly Slot[], calendar: Calendar): FacetCounts {
  const modes = new Map(tally(slots, ({ offering }) => filterValuesOf(offering).modes))
  const days = tally(slots, ({ startMs }) => [calendar(startMs).date]).sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    total: slots.length,
    state: tally(slots, ({ offering }) => filterValuesOf(offering).states).map(([value, count]) => ({
      value,
      count,
    })),
    isVirtual: { true: modes.get('virtual') ?? 0, false: modes.get('in-person') ?? 0 },
    serviceType: tally(slots, (slot) => listOf(codeOf(slot))).map(([code, count]) => {
      const display = commonest(slots.filter((slot) => codeOf(slot) === code).map(displayOf))
      return { code, ...(display !== undefined && { display }), count }
    }),
    specialty: tally(slots, (slot) => listOf(specialtyOf(slot)?.toLowerCase())).map(([folded, count]) => {
      const own = slots.map(specialtyOf).filter((text) => text?.toLowerCase() === folded)
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
  const { publisher, provider, location } = own[0].offering
  const types = own.map((slot) => JSON.stringify({ code: codeOf(slot), display: displayOf(slot) }))
  return {
    key,
    publisher,
    serviceTypes: [...new Set(types)]
      .filter((text) => text !== '{}')
      .map((text) => JSON.parse(text))
      .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)),
    totalSlots: own.length,
    ...(provider && { provider }),
    ...(location && { location }),
    isVirtual: own.some(({ offering }) => filterValuesOf(offering).modes.includes('virtual')),
    nextAvailableStart: own[0].start,
  }
}

const codeOf = ({ offering }: Slot) => offering.serviceTypeCode
const displayOf = ({ offering }: Slot) => offering.serviceTypeText
const specialtyOf = ({ offering }: Slot) => offering.provider?.specialty
const listOf = (value: string | undefined) => (value === undefined ? [] : [value])
const sortKey = ({ code = '', display = '' }) => `${code}\u0000${display}`

function distanceOf({ offering: { location } }: Slot, { sort, near }: ActorQuery): number {
  if (sort !== 'distance' || near === undefined) return 0
  return new GeoRadius(near).distanceKm(location?.latitude ?? 0, location?.longitude ?? 0)
}

/** Values by descending count, then by value. */
function tally(slots: readonly Slot[], valuesOf: (slot: Slot) => readonly string[]): [string, number][] {
  const values = slots.flatMap((slot) => valuesOf(slot))
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
