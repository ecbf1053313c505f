// Hot path

/** Number of bits of a word that are set. */
export function popCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** The number of the lowest bit of a word that is set; one must be. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word)
}
