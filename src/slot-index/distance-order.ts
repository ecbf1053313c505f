// Hot path
import type { GeoRadius } from '../slot/geo-radius.ts'
import type { IndexState } from './index-state.ts'
import { PostingList } from './posting-list.ts'

/**
 * Sorts rows in order of (start, id) by (distance, start, id): a stable counting sort by the rank of the offering's
 * distance, since there are few distinct distances.
 */
export function sortByDistance(state: IndexState, circle: GeoRadius, inOrder: Uint32Array): PostingList {
  if (inOrder.length === 0) return PostingList.EMPTY
  const { rows } = state
  const { rankOf, count } = rankOfferings(state, circle, inOrder)
  const positions = new Uint32Array(count + 1)
  for (const row of inOrder) positions[rankOf[rows.offeringOf(row)] + 1]++
  for (let rank = 0; rank < count; rank++) positions[rank + 1] += positions[rank]
  const sorted = new Uint32Array(inOrder.length)
  for (const row of inOrder) sorted[positions[rankOf[rows.offeringOf(row)]]++] = row
  return PostingList.of([sorted])
}

/** Kilometers from a circle's center to a row's location. */
export function distanceOf({ rows, offerings }: IndexState, circle: GeoRadius, row: number): number {
  const offering = rows.offeringOf(row)
  return circle.distanceKm(offerings.latitudes[offering], offerings.longitudes[offering])
}

/** Ranks the distances of the rows' offerings, nearest first; equal distances share a rank. `rankOf` is indexed by offering. */
function rankOfferings(
  state: IndexState,
  circle: GeoRadius,
  inOrder: Uint32Array,
): { rankOf: Uint32Array; count: number } {
  const distances = new Float64Array(state.offerings.end).fill(-1)
  const seen: number[] = []
  for (const row of inOrder) {
    const offering = state.rows.offeringOf(row)
    if (distances[offering] >= 0) continue
    distances[offering] = distanceOf(state, circle, row)
    seen.push(offering)
  }
  seen.sort((a, b) => distances[a] - distances[b])
  const rankOf = new Uint32Array(distances.length)
  let rank = 0
  for (let n = 1; n < seen.length; n++) {
    if (distances[seen[n]] > distances[seen[n - 1]]) rank++
    rankOf[seen[n]] = rank
  }
  return { rankOf, count: rank + 1 }
}
