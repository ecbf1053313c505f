import fc from 'fast-check'

/** The surrogates are not characters. */
const [SURROGATE_MIN, SURROGATES] = [0xd800, 0x800]

/** Any Unicode character. For `unit: 'binary'`, fast-check lists a million characters first, which takes half a second. */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (n) => String.fromCodePoint(n < SURROGATE_MIN ? n : n + SURROGATES),
  (text) => {
    const point = typeof text === 'string' && [...text].length === 1 ? (text.codePointAt(0) ?? -1) : -1
    if (point === -1) throw new Error('It must be a character')
    return point < SURROGATE_MIN ? point : point - SURROGATES
  },
)
