/** Pseudorandom numbers, the same for the same seed (mulberry32). */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** An integer from 0 to below `sides`. */
  below(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides)
  }

  /** True with a probability of one in `times`. */
  once(inTimes: number): boolean {
    return this.below(inTimes) === 0
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]
  }
}
