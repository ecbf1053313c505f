// Hot path
import type { Offering } from '../../../slot/slot.ts'
import type { SnapshotChunk } from '../../../slot-index/snapshot-chunk.ts'

/** What is remembered takes this much at most: of about 50,000 offerings. Others are written anew each time. */
const BYTES_MAX = 16 * 1024 * 1024

/** What slots of one offering share in some form, written once and copied for each; good for one cut. */
export class OfferingMemo {
  /** For the slots of the piece that was gathered last, what their offerings say. */
  readonly found: Buffer[]
  readonly #write: (offering: Offering) => string
  /** By the offering's number. */
  readonly #remembered: Buffer[] = []
  #bytes = 0

  constructor(rowsMax: number, write: (offering: Offering) => string) {
    this.found = new Array(rowsMax).fill(NOTHING)
    this.#write = write
  }

  /** Looks up the offerings of a piece's slots. Returns how many bytes they say together. */
  gather(piece: SnapshotChunk): number {
    const { count, offerings } = piece
    let bytes = 0
    for (let n = 0; n < count; n++) {
      const said = this.#remembered[offerings[n]] ?? this.#encode(piece, n)
      this.found[n] = said
      bytes += said.length
    }
    return bytes
  }

  #encode({ segments, starts, lengths, offerings }: SnapshotChunk, n: number): Buffer {
    const start = starts[n * 2 + 1]
    // After its comma it lacks nothing but the opening brace.
    const json = segments[n * 2 + 1].toString('utf8', start + 1, start + lengths[n * 2 + 1])
    const said = Buffer.from(this.#write(JSON.parse(`{${json}`) as Offering))
    if (this.#bytes + said.length <= BYTES_MAX) {
      this.#bytes += said.length
      this.#remembered[offerings[n]] = said
    }
    return said
  }
}

const NOTHING = Buffer.alloc(0)
