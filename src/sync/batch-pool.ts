/** A batch of 4,000 slots fits in. */
const PIECE_BYTES = 2 * 1024 * 1024
/** As many as are ever on their way. */
const PIECES_MAX = 8

/** Memory for batches, given out and taken back: what threads hand to each other and let go does not return to the system. */
export class BatchMemory {
  readonly #pieces: ArrayBuffer[] = []

  /** At least so many bytes, of any content. */
  take(bytes: number): ArrayBuffer {
    if (bytes > PIECE_BYTES) return new ArrayBuffer(bytes)
    return this.#pieces.pop() ?? new ArrayBuffer(PIECE_BYTES)
  }

  giveBack(memory: ArrayBuffer): void {
    if (memory.byteLength === PIECE_BYTES && this.#pieces.length < PIECES_MAX) this.#pieces.push(memory)
  }
}
