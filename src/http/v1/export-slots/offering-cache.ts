import type { Offering } from '../../../slot/slot.ts'
import type { SnapshotChunk } from '../../../slot-index/snapshots/snapshot-chunk.ts'

/** Of about 50,000 offerings. Others are encoded each time. */
const BYTES_MAX = 16 * 1024 * 1024
const PLACES_MIN = 1024

/** The encoded offerings of one snapshot: each is encoded once and copied for its slots. */
export class OfferingCache {
  /** The encoded offerings of the slots of the last gathered chunk. */
  readonly gathered: Buffer[]
  readonly #encodeOffering: (offering: Offering) => string
  readonly #cached: Buffer[] = []
  /** By the number of the offering: one more than its place in `#cached`. An array with gaps would be rebuilt as it grows, in 10 ms. */
  #places = new Uint32Array(PLACES_MIN)
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
      const place = this.#places[offerings[n]] ?? 0
      const encoded = place === 0 ? this.#encode(chunk, n) : this.#cached[place - 1]
      this.gathered[n] = encoded
      bytes += encoded.length
    }
    return bytes
  }

  #encode(chunk: SnapshotChunk, n: number): Buffer {
    const encoded = Buffer.from(this.#encodeOffering(chunk.offeringOf(n)))
    if (this.#bytes + encoded.length <= BYTES_MAX) {
      this.#bytes += encoded.length
      this.#setPlace(chunk.offerings[n], this.#cached.push(encoded))
    }
    return encoded
  }

  #setPlace(offering: number, place: number): void {
    if (offering >= this.#places.length) {
      const places = new Uint32Array(Math.max(offering + 1, this.#places.length * 2))
      places.set(this.#places)
      this.#places = places
    }
    this.#places[offering] = place
  }
}
