// Hot path

import { SnapshotChunk } from '../../../slot-index/snapshot-chunk.ts'
import type { SnapshotReader } from '../../../slot-index/snapshot-reader.ts'
import type { Pieces } from './chunks.ts'

/** The slots of a cut, piece by piece, in the form that a subclass writes. */
export abstract class CutPieces implements Pieces {
  readonly #cut: SnapshotReader
  readonly #piece: SnapshotChunk

  constructor(cut: SnapshotReader, rowsMax: number) {
    this.#cut = cut
    this.#piece = new SnapshotChunk(rowsMax)
  }

  get isOpen(): boolean {
    return this.#cut.isOpen
  }

  next(): Buffer | undefined {
    this.#cut.next(this.#piece)
    return this.#piece.count === 0 ? undefined : this.write(this.#piece)
  }

  close(): void {
    this.#cut.close()
  }

  /** The bytes of some slots, one at least; good until the next call. */
  protected abstract write(piece: SnapshotChunk): Buffer
}
