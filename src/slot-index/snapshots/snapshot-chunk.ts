// Hot path
import type { Offering } from '../../slot/slot.ts'
import type { OfferingTable } from '../offerings/offering-table.ts'
import { byteBlock } from '../runs/byte-block.ts'
import type { PageWriter } from '../runs/page-writer.ts'
import type { Run } from '../runs/run.ts'

/** A chunk ends with the slot that reaches this many bytes. */
const BYTES_MAX = 192 * 1024
const LINE_FEED = 0x0a

/**
 * Consecutive slots of a query as NDJSON, read by `SnapshotReader.next()`. Its memory is used again for the next slots.
 *
 *     offering of the n-th slot                                    offerings[n]
 *     its own JSON, without the closing brace                      json [starts[2n], starts[2n+1])
 *     its offering's, from the comma to that brace, and a line feed  json [starts[2n+1], starts[2n+2])
 */
export class SnapshotChunk {
  count = 0
  readonly starts: Uint32Array
  /** Equal numbers are equal offerings while one reader is open. */
  readonly offerings: Uint32Array
  readonly #rowsMax: number
  #block = byteBlock(Buffer.alloc(0))
  #table: OfferingTable | undefined

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax
    this.starts = new Uint32Array(rowsMax * 2 + 1)
    this.offerings = new Uint32Array(rowsMax)
  }

  get json(): Buffer {
    return this.#block.bytes
  }

  /** Total length of all lines. */
  get byteLength(): number {
    return this.starts[this.count * 2]
  }

  get isFull(): boolean {
    return this.count === this.#rowsMax || this.byteLength >= BYTES_MAX
  }

  /** Empties the chunk. */
  begin(table: OfferingTable): void {
    this.count = 0
    this.starts[0] = 0
    this.#table = table
  }

  add(writer: PageWriter, run: Run, row: number): void {
    const n = this.count
    const begin = this.starts[n * 2]
    this.#reserve(begin, writer.sizeOf(run, row) + 1)
    const offering = run.offeringOf(row)
    const middle = writer.writeOwn(run, row, this.#block, begin)
    this.offerings[n] = offering
    this.starts[n * 2 + 1] = middle
    const end = this.#tableOf().json.copy(offering, this.json, middle)
    this.json[end] = LINE_FEED
    this.starts[n * 2 + 2] = end + 1
    this.count++
  }

  /** The offering of the n-th slot, with its details. */
  offeringOf(n: number): Offering {
    return this.#tableOf().offeringOf(this.offerings[n])
  }

  #reserve(used: number, bytes: number): void {
    if (used + bytes <= this.json.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(BYTES_MAX, used) * 2 + bytes)
    this.json.copy(larger, 0, 0, used)
    this.#block = byteBlock(larger)
  }

  #tableOf(): OfferingTable {
    if (this.#table === undefined) throw new Error('Cannot read the chunk: it was not filled')
    return this.#table
  }
}
