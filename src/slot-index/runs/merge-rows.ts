// Hot path
import { Heap } from '../../lib/heap.ts'
import { runAtOnce } from '../../lib/steps.ts'
import type { SortedRows } from './build-run.ts'
import { lengthOfText } from './page-writer.ts'
import { ADDRESS, compareIds, RECORD_WORDS } from './row-record.ts'
import type { RowSubset } from './row-subset.ts'
import { type RowBlock, startMsIn } from './run.ts'
import type { SlotForm } from './slot-texts.ts'

/** Rows [from, to) of a block in order of (start, id), without the deleted ones. */
export interface BlockPart {
  readonly block: RowBlock
  readonly from: number
  readonly to: number
  readonly gone: RowSubset | undefined
}

/** Number of rows that are not deleted. */
export function liveRowsOf({ from, to, gone }: BlockPart): number {
  return to - from - (gone?.count(undefined, from, to) ?? 0)
}

/** Merges parts by (start, id) into pieces of nearly equal size, each of at most `rowsMax` rows. */
export function* mergeRows(
  parts: readonly BlockPart[],
  forms: readonly SlotForm[],
  rowsMax: number,
): Generator<SortedRows, void> {
  const total = parts.reduce((sum, part) => sum + liveRowsOf(part), 0)
  const pieces = Math.ceil(total / rowsMax)
  const cursors = parts.map((part) => new RowCursor(part)).filter(({ row }) => row !== -1)
  const rows = runAtOnce(Heap.of(cursors, (a, b) => a.isBefore(b)))
  for (let piece = 0; piece < pieces; piece++)
    yield take(rows, forms, Math.floor(((piece + 1) * total) / pieces) - Math.floor((piece * total) / pieces))
}

const TEXT_BYTES_USUAL = 16

function take(rows: Heap<RowCursor>, forms: readonly SlotForm[], count: number): SortedRows {
  const records = new Uint32Array(count * RECORD_WORDS)
  let arena: Buffer = Buffer.allocUnsafeSlow(count * TEXT_BYTES_USUAL)
  let arenaBytes = 0
  for (let row = 0; row < count; row++, advance(rows)) {
    const { block, row: from } = rows.first
    const length = lengthOfText(block, from, forms)
    if (arenaBytes + length > arena.length) arena = enlarged(arena, arenaBytes, length)
    const [at, source] = [row * RECORD_WORDS, from * RECORD_WORDS]
    for (let word = 0; word < ADDRESS; word++) records[at + word] = block.records[source + word]
    records[at + ADDRESS] = arenaBytes
    const text = block.records[source + ADDRESS]
    for (let n = 0; n < length; n++) arena[arenaBytes + n] = block.arena[text + n]
    arenaBytes += length
  }
  return { count, records, arena, arenaBytes }
}

function advance(rows: Heap<RowCursor>): void {
  rows.first.advance()
  if (rows.first.row === -1) rows.pop()
  else rows.reorderFirst()
}

function enlarged(arena: Buffer, used: number, bytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(arena.length * 2 + bytes)
  arena.copy(larger, 0, 0, used)
  return larger
}

/** Reads the rows of a part that are not deleted. */
class RowCursor {
  /** -1 behind the last. */
  row: number
  startMs = Number.NaN
  readonly block: RowBlock
  readonly #gone: RowSubset | undefined
  readonly #to: number

  constructor({ block, from, to, gone }: BlockPart) {
    this.block = block
    this.#gone = gone
    this.#to = to
    this.row = from - 1
    this.advance()
  }

  advance(): void {
    do this.row++
    while (this.row < this.#to && this.#gone?.has(this.row) === true)
    if (this.row >= this.#to) this.row = -1
    else this.startMs = startMsIn(this.block, this.row)
  }

  isBefore(other: RowCursor): boolean {
    if (this.startMs !== other.startMs) return this.startMs < other.startMs
    const [a, b] = [this.block.records, other.block.records]
    return compareIds(a, this.row * RECORD_WORDS, b, other.row * RECORD_WORDS) < 0
  }
}
