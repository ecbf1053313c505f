// Hot path

import type { SnapshotChunk } from '../../../slot-index/snapshot-chunk.ts'
import type { SnapshotReader } from '../../../slot-index/snapshot-reader.ts'
import { PieceMemory } from './chunk-buffer.ts'
import { OfferingMemo } from './offering-cache.ts'
import { OwnJson } from './own-json.ts'
import { COLUMNS, sharedCells } from './slot-columns.ts'
import { CutPieces } from './snapshot-chunks.ts'
import { writeOwnCells } from './write-own-cells.ts'

/** About 80 kB, and as long as a piece of NDJSON takes; longer at the beginning, while offerings are new. */
const ROWS_MAX = 128

/**
 * The slots of a cut as CSV (RFC 4180): a line of headers, then one a slot. What an offering says is written once, and
 * copied for each of its slots.
 */
export class SlotTable extends CutPieces {
  readonly #memory = new PieceMemory()
  readonly #tails = new OfferingMemo(ROWS_MAX, sharedCells)
  readonly #own = new OwnJson()
  #hasBegun = false

  constructor(cut: SnapshotReader) {
    super(cut, ROWS_MAX)
  }

  override next(): Buffer | undefined {
    if (this.#hasBegun) return super.next()
    this.#hasBegun = true
    return Buffer.from(`${COLUMNS.join(',')}\r\n`)
  }

  protected override write(piece: SnapshotChunk): Buffer {
    const { segments, starts, lengths, count } = piece
    // A slot's own cells are shorter than its JSON, or as long, where all of its link comes in quotes twice.
    const memory = this.#memory.ofLength(piece.byteLength * 2 + this.#tails.gather(piece))
    let end = 0
    for (let n = 0; n < count; n++) {
      const [segment, start] = [segments[n * 2], starts[n * 2]]
      this.#own.read(segment, start, start + lengths[n * 2])
      end = writeOwnCells(segment, this.#own, memory, end)
      const tail = this.#tails.found[n]
      tail.copy(memory, end)
      end += tail.length
    }
    return memory.subarray(0, end)
  }
}
