const BYTES_MIN = 128 * 1024

/** Memory that is used again for piece after piece, and grows with the largest. */
export class PieceMemory {
  #memory = Buffer.alloc(0)

  /** At least so many bytes, of any content. */
  ofLength(bytes: number): Buffer {
    if (this.#memory.length < bytes) this.#memory = Buffer.allocUnsafeSlow(Math.max(BYTES_MIN, bytes))
    return this.#memory
  }
}
