// Hot path

import { STEP_MASK, type Steps } from '../lib/steps.ts'
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
export function* countOfferings({ rows, offerings }: IndexState, { list, from, to }: ListPart): Steps<OfferingCounts> {
  const byOffering = new Uint32Array(offerings.end)
  const seen: number[] = []
  const firstRows: number[] = []
  for (const chunk of list.chunksOf(from, to)) {
    const offeringOf = rows.offerings
    for (let n = 0; n < chunk.length; n++) {
      const offering = offeringOf[chunk[n]]
      if (byOffering[offering]++ > 0) continue
      seen.push(offering)
      firstRows.push(chunk[n])
    }
    yield
  }
  const counts = new Uint32Array(seen.length)
  for (let n = 0; n < seen.length; n++) {
    counts[n] = byOffering[seen[n]]
    if ((n & STEP_MASK) === 0) yield
  }
  return { offerings: new Uint32Array(seen), counts, firstRows: new Uint32Array(firstRows), total: to - from }
}
