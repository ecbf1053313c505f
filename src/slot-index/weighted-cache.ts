// Hot path

/** In rows, parts, characters and other words of four bytes: about 16 MiB. */
const WEIGHT_MAX = 4 * 1024 * 1024
/** Fixed weight of an entry besides its value and its name, whose length callers control. */
const OVERHEAD_WEIGHT = 64

/** A FIFO cache of values by name, bounded by weight. */
export class WeightedCache<Value extends { readonly weight: number }> {
  readonly #cached = new Map<string, { readonly value: Value; weight: number }>()
  readonly #weightMax: number
  #weight = 0

  constructor(weightMax = WEIGHT_MAX) {
    this.#weightMax = weightMax
  }

  get size(): number {
    return this.#cached.size
  }

  find(name: string): Value | undefined {
    return this.#cached.get(name)?.value
  }

  delete(name: string): void {
    this.#weight -= this.#cached.get(name)?.weight ?? 0
    this.#cached.delete(name)
  }

  /** Two queries may have found the same in turns: the first value stays. Call it again if a value has become heavier. */
  add(name: string, value: Value): void {
    const entry = this.#cached.get(name) ?? { value, weight: 0 }
    this.#cached.set(name, entry)
    const weight = OVERHEAD_WEIGHT + name.length + entry.value.weight
    this.#weight += weight - entry.weight
    entry.weight = weight
    for (const [oldest, { weight: evicted }] of this.#cached) {
      if (this.#weight <= this.#weightMax) return
      this.#cached.delete(oldest)
      this.#weight -= evicted
    }
  }
}
