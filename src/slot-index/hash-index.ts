// Hot path

/** A power of two: sorted at once, in some 300 microseconds. */
const CHUNK = 4096

/** Numbers of entries by 32-bit hash: chunks that are sorted when they are full, each searched by itself. */
export class HashIndex {
  /** By chunk, ascending: hash * CHUNK + place of the entry in the chunk. */
  readonly #chunks: Float64Array[] = []
  #last = new Float64Array(CHUNK)
  #lastLength = 0

  get length(): number {
    return this.#chunks.length * CHUNK + this.#lastLength
  }

  /** Adds the next entry. */
  add(hash: number): void {
    this.#last[this.#lastLength] = hash * CHUNK + this.#lastLength
    if (++this.#lastLength < CHUNK) return
    this.#chunks.push(this.#last.sort())
    this.#last = new Float64Array(CHUNK)
    this.#lastLength = 0
  }

  /** The entries with a hash, ascending. */
  find(hash: number): number[] {
    const found: number[] = []
    for (const [n, chunk] of this.#chunks.entries())
      for (let at = placeFrom(chunk, hash * CHUNK); at < CHUNK && chunk[at] < (hash + 1) * CHUNK; at++)
        found.push(n * CHUNK + chunk[at] - hash * CHUNK)
    for (let at = 0; at < this.#lastLength; at++)
      if (Math.floor(this.#last[at] / CHUNK) === hash) found.push(this.#chunks.length * CHUNK + at)
    return found
  }
}

/** The place of the first number that is not below a value. */
function placeFrom(chunk: Float64Array, value: number): number {
  let low = 0
  let high = CHUNK
  while (low < high) {
    const middle = (low + high) >>> 1
    if (chunk[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}
