// Hot path
import { HEADER_BYTES, SEGMENT_MASK, SEGMENT_SHIFT, UNIT_BYTES } from './byte-arena.ts'
import type { IndexState } from './index-state.ts'
import { ADDRESS, ROW_WORDS } from './slot-rows.ts'

const LINE_WORDS = 16
/** A chunk ends with the slot that reaches this many bytes. */
const BYTES_MAX = 192 * 1024

/**
 * Consecutive slots of a list and the addresses of their bytes. Read it before the next change, which moves them.
 *
 *     n-th slot     rows[n]   offerings[n]
 *     its own JSON, without the closing brace            segments[2n]     starts[2n]     lengths[2n]
 *     its offering's, from the comma to that brace       segments[2n+1]   starts[2n+1]   lengths[2n+1]
 *
 * Scattered cache lines are prefetched before they are read, as in `PageCopier`.
 */
export class SnapshotChunk {
  count = 0
  /** Total length of all slots and offerings. */
  byteLength = 0
  readonly rows: Uint32Array
  /** Equal numbers are equal offerings while one reader is open. */
  readonly offerings: Uint32Array
  readonly segments: Buffer[]
  readonly starts: Uint32Array
  readonly lengths: Uint32Array
  /** Stored so that the prefetch is not optimized away. */
  touched = 0

  constructor(rowsMax: number) {
    this.rows = new Uint32Array(rowsMax)
    this.offerings = new Uint32Array(rowsMax)
    this.starts = new Uint32Array(rowsMax * 2)
    this.lengths = new Uint32Array(rowsMax * 2)
    this.segments = new Array(rowsMax * 2).fill(NOTHING)
  }

  /** Looks up the first `wanted` rows, fewer if they exceed `BYTES_MAX`, but at least one. */
  fill(state: IndexState, wanted: number): void {
    this.#find(state, wanted)
    const { rows, offerings } = state
    let byteLength = 0
    let touched = 0
    let count = 0
    for (; count < wanted && byteLength < BYTES_MAX; count++) {
      for (let n = count * 2; n < count * 2 + 2; n++) {
        const { arena } = (n & 1) === 0 ? rows : offerings
        const address = this.starts[n]
        const segment = address >>> SEGMENT_SHIFT
        const at = (address & SEGMENT_MASK) * 2
        const words = arena.words[segment]
        const length = words[at + 1]
        touched += words[at + LINE_WORDS] + words[at + 2 * LINE_WORDS]
        this.segments[n] = arena.segments[segment]
        this.starts[n] = (address & SEGMENT_MASK) * UNIT_BYTES + HEADER_BYTES
        this.lengths[n] = length
        byteLength += length
      }
    }
    this.count = count
    this.byteLength = byteLength
    this.touched = touched | 0
  }

  /** Stores the addresses of the rows and offerings. */
  #find({ rows, offerings }: IndexState, wanted: number): void {
    const { words } = rows
    for (let n = 0; n < wanted; n++) {
      const row = this.rows[n]
      const offering = rows.offeringOf(row)
      this.offerings[n] = offering
      this.starts[n * 2] = words[row * ROW_WORDS + ADDRESS]
      this.starts[n * 2 + 1] = offerings.addresses[offering]
    }
  }
}

const NOTHING = Buffer.alloc(0)
