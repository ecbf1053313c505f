// Hot path
import { STEP_MASK, type Steps, sortInSteps } from '../lib/steps.ts'
import type { GeoRadius } from '../slot/geo-radius.ts'
import type { ListPart } from './filtered-lists.ts'
import type { IndexState } from './index-state.ts'
import { listOfRows, PostingList } from './posting-list.ts'

/**
 * Sorts rows in order of (start, id) by (distance, start, id): a stable counting sort by the rank of the offering's
 * distance, since there are few distinct distances.
 */
export function* sortByDistance(
  state: IndexState,
  circle: GeoRadius,
  { list, from, to }: ListPart,
): Steps<PostingList> {
  if (from === to) return PostingList.EMPTY
  const { rows } = state
  const inOrder = list.chunksOf(from, to)
  const { rankOf, count } = yield* rankOfferings(state, circle, inOrder)
  const positions = new Uint32Array(count + 1)
  for (const chunk of inOrder) {
    for (const row of chunk) positions[rankOf[rows.offeringOf(row)] + 1]++
    yield
  }
  for (let rank = 0; rank < count; rank++) positions[rank + 1] += positions[rank]
  const sorted = new Uint32Array(to - from)
  for (const chunk of inOrder) {
    for (const row of chunk) sorted[positions[rankOf[rows.offeringOf(row)]]++] = row
    yield
  }
  return listOfRows(sorted)
}

/** Kilometers from a circle's center to a row's location. */
export function distanceOf({ rows, offerings }: IndexState, circle: GeoRadius, row: number): number {
  const offering = rows.offeringOf(row)
  return circle.distanceKm(offerings.latitudes[offering], offerings.longitudes[offering])
}

/** Ranks the distances of the rows' offerings, nearest first; equal distances share a rank. `rankOf` is indexed by offering. */
function* rankOfferings(
  state: IndexState,
  circle: GeoRadius,
  inOrder: readonly Uint32Array[],
): Steps<{ rankOf: Uint32Array; count: number }> {
  const distances = new Float64Array(state.offerings.end).fill(-1)
  const seen: number[] = []
  for (const chunk of inOrder) {
    for (const row of chunk) {
      const offering = state.rows.offeringOf(row)
      if (distances[offering] >= 0) continue
      distances[offering] = distanceOf(state, circle, row)
      seen.push(offering)
    }
    yield
  }
  const nearest = yield* sortInSteps(new Uint32Array(seen), (a, b) => distances[a] - distances[b])
  const rankOf = new Uint32Array(distances.length)
  let rank = 0
  for (let n = 1; n < nearest.length; n++) {
    if (distances[nearest[n]] > distances[nearest[n - 1]]) rank++
    rankOf[nearest[n]] = rank
    if ((n & STEP_MASK) === 0) yield
  }
  return { rankOf, count: rank + 1 }
}
