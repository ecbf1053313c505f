/** Room at first. A power of two. */
const ROOM_MIN = 1024

/**
 * Which slot ids there were: 16 to 32 bytes each, outside the heap's objects, for as many as a file may hold.
 *
 *     high    Float64   the first 50 bits of the id, and 1: 0 marks a free place
 *     low     Uint32    the next 30 bits
 *
 * 80 bits of a hash: of a hundred million slots, two are taken for one with a probability below 10^-8.
 */
export class IdSet {
  #high = new Float64Array(ROOM_MIN)
  #low = new Uint32Array(ROOM_MIN)
  #size = 0

  /** False if it was there before. */
  add(id: string): boolean {
    if (this.#size * 2 >= this.#high.length) this.#grow()
    const isNew = this.#insert(bitsOf(id, 0, 10) + 1, bitsOf(id, 10, 16))
    if (isNew) this.#size++
    return isNew
  }

  #insert(high: number, low: number): boolean {
    const mask = this.#high.length - 1
    let place = low & mask
    for (; this.#high[place] !== 0; place = (place + 1) & mask) {
      if (this.#high[place] === high && this.#low[place] === low) return false
    }
    this.#high[place] = high
    this.#low[place] = low
    return true
  }

  #grow(): void {
    const [high, low] = [this.#high, this.#low]
    this.#high = new Float64Array(high.length * 2)
    this.#low = new Uint32Array(high.length * 2)
    for (let place = 0; place < high.length; place++) {
      if (high[place] !== 0) this.#insert(high[place], low[place])
    }
  }
}

/** Five bits a character, as `slotId()` writes them. */
function bitsOf(id: string, from: number, to: number): number {
  let bits = 0
  for (let at = from; at < to; at++) bits = bits * 32 + ((id.charCodeAt(at) - 48) % 39)
  return bits
}
