// Hot path

/** A set of numbers below `size`: one bit for each. */
export class BitSet {
  readonly #bits: Uint8Array

  constructor(size: number) {
    this.#bits = new Uint8Array((size + 7) >>> 3)
  }

  has(number: number): boolean {
    return (this.#bits[number >>> 3] & (1 << (number & 7))) !== 0
  }

  add(number: number): void {
    this.#bits[number >>> 3] |= 1 << (number & 7)
  }
}
