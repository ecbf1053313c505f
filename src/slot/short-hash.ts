import { hash } from 'node:crypto'

/** RFC 4648, section 7, in lower case: sorts like the values. */
const ALPHABET = '0123456789abcdefghijklmnopqrstuv'

/** The two characters of each 10-bit value. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31))

/**
 * The first 120 bits of SHA-256 of a text, as 24 characters of base32hex. The probability of a collision among a billion texts is below
 * 10^-18.
 */
export function shortHash(text: string): string {
  // A binary string takes half the time of a Buffer.
  const bytes = hash('sha256', text, 'binary')
  let short = ''
  for (let at = 0; at < 15; at += 5) {
    const middle = bytes.charCodeAt(at + 2)
    const high = bytes.charCodeAt(at) * 65_536 + bytes.charCodeAt(at + 1) * 256 + middle
    const low = (middle & 0x0f) * 65_536 + bytes.charCodeAt(at + 3) * 256 + bytes.charCodeAt(at + 4)
    short += PAIRS[high >> 14] + PAIRS[(high >> 4) & 1023] + PAIRS[low >> 10] + PAIRS[low & 1023]
  }
  return short
}
