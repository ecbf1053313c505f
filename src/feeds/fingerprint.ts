// Hot path: called for every line of a feed, including those that were read before.
import { hash } from 'node:crypto'

/**
 * Identifies a line of a file: an integer below 2^52 from a cryptographic hash, because a collision would keep a deleted
 * slot. The same line in another part has another fingerprint, so that `keep` and `keepPart` never disagree.
 * Hashing into a binary string takes half the time of a Buffer (0.45 µs for 550 bytes).
 */
export function fingerprint(line: Uint8Array, part: number): number {
  const bytes = hash('sha256', line, 'binary')
  const low =
    bytes.charCodeAt(0) + bytes.charCodeAt(1) * 0x100 + bytes.charCodeAt(2) * 0x10000 + bytes.charCodeAt(3) * 0x1000000
  const high = bytes.charCodeAt(4) + bytes.charCodeAt(5) * 0x100 + (bytes.charCodeAt(6) & 0x0f) * 0x10000
  // Multiplication by an odd number is a bijection: different parts never collide.
  return high * 0x1_0000_0000 + ((low ^ Math.imul(part, 0x9e37_79b1)) >>> 0)
}
