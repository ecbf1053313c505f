// Hot path
import type { Offering } from '../../slot/slot.ts'
import type { Cut } from '../../slot-index/cut.ts'
import { CutPiece } from '../../slot-index/cut-piece.ts'
import { PieceMemory } from './piece-memory.ts'
import type { Pieces } from './pieces.ts'
import { COLUMNS, sharedCells } from './slot-columns.ts'
import { writeOwnCells } from './write-own-cells.ts'

/** About 80 kB, and as long as a piece of NDJSON takes; longer at the beginning, while offerings are new. */
const ROWS_MAX = 128
/** What is remembered of offerings takes this much at most: about 50,000 of them. Others are written anew each time. */
const CELLS_BYTES_MAX = 16 * 1024 * 1024

/**
 * The slots of a cut as CSV (RFC 4180): a line of headers, then one a slot. What an offering says is written once, and
 * copied for each of its slots.
 */
export class SlotTable implements Pieces {
  readonly #cut: Cut
  readonly #piece = new CutPiece(ROWS_MAX)
  readonly #memory = new PieceMemory()
  /** By the offering's number. */
  readonly #cells: Buffer[] = []
  #cellsBytes = 0
  /** Of the piece at hand. */
  readonly #tails: Buffer[] = new Array(ROWS_MAX).fill(NOTHING)
  #hasBegun = false

  constructor(cut: Cut) {
    this.#cut = cut
  }

  get isOpen(): boolean {
    return this.#cut.isOpen
  }

  next(): Buffer | undefined {
    if (!this.#hasBegun) {
      this.#hasBegun = true
      return Buffer.from(`${COLUMNS.join(',')}\r\n`)
    }
    const piece = this.#piece
    this.#cut.next(piece)
    if (piece.count === 0) return undefined
    const { segments, starts, lengths, count } = piece
    // A slot's own cells are shorter than its JSON, or as long, where all of its link comes in quotes twice.
    const memory = this.#memory.ofLength(piece.byteLength * 2 + this.#gatherTails())
    let end = 0
    for (let n = 0; n < count; n++) {
      const start = starts[n * 2]
      end = writeOwnCells(segments[n * 2], start, start + lengths[n * 2], { memory, at: end })
      const tail = this.#tails[n]
      tail.copy(memory, end)
      end += tail.length
    }
    return memory.subarray(0, end)
  }

  close(): void {
    this.#cut.close()
  }

  /** Finds what the offerings of a piece say. Returns how many bytes that is. */
  #gatherTails(): number {
    const { count, offerings } = this.#piece
    let bytes = 0
    for (let n = 0; n < count; n++) {
      const tail = this.#cells[offerings[n]] ?? this.#encode(n)
      this.#tails[n] = tail
      bytes += tail.length
    }
    return bytes
  }

  #encode(n: number): Buffer {
    const { segments, starts, lengths, offerings } = this.#piece
    const start = starts[n * 2 + 1]
    // After its comma it lacks nothing but the opening brace.
    const json = segments[n * 2 + 1].toString('utf8', start + 1, start + lengths[n * 2 + 1])
    const cells = Buffer.from(sharedCells(JSON.parse(`{${json}`) as Offering))
    if (this.#cellsBytes + cells.length <= CELLS_BYTES_MAX) {
      this.#cellsBytes += cells.length
      this.#cells[offerings[n]] = cells
    }
    return cells
  }
}

const NOTHING = Buffer.alloc(0)
