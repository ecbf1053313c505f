// Hot path
import type { Circle } from '../slot/geo-radius.ts'
import type { IndexState } from './index-state.ts'
import type { OfferingCounts } from './offering-counts.ts'

/** Actors in order: columns. */
export interface ActorRanking {
  /** Their numbers: see `OfferingTerms`. */
  readonly actors: Uint32Array
  /** The first of the rows of each, in order of (start, id). */
  readonly firstRows: Uint32Array
}

/**
 * The actors of offerings that were counted in order of start: by the start of their first row, then by key; with a circle,
 * ahead of that by the distance from its centre, where the nearest of an actor's offerings counts.
 */
export function rankActors(state: IndexState, counted: OfferingCounts, circle?: Circle): ActorRanking {
  const { rows, offerings } = state
  const { actors } = offerings.terms
  const found = findActors(state, counted, circle)
  const starts = Float64Array.from(found.firstRows, (row) => rows.startOf(row))
  const keys = found.actors.map((actor) => actors.textOf(actor))
  const order = Array.from(keys.keys()).sort(
    (a, b) =>
      found.distancesKm[a] - found.distancesKm[b] || starts[a] - starts[b] || (keys[a] < keys[b] ? -1 : 1),
  )
  return {
    actors: Uint32Array.from(order, (n) => found.actors[n]),
    firstRows: Uint32Array.from(order, (n) => found.firstRows[n]),
  }
}

/** In order of their first rows; without a circle all distances are 0. */
function findActors(
  { offerings }: IndexState,
  counted: OfferingCounts,
  circle: Circle | undefined,
): { actors: number[]; firstRows: number[]; distancesKm: number[] } {
  const { terms, latitudes, longitudes } = offerings
  const positions = new Uint32Array(terms.actors.end)
  const found = { actors: [] as number[], firstRows: [] as number[], distancesKm: [] as number[] }
  for (let n = 0; n < counted.offerings.length; n++) {
    const offering = counted.offerings[n]
    const actor = terms.actorOf[offering]
    const distanceKm = circle?.distanceKm(latitudes[offering], longitudes[offering]) ?? 0
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
