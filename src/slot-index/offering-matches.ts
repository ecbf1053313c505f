// Hot path
import { Circle } from '../slot/circle.ts'
import type { SlotFilters } from '../slot/slot-filters.ts'
import { type Matcher, matcherOf } from '../slot/traits.ts'
import type { OfferingTable } from './offering-table.ts'

/** Which offerings match. */
export interface OfferingMatches {
  /** 1 at the number of each that does. */
  readonly matching: Uint8Array
  /** The homes of those that do: all their slots are there. Undefined if every offering of the place matches. */
  readonly homes: ReadonlySet<number> | undefined
}

/**
 * Decides for each offering of a place whether its slots match, as far as that is the offering's.
 *
 * `near` is decided from columns, ahead of all else: of 100,000 offerings it leaves few for the others to look at.
 */
export function matchOfferings(
  offerings: OfferingTable,
  filters: SlotFilters,
  place: number,
): OfferingMatches {
  const matching = new Uint8Array(offerings.end)
  const matches = unplacedMatcherOf(filters)
  if (filters.near !== undefined) markNear(matching, offerings, new Circle(filters.near))
  else matching.fill(1)
  if (filters.near === undefined && matches === undefined) return { matching, homes: undefined }
  const homes = new Set<number>()
  for (let offering = 0; offering < matching.length; offering++) {
    if (matching[offering] === 0) continue
    const traits = offerings.traits[offering]
    const isMatch = traits !== undefined && (matches === undefined || matches(traits))
    if (isMatch && offerings.places[offering].includes(place)) homes.add(offerings.homes[offering])
    else matching[offering] = 0
  }
  return { matching, homes }
}

/** What neither the place nor the columns decide. */
function unplacedMatcherOf({ states, isVirtual: _, near: __, ...rest }: SlotFilters): Matcher | undefined {
  return matcherOf(states !== undefined && states.length > 1 ? { ...rest, states } : rest)
}

function markNear(matching: Uint8Array, { latitudes, longitudes }: OfferingTable, circle: Circle): void {
  for (let offering = 0; offering < matching.length; offering++) {
    if (circle.covers(latitudes[offering], longitudes[offering])) matching[offering] = 1
  }
}
