import { hash } from 'node:crypto'

/** Room at first. A power of two. */
const ROOM_MIN = 1024

/**
 * Which ids were met, told apart by their hashes: 24 to 48 bytes each, outside the heap's objects.
 *
 *     high    Float64   the first 48 bits of the hash, and 1: 0 marks a free place
 *     low     Uint32    the next 32 bits
 *
 * 80 bits: of a hundred million ids, two are taken for one with a probability below 10^-8. Once it is full it takes no more, and says of
 * every new id that it was not met.
 */
export class IdSet {
  readonly #max: number
  #high = new Float64Array(ROOM_MIN)
  #low = new Uint32Array(ROOM_MIN)
  #size = 0
  #isOverfull = false

  /** `max`: how many it takes. */
  constructor(max = Number.POSITIVE_INFINITY) {
    this.#max = max
  }

  /** True once an id came that could not be taken: from then on new ids are not told apart. */
  get isOverfull(): boolean {
    return this.#isOverfull
  }

  /** False if it was there before. */
  add(id: string): boolean {
    const bytes = hash('sha256', id, 'buffer')
    const high = bytes.readUIntBE(0, 6) + 1
    const low = bytes.readUInt32BE(6)
    const place = this.#placeOf(high, low)
    if (this.#high[place] !== 0) return false
    if (this.#size >= this.#max) {
      this.#isOverfull = true
      return true
    }
    this.#high[place] = high
    this.#low[place] = low
    this.#size++
    if (this.#size * 2 > this.#high.length) this.#grow()
    return true
  }

  /** Where it is, or where it belongs. */
  #placeOf(high: number, low: number): number {
    const mask = this.#high.length - 1
    let place = low & mask
    while (this.#high[place] !== 0 && (this.#high[place] !== high || this.#low[place] !== low))
      place = (place + 1) & mask
    return place
  }

  #grow(): void {
    const [high, low] = [this.#high, this.#low]
    this.#high = new Float64Array(high.length * 2)
    this.#low = new Uint32Array(high.length * 2)
    for (let at = 0; at < high.length; at++) {
      if (high[at] === 0) continue
      const place = this.#placeOf(high[at], low[at])
      this.#high[place] = high[at]
      this.#low[place] = low[at]
    }
  }
}
