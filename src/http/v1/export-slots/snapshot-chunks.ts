import { SnapshotChunk } from '../../../slot-index/snapshots/snapshot-chunk.ts'
import type { SnapshotReader } from '../../../slot-index/snapshots/snapshot-reader.ts'

/** A response body in chunks, from memory that is reused for each chunk. */
export interface ChunkSource {
  /** False once its snapshot is closed: the response cannot be completed then. */
  readonly isOpen: boolean
  /** The next bytes, valid until the next call; empty to be called again, undefined at the end. Takes some tenths of a millisecond. */
  next(): Buffer | undefined
  /** Closes its snapshot. Idempotent. */
  close(): void
}

/** Encodes the slots of a snapshot chunk by chunk, in the format of a subclass. */
export abstract class SnapshotEncoder implements ChunkSource {
  readonly #reader: SnapshotReader
  readonly #chunk: SnapshotChunk

  constructor(reader: SnapshotReader, rowsMax: number) {
    this.#reader = reader
    this.#chunk = new SnapshotChunk(rowsMax)
  }

  get isOpen(): boolean {
    return this.#reader.isOpen
  }

  next(): Buffer | undefined {
    this.#reader.next(this.#chunk)
    return this.#chunk.count === 0 ? undefined : this.encode(this.#chunk)
  }

  close(): void {
    this.#reader.close()
  }

  /** The bytes of at least one slot, valid until the next call. */
  protected abstract encode(chunk: SnapshotChunk): Buffer
}

const BUFFER_BYTES_MIN = 128 * 1024

/** Memory that is reused for each chunk and grows to the size of the largest. */
export class ChunkBuffer {
  #memory = Buffer.alloc(0)

  /** At least `bytes` bytes with undefined content. */
  ofLength(bytes: number): Buffer {
    if (this.#memory.length < bytes) this.#memory = Buffer.allocUnsafeSlow(Math.max(BUFFER_BYTES_MIN, bytes))
    return this.#memory
  }
}
