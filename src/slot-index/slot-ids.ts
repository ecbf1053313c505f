/** Characters of an id: base32hex, so 120 bits. */
export const ID_LENGTH = 24
const ID_WORDS = 4
const WORD_LENGTH = ID_LENGTH / ID_WORDS
const DIGITS = '0123456789abcdefghijklmnopqrstuv'
/** By character code. */
const CODES = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, DIGITS.indexOf(String.fromCharCode(code))))

/** Writes the id at `at` in a text as four words of 30 bits. Their order is that of the text. */
export function writeIdBits(text: Uint8Array, at: number, bits: Uint32Array): void {
  for (let word = 0; word < ID_WORDS; word++) {
    let value = 0
    const from = at + word * WORD_LENGTH
    for (let n = from; n < from + WORD_LENGTH; n++) value = (value << 5) | CODES[text[n] & 127]
    bits[word] = value
  }
}

/** Whether a text has an id at `at`. */
export function isIdAt(text: string, at: number): boolean {
  for (let n = at; n < at + ID_LENGTH; n++) {
    const code = text.charCodeAt(n)
    // Only `0` has the code 0, too.
    if (code !== ZERO && !(CODES[code] > 0)) return false
  }
  return true
}

const ZERO = 48

export function idBitsOf(id: string): Uint32Array {
  const bits = new Uint32Array(ID_WORDS)
  writeIdBits(Buffer.from(id, 'latin1'), 0, bits)
  return bits
}

/** The inverse of `idBitsOf()`. */
export function idTextOf(bits: ArrayLike<number>): string {
  let id = ''
  for (let word = 0; word < ID_WORDS; word++)
    for (let shift = 25; shift >= 0; shift -= 5) id += DIGITS[(bits[word] >>> shift) & 31]
  return id
}

/** The bits of the id behind an id; undefined behind the last. */
export function idBitsAfter(bits: Uint32Array): Uint32Array | undefined {
  const next = bits.slice()
  for (let word = ID_WORDS - 1; word >= 0; word--) {
    if (next[word] < WORD_MAX) {
      next[word]++
      return next
    }
    next[word] = 0
  }
  return undefined
}

const WORD_MAX = 2 ** 30 - 1
