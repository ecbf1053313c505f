import type { OfferingCounts } from '../../../src/slot-index/counts/offering-counts.ts'

/** Each offering that has rows, with their number. */
export function countedPairs(counted: OfferingCounts): [number, number][] {
  const pairs: [number, number][] = []
  for (const { length, offerings, counts } of counted.blocks())
    for (let n = 0; n < length; n++) pairs.push([offerings[n], counts[n]])
  return pairs
}
