// Hot path

/** Maps owners to addresses; updated when compaction moves bytes. */
export interface Owners {
  addressOf(owner: number): number
  moveTo(owner: number, address: number): void
}

const SEGMENT_BYTES = 4 * 1024 * 1024
/** Addresses are in units of 8 bytes, so that 32 bits reach 32 GiB. */
export const UNIT_BYTES = 8
export const SEGMENT_SHIFT = 19
export const SEGMENT_MASK = (1 << SEGMENT_SHIFT) - 1
/** Owner and length precede the bytes. */
export const HEADER_BYTES = 8
/** A reader may prefetch this far past an entry without leaving the segment. */
const MARGIN_BYTES = 512
/** Segments with a smaller share of live bytes are compacted. */
const LIVE_SHARE_MIN = 0.6

/**
 * An arena of byte strings outside the JavaScript heap, each with a 32-bit address.
 *
 *     segment   | owner length bytes…  pad | owner length bytes… pad | …      4 MiB; entries begin at multiples of 8
 *
 * put() and release() are O(1). Released entries stay as holes until compact() moves the live entries out of a segment
 * that is mostly holes. Segments have a fixed size, so growing never copies.
 */
export class ByteArena {
  readonly segments: Buffer[] = []
  /** The same memory as 32-bit words, for reading headers. */
  readonly words: Uint32Array[] = []
  readonly #usedBytes: number[] = []
  readonly #liveBytes: number[] = []
  readonly #emptied: number[] = []
  #current = -1

  /** Copies `source` [from, to), at most 4 MiB, and returns its address. */
  put(owner: number, source: Buffer, from: number, to: number): number {
    const bytes = entryBytes(to - from)
    const segment = this.#segmentWith(bytes)
    const at = this.#usedBytes[segment]
    const words = this.words[segment]
    words[at >>> 2] = owner
    words[(at >>> 2) + 1] = to - from
    source.copy(this.segments[segment], at + HEADER_BYTES, from, to)
    this.#usedBytes[segment] = at + bytes
    this.#liveBytes[segment] += bytes
    return ((segment << SEGMENT_SHIFT) | (at / UNIT_BYTES)) >>> 0
  }

  release(address: number): void {
    this.#liveBytes[address >>> SEGMENT_SHIFT] -= entryBytes(this.lengthAt(address))
  }

  lengthAt(address: number): number {
    return this.words[address >>> SEGMENT_SHIFT][(address & SEGMENT_MASK) * 2 + 1]
  }

  /** A view that is valid until the next change. */
  bytesAt(address: number): Buffer {
    const at = (address & SEGMENT_MASK) * UNIT_BYTES + HEADER_BYTES
    return this.segments[address >>> SEGMENT_SHIFT].subarray(at, at + this.lengthAt(address))
  }

  /** Moves live entries out of segments that are mostly holes. All addresses are valid between steps. */
  *compact(owners: Owners): Generator<void, void> {
    for (let segment = 0; segment < this.segments.length; segment++) {
      const used = this.#usedBytes[segment]
      if (segment === this.#current || used === 0) continue
      if (this.#liveBytes[segment] > used * LIVE_SHARE_MIN) continue
      yield* this.#empty(segment, owners)
    }
  }

  *#empty(segment: number, owners: Owners): Generator<void, void> {
    const words = this.words[segment]
    for (let at = 0; at < this.#usedBytes[segment]; ) {
      const owner = words[at >>> 2]
      const length = words[(at >>> 2) + 1]
      const address = ((segment << SEGMENT_SHIFT) | (at / UNIT_BYTES)) >>> 0
      if (owners.addressOf(owner) === address) {
        const from = at + HEADER_BYTES
        owners.moveTo(owner, this.put(owner, this.segments[segment], from, from + length))
      }
      at += entryBytes(length)
      yield
    }
    this.#usedBytes[segment] = 0
    this.#liveBytes[segment] = 0
    this.#emptied.push(segment)
  }

  #segmentWith(bytes: number): number {
    if (this.#current >= 0 && this.#usedBytes[this.#current] + bytes <= SEGMENT_BYTES) return this.#current
    this.#current = this.#emptied.pop() ?? this.#grow()
    return this.#current
  }

  #grow(): number {
    const segment = Buffer.allocUnsafeSlow(SEGMENT_BYTES + MARGIN_BYTES)
    this.words.push(new Uint32Array(segment.buffer, 0, segment.length / 4))
    this.#usedBytes.push(0)
    this.#liveBytes.push(0)
    return this.segments.push(segment) - 1
  }
}

function entryBytes(length: number): number {
  return (HEADER_BYTES + length + UNIT_BYTES - 1) & -UNIT_BYTES
}
