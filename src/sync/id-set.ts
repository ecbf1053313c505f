// Hot path

/**
 * Slot ids that a first sync has drafted, by the first 50 of their 120 bits: 12 to 24 bytes an id instead of a string.
 *
 * Two ids of 1,000,000 that share these bits have a probability of 1 in 2,000, so "perhaps" is rare, and whoever gets
 * it as the answer asks the store.
 */
export class IdSet {
  /** Open addressing; 0 is an empty place. */
  #places = new Float64Array(1024)
  #count = 0

  /** Adds an id of `slotId()`. True if it was certainly not there, false if perhaps it was. */
  add(id: string): boolean {
    const bits = firstBits(id)
    const at = findPlace(this.#places, bits)
    if (this.#places[at] === bits) return false
    this.#places[at] = bits
    this.#count++
    if (this.#count * 3 > this.#places.length * 2) this.#grow()
    return true
  }

  #grow(): void {
    const places = new Float64Array(this.#places.length * 2)
    for (const bits of this.#places) if (bits !== 0) places[findPlace(places, bits)] = bits
    this.#places = places
  }
}

/** Ten characters of base32hex as an integer from 1 to 2^50. */
function firstBits(id: string): number {
  return fiveCharacters(id, 0) * 33_554_432 + fiveCharacters(id, 5) + 1
}

function fiveCharacters(id: string, from: number): number {
  let bits = 0
  for (let at = from; at < from + 5; at++) {
    const code = id.charCodeAt(at)
    bits = bits * 32 + (code < 58 ? code - 48 : code - 87)
  }
  return bits
}

/** Where these bits stand, or the empty place where they belong. Ids are hashes, so their bits are spread already. */
function findPlace(places: Float64Array, bits: number): number {
  const mask = places.length - 1
  let at = ((bits | 0) ^ (bits / 8_388_608)) & mask
  while (places[at] !== 0 && places[at] !== bits) at = (at + 1) & mask
  return at
}
