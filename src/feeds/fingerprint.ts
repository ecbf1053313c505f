// Hot path: asked for every line of a feed, also those that were read before.
import { hash } from 'node:crypto'

/**
 * Stands for a line of a file: an integer below 2^52. Of a strong hash, because a line that were taken for another
 * would keep a slot that is gone; the same line in another part has another fingerprint, so that what is known by part
 * and what is known by line never disagree. As a binary string: half the time of a Buffer (0.45 µs for 550 bytes).
 */
export function fingerprint(line: Uint8Array, part: number): number {
  const bytes = hash('sha256', line, 'binary')
  const low =
    bytes.charCodeAt(0) +
    bytes.charCodeAt(1) * 0x100 +
    bytes.charCodeAt(2) * 0x10000 +
    bytes.charCodeAt(3) * 0x1000000
  const high = bytes.charCodeAt(4) + bytes.charCodeAt(5) * 0x100 + (bytes.charCodeAt(6) & 0x0f) * 0x10000
  // An odd factor sends different parts to different numbers.
  return high * 0x1_0000_0000 + ((low ^ Math.imul(part, 0x9e37_79b1)) >>> 0)
}
