// Hot path
import { HEADER_BYTES, SEGMENT_MASK, SEGMENT_SHIFT, UNIT_BYTES } from './byte-arena.ts'
import type { IndexState } from './index-state.ts'
import type { PostingList } from './posting-list.ts'
import { ADDRESS, OFFERING_MASK, ROW_WORDS } from './slot-rows.ts'

/** Allocates memory for a page: at least `bytes` long, owned by the page. */
export type Allocate = (bytes: number) => Buffer

/** The rows [from, to) of a list that make the page, and the number of matching rows. */
export interface PageBounds {
  readonly from: number
  readonly to: number
  readonly total: number
}

const ROWS_MAX = 100
const COMMA = 0x2c
const LINE_WORDS = 16

/**
 * Assembles pages from encoded bytes: for each slot its own JSON, then its offering's.
 *
 * The bytes of consecutive slots are scattered, and each would be a cache miss. So a page is walked twice: first to
 * prefetch every cache line, with no dependency on the loaded values, so that the misses overlap; then to copy. Measured:
 * half the time of copying directly.
 */
export class PageCopier {
  readonly #state: IndexState
  readonly #rows = new Uint32Array(ROWS_MAX)
  readonly #addresses = new Uint32Array(ROWS_MAX * 2)
  readonly #lengths = new Uint32Array(ROWS_MAX * 2)
  /** The sum of the prefetched words, stored so that the prefetch is not optimized away. */
  touched = 0

  constructor(state: IndexState) {
    this.#state = state
  }

  /** Returns a page of at most 100 rows of a list. */
  page(list: PostingList, { from, to, total }: PageBounds, allocate: Allocate): Buffer {
    list.copy(from, to, this.#rows)
    const count = to - from
    const length = this.#touch(count)
    const tail = `],"total":${total}}`
    const page = allocate(HEAD.length + length + tail.length)
    HEAD.copy(page, 0)
    page.write(tail, this.#copy(count, page), 'latin1')
    return page
  }

  /** The JSON of one row's slot. */
  slot(row: number): Buffer {
    const { rows, offerings } = this.#state
    const shared = offerings.addresses[rows.offeringOf(row)]
    return Buffer.concat([rows.arena.bytesAt(rows.addressOf(row)), offerings.arena.bytesAt(shared)])
  }

  /** Looks up and prefetches the bytes of the page's rows. Returns their total length, commas included. */
  #touch(count: number): number {
    const { rows, offerings } = this.#state
    const { words } = rows
    const addresses = this.#addresses
    for (let n = 0; n < count; n++) {
      const at = this.#rows[n] * ROW_WORDS + ADDRESS
      addresses[n * 2] = words[at]
      addresses[n * 2 + 1] = offerings.addresses[words[at + 1] & OFFERING_MASK]
    }
    let length = Math.max(0, count - 1)
    let touched = 0
    for (let n = 0; n < count * 2; n++) {
      const address = addresses[n]
      const segment = ((n & 1) === 0 ? rows : offerings).arena.words[address >>> SEGMENT_SHIFT]
      const at = (address & SEGMENT_MASK) * 2
      const bytes = segment[at + 1]
      touched += segment[at + LINE_WORDS] + segment[at + 2 * LINE_WORDS] + segment[at + 3 * LINE_WORDS]
      this.#lengths[n] = bytes
      length += bytes
    }
    this.touched = touched | 0
    return length
  }

  /** Copies the prefetched bytes behind the head and returns the end. */
  #copy(count: number, page: Buffer): number {
    const own = this.#state.rows.arena.segments
    const shared = this.#state.offerings.arena.segments
    let end = HEAD.length
    for (let n = 0; n < count * 2; n++) {
      const address = this.#addresses[n]
      const segment = ((n & 1) === 0 ? own : shared)[address >>> SEGMENT_SHIFT]
      const at = (address & SEGMENT_MASK) * UNIT_BYTES + HEADER_BYTES
      if (n > 0 && (n & 1) === 0) page[end++] = COMMA
      segment.copy(page, end, at, at + this.#lengths[n])
      end += this.#lengths[n]
    }
    return end
  }
}

const HEAD = Buffer.from('{"slots":[')
