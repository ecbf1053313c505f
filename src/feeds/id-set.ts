import { hash } from 'node:crypto'

/** Initial capacity, a power of two. */
const CAPACITY_MIN = 1024

/**
 * A set of ids: an open-addressing hash table in typed arrays, 24 to 48 bytes per id.
 *
 *     high    Float64   the first 48 bits of the hash, plus 1: 0 marks a free entry
 *     low     Uint32    the next 32 bits
 *
 * 80 bits: among a hundred million ids, the probability of a collision is below 10^-8. Once the set is full, it adds no more
 * ids and reports every unknown id as new.
 */
export class IdSet {
  readonly #max: number
  #high = new Float64Array(CAPACITY_MIN)
  #low = new Uint32Array(CAPACITY_MIN)
  #size = 0
  #isOverfull = false

  /** `max`: maximum number of ids. */
  constructor(max = Number.POSITIVE_INFINITY) {
    this.#max = max
  }

  /** True once an id could not be added: from then on duplicates of new ids go unnoticed. */
  get isOverfull(): boolean {
    return this.#isOverfull
  }

  /** False if the id was added before. */
  add(id: string): boolean {
    const { high, low } = hashOf(id)
    const entry = this.#entryOf(high, low)
    if (this.#high[entry] !== 0) return false
    if (this.#size >= this.#max) {
      this.#isOverfull = true
      return true
    }
    this.#high[entry] = high
    this.#low[entry] = low
    this.#size++
    if (this.#size * 2 > this.#high.length) this.#grow()
    return true
  }

  /** True if the id was added. */
  has(id: string): boolean {
    const { high, low } = hashOf(id)
    return this.#high[this.#entryOf(high, low)] !== 0
  }

  /** The entry of the hash, or the free entry for it (linear probing). */
  #entryOf(high: number, low: number): number {
    const mask = this.#high.length - 1
    let entry = low & mask
    while (this.#high[entry] !== 0 && (this.#high[entry] !== high || this.#low[entry] !== low))
      entry = (entry + 1) & mask
    return entry
  }

  #grow(): void {
    const [high, low] = [this.#high, this.#low]
    this.#high = new Float64Array(high.length * 2)
    this.#low = new Uint32Array(high.length * 2)
    for (let at = 0; at < high.length; at++) {
      if (high[at] === 0) continue
      const entry = this.#entryOf(high[at], low[at])
      this.#high[entry] = high[at]
      this.#low[entry] = low[at]
    }
  }
}

function hashOf(id: string): { high: number; low: number } {
  const bytes = hash('sha256', id, 'buffer')
  return { high: bytes.readUIntBE(0, 6) + 1, low: bytes.readUInt32BE(6) }
}
