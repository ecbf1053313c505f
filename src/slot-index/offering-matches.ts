// Hot path

import { STEP_MASK, type Steps } from '../lib/steps.ts'
import { type Matcher, matcherOf } from '../slot/filter-values.ts'
import { GeoRadius } from '../slot/geo-radius.ts'
import type { SlotFilters } from '../slot/slot-filters.ts'
import { BUCKETS_END } from './buckets.ts'
import type { OfferingTable } from './offering-table.ts'

/** The matching offerings and their primary buckets. */
export interface OfferingMatches {
  /** By offering: 0 if it does not match, else the 1-based position of its primary bucket in `primaryBuckets`. */
  readonly marks: Uint16Array
  readonly primaryBuckets: readonly number[]
}

/**
 * Evaluates the filters on offerings for each offering of a bucket.
 *
 * `near` is evaluated first, from columns: it leaves few of 100,000 offerings for the other filters.
 */
export function* matchOfferings(
  offerings: OfferingTable,
  filters: SlotFilters,
  bucket: number,
): Steps<OfferingMatches> {
  const { near } = filters
  const marks = new Uint16Array(offerings.end)
  if (near === undefined) marks.fill(1)
  else yield* markNear(marks, offerings, new GeoRadius(near))
  const matches = unplacedMatcherOf(filters)
  const primaryBuckets: number[] = []
  const marksOfBuckets = new Uint16Array(BUCKETS_END)
  for (let offering = 0; offering < marks.length; offering++) {
    if ((offering & MATCHER_STEP_MASK) === 0) yield
    if (marks[offering] === 0) continue
    const traits = offerings.traits[offering]
    const isMatch = traits !== undefined && (matches === undefined || matches(traits))
    const primaryBucket = offerings.primaryBuckets[offering]
    marks[offering] = 0
    if (!isMatch || !offerings.buckets[offering].includes(bucket)) continue
    if (marksOfBuckets[primaryBucket] === 0) marksOfBuckets[primaryBucket] = primaryBuckets.push(primaryBucket)
    marks[offering] = marksOfBuckets[primaryBucket]
  }
  return { marks, primaryBuckets }
}

/** A matcher takes up to a microsecond. */
const MATCHER_STEP_MASK = 63

/** The filters that neither the bucket nor the columns decide. */
function unplacedMatcherOf({ states, isVirtual: _, near: __, ...rest }: SlotFilters): Matcher | undefined {
  return matcherOf(states !== undefined && states.length > 1 ? { ...rest, states } : rest)
}

function* markNear(marks: Uint16Array, offerings: OfferingTable, circle: GeoRadius): Steps<void> {
  for (let offering = 0; offering < marks.length; offering++) {
    if (circle.covers(offerings.latitudes[offering], offerings.longitudes[offering])) marks[offering] = 1
    if ((offering & STEP_MASK) === 0) yield
  }
}
