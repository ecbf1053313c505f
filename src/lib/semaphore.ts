/** Lets so many pieces of work run at once; the others wait, and are done in the order in which they came. */
export class Turns {
  readonly #atOnce: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Does the work when its turn has come; rejects with what it throws. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The turn goes from hand to hand, so that nobody comes in between.
      if (next === undefined) this.#running--
      else next()
    }
  }
}
