// Hot path

import type { ListPart } from './filtered-lists.ts'
import type { IndexState } from './index-state.ts'

/** Number of rows per offering in a part of a list: columns, in order of each offering's first row. */
export interface OfferingCounts {
  /** Numbers of the offerings that have rows. */
  readonly offerings: Uint32Array
  readonly counts: Uint32Array
  readonly firstRows: Uint32Array
  /** Number of rows. */
  readonly total: number
}

/** Counts in one pass: about 4 ns per row. */
export function countOfferings({ rows, offerings }: IndexState, { list, from, to }: ListPart): OfferingCounts {
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
