/**
 * Hashes two 32-bit integers into one, evenly distributed from 0 to 2^32-1; deterministic and stateless.
 *
 * MurmurHash3's finalizer. All sample data depends on the seed through this function only.
 */
export function mix(a: number, b: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** The item of a list selected by a number from `mix()`. */
export function pick<T>(list: readonly T[], mixed: number): T {
  return list[mixed % list.length]
}
