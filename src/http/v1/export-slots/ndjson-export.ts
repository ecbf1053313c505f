// Hot path
import type { SnapshotChunk } from '../../../slot-index/snapshot-chunk.ts'
import type { SnapshotReader } from '../../../slot-index/snapshot-reader.ts'
import { ChunkBuffer, SnapshotEncoder } from './snapshot-chunks.ts'

/** About 100 kB, and a tenth of a millisecond. */
const ROWS_MAX = 256
const LINE_FEED = 0x0a

/** Slots as NDJSON: each as in `slots[]`, one per line. */
export class NdjsonExport extends SnapshotEncoder {
  readonly #memory = new ChunkBuffer()

  constructor(reader: SnapshotReader) {
    super(reader, ROWS_MAX)
  }

  protected override encode({ segments, starts, lengths, count, byteLength }: SnapshotChunk): Buffer {
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
