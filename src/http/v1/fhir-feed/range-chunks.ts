import type { ByteRange } from '../../byte-range.ts'
import type { ChunkSource } from '../export-slots/snapshot-chunks.ts'

const NOTHING = Buffer.alloc(0)

/** The bytes of a range of a response. What precedes it is written and dropped, at the cost of sending it. */
export class RangeChunks implements ChunkSource {
  readonly #chunks: ChunkSource
  readonly #range: ByteRange
  #at = 0

  constructor(chunks: ChunkSource, range: ByteRange) {
    this.#chunks = chunks
    this.#range = range
  }

  get isOpen(): boolean {
    return this.#chunks.isOpen
  }

  next(): Buffer | undefined {
    const { from, to } = this.#range
    const chunk = this.#at >= to ? undefined : this.#chunks.next()
    if (chunk === undefined) return undefined
    const begin = this.#at
    this.#at += chunk.length
    return this.#at <= from ? NOTHING : chunk.subarray(Math.max(0, from - begin), to - begin)
  }

  close(): void {
    this.#chunks.close()
  }
}
