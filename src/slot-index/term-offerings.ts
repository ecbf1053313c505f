// Hot path

/** The offerings that have each term, by the term's number: ascending lists that only grow. */
export class TermOfferings {
  readonly #lists: Uint32Array[] = []
  readonly #lengths: number[] = []

  /** `offering`: greater than all before. */
  add(term: number, offering: number): void {
    while (this.#lists.length <= term) {
      this.#lists.push(NO_OFFERINGS)
      this.#lengths.push(0)
    }
    const length = this.#lengths[term]++
    if (length === this.#lists[term].length) this.#lists[term] = enlarged(this.#lists[term])
    this.#lists[term][length] = offering
  }

  countOf(term: number): number {
    return this.#lengths[term] ?? 0
  }

  of(term: number): Uint32Array {
    return term < this.#lists.length ? this.#lists[term].subarray(0, this.#lengths[term]) : NO_OFFERINGS
  }
}

const NO_OFFERINGS = new Uint32Array(0)

/** By a quarter: there are some twenty entries per offering, in each thread. */
function enlarged(list: Uint32Array): Uint32Array {
  const larger = new Uint32Array(list.length + (list.length >>> 2) + 4)
  larger.set(list)
  return larger
}
