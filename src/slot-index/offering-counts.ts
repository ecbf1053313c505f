// Hot path

import type { ListPart } from './filtered-lists.ts'
import type { IndexState } from './index-state.ts'

/** How many rows each offering has in a part of a list: columns, in order of the first row of each. */
export interface OfferingCounts {
  /** Numbers of those that have any. */
  readonly offerings: Uint32Array
  readonly counts: Uint32Array
  readonly firstRows: Uint32Array
  /** Of all of them. */
  readonly total: number
}

/** Counts in one pass: about 4 ns for each row. */
export function countOfferings(
  { rows, offerings }: IndexState,
  { list, from, to }: ListPart,
): OfferingCounts {
  const offeringOf = rows.offerings
  const counts = new Uint32Array(offerings.end)
  const seen: number[] = []
  const firstRows: number[] = []
  let before = 0
  for (const chunk of list.chunks) {
    const end = Math.min(chunk.length, to - before)
    for (let n = Math.max(0, from - before); n < end; n++) {
      const offering = offeringOf[chunk[n]]
      if (counts[offering]++ > 0) continue
      seen.push(offering)
      firstRows.push(chunk[n])
    }
    before += chunk.length
    if (before >= to) break
  }
  return {
    offerings: Uint32Array.from(seen),
    counts: Uint32Array.from(seen, (offering) => counts[offering]),
    firstRows: Uint32Array.from(firstRows),
    total: to - from,
  }
}
