/**
 * Stirs two 32-bit integers into one, evenly spread from 0 to 2^32-1: the same for the same, and nothing to remember.
 *
 * MurmurHash3's finalizer; whatever the sample publishes hangs on the seed by way of this function alone.
 */
export function mix(a: number, b: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** One of a list, by a number from `mix()`. */
export function pick<T>(list: readonly T[], mixed: number): T {
  return list[mixed % list.length]
}
