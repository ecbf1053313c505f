import type { Offering } from '../../../slot/slot.ts'
import type { SnapshotChunk } from '../../../slot-index/snapshot-chunk.ts'

/** Of about 50,000 offerings. Others are encoded each time. */
const BYTES_MAX = 16 * 1024 * 1024

/** The encoded offerings of one snapshot: each is encoded once and copied for its slots. */
export class OfferingCache {
  /** The encoded offerings of the slots of the last gathered chunk. */
  readonly gathered: Buffer[]
  readonly #encodeOffering: (offering: Offering) => string
  /** By the number of the offering. */
  readonly #cached: Buffer[] = []
  #bytes = 0

  constructor(rowsMax: number, encodeOffering: (offering: Offering) => string) {
    this.gathered = new Array(rowsMax).fill(Buffer.alloc(0))
    this.#encodeOffering = encodeOffering
  }

  /** Looks up the offerings of a chunk's slots. Returns the sum of their lengths. */
  gather(chunk: SnapshotChunk): number {
    const { count, offerings } = chunk
    let bytes = 0
    for (let n = 0; n < count; n++) {
      const encoded = this.#cached[offerings[n]] ?? this.#encode(chunk, n)
      this.gathered[n] = encoded
      bytes += encoded.length
    }
    return bytes
  }

  #encode(chunk: SnapshotChunk, n: number): Buffer {
    const encoded = Buffer.from(this.#encodeOffering(chunk.offeringOf(n)))
    if (this.#bytes + encoded.length <= BYTES_MAX) {
      this.#bytes += encoded.length
      this.#cached[chunk.offerings[n]] = encoded
    }
    return encoded
  }
}
