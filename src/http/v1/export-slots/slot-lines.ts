// Hot path

import type { SnapshotChunk } from '../../../slot-index/snapshot-chunk.ts'
import type { SnapshotReader } from '../../../slot-index/snapshot-reader.ts'
import { PieceMemory } from './chunk-buffer.ts'
import { CutPieces } from './snapshot-chunks.ts'

/** About 100 kB, and a tenth of a millisecond. */
const ROWS_MAX = 256
const LINE_FEED = 0x0a

/** The slots of a cut as NDJSON: each as it stands in `slots[]`, one a line. */
export class SlotLines extends CutPieces {
  readonly #memory = new PieceMemory()

  constructor(cut: SnapshotReader) {
    super(cut, ROWS_MAX)
  }

  protected override write({ segments, starts, lengths, count, byteLength }: SnapshotChunk): Buffer {
    const memory = this.#memory.ofLength(byteLength + count)
    let end = 0
    for (let n = 0; n < count * 2; n++) {
      const start = starts[n]
      segments[n].copy(memory, end, start, start + lengths[n])
      end += lengths[n]
      if ((n & 1) === 1) memory[end++] = LINE_FEED
    }
    return memory.subarray(0, end)
  }
}
