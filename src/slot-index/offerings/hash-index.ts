// Hot path
import { placeFrom } from '../sorted-lists.ts'

/**
 * Offerings by 32-bit hash in shared memory: ascending (hash, offering), each as one number. Of the hash it has 27 bits, so a few more
 * offerings are found.
 */
export type HashIndex = Float64Array<SharedArrayBuffer>

const OFFERINGS_MAX = 2 ** 26
const HASH_SHIFT = 5

/** An entry of a `HashIndex`. */
export function hashEntry(hash: number, offering: number): number {
  return (hash >>> HASH_SHIFT) * OFFERINGS_MAX + offering
}

/** The index of two together: of one that exists and of more entries, in any order. */
export function mergeHashes(index: HashIndex | undefined, entries: ArrayLike<number>): HashIndex {
  const merged = new Float64Array(new SharedArrayBuffer(((index?.length ?? 0) + entries.length) * 8))
  merged.set(entries)
  merged.set(index ?? [], entries.length)
  return merged.sort()
}

/** The offerings with a hash, ascending, and few others. */
export function offeringsByHash(index: HashIndex, hash: number): number[] {
  const first = hashEntry(hash, 0)
  const found: number[] = []
  for (let at = placeFrom(index, first); index[at] < first + OFFERINGS_MAX; at++) found.push(index[at] - first)
  return found
}
