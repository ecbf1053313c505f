// Hot path

import { STEP_MASK, type Steps } from '../../lib/steps.ts'
import { cityKey } from '../../slot/place-keys.ts'
import type { OfferingTable } from './offering-table.ts'
import { term } from './term-names.ts'

/** A city, or the area of a postal code, that has locations. */
export interface CityCenter {
  /** `Boston, MA`. */
  readonly name: string
  /** The mean of its locations, in decimal degrees. */
  readonly latitude: number
  readonly longitude: number
  /** Number of open slots. */
  readonly slots: number
}

const CITIES_MAX = 8

/** The first three characters of a Canadian postal code name its area. */
const CANADIAN = /^([a-z]\d[a-z])(?: ?\d[a-z]\d)?$/

/** Sums of the positions of a city's offerings in one state, and of their open slots. */
interface PositionSum {
  readonly name: string
  slots: number
  count: number
  latitude: number
  longitude: number
}

/**
 * Cities whose name begins with the text, in any case and without accents, those with the most open slots first; with `, MA` those of a
 * state. For a Canadian postal code the area that it begins with. `open`: number of open slots by offering.
 */
export function* cityCenters(table: OfferingTable, open: Uint32Array, text: string): Steps<CityCenter[]> {
  const [, wanted = '', state] = /^(.*?)(?:,\s*([a-z]{2}))?$/.exec(cityKey(text)) ?? []
  const area = CANADIAN.exec(wanted)?.[1]
  const names = area === undefined ? term.city(wanted) : term.postalCode(area)
  const cities = new Map<string, PositionSum>()
  for (const number of yield* table.terms.findByPrefix(names)) {
    if (area !== undefined && table.terms.textOf(number) !== names) continue
    for (const offerings of table.withTerm(number))
      yield* sumPositions(table, { offerings, open, area: area?.toUpperCase() }, cities)
  }
  const found = [...cities.values()].filter(
    ({ name }) => state === undefined || name.endsWith(`, ${state.toUpperCase()}`),
  )
  return found
    .sort((a, b) => b.slots - a.slots || (a.name < b.name ? -1 : 1))
    .slice(0, CITIES_MAX)
    .map(({ name, slots, count, latitude, longitude }) => ({
      name,
      latitude: latitude / count,
      longitude: longitude / count,
      slots,
    }))
}

/** Adds the positions of offerings by city and state; those of an area have its name. */
function* sumPositions(
  table: OfferingTable,
  { offerings, open, area }: { offerings: Uint32Array; open: Uint32Array; area: string | undefined },
  cities: Map<string, PositionSum>,
): Steps<void> {
  const names = new Map<number, string>()
  for (const [n, offering] of offerings.entries()) {
    if ((n & STEP_MASK) === 0) yield
    // It has been added since the rows were counted.
    if (offering >= open.length) continue
    const { latitude, longitude } = table.positions.of(offering)
    if (Number.isNaN(latitude)) continue
    const home = table.homeOf.values[offering]
    const name = area ?? names.get(home) ?? nameOf(table, offering)
    names.set(home, name)
    const sum = cities.get(name) ?? { name, slots: 0, count: 0, latitude: 0, longitude: 0 }
    cities.set(name, sum)
    sum.slots += open[offering]
    // It counts once, however many durations its slots have.
    if (table.originalOf.values[offering] !== offering) continue
    sum.count++
    sum.latitude += latitude
    sum.longitude += longitude
  }
}

/** As the offering spells it. */
function nameOf(table: OfferingTable, offering: number): string {
  const { city, state } = table.offeringOf(offering).location ?? {}
  return [city, state].filter((part) => part !== undefined).join(', ')
}
