/** Counts by key, such as an address block. A key whose count is 0 takes no memory. */
export class KeyedCounts {
  readonly #counts = new Map<string, number>()

  countOf(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string): void {
    this.#counts.set(key, this.countOf(key) + 1)
  }

  remove(key: string): void {
    const left = this.countOf(key) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}
