// Hot path
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
  const rows = new RowHeap(parts)
  for (let piece = 0; piece < pieces; piece++)
    yield take(rows, forms, Math.floor(((piece + 1) * total) / pieces) - Math.floor((piece * total) / pieces))
}

const TEXT_BYTES_USUAL = 16

function take(rows: RowHeap, forms: readonly SlotForm[], count: number): SortedRows {
  const records = new Uint32Array(count * RECORD_WORDS)
  let arena: Buffer = Buffer.allocUnsafeSlow(count * TEXT_BYTES_USUAL)
  let arenaBytes = 0
  for (let row = 0; row < count; row++, rows.advance()) {
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

function enlarged(arena: Buffer, used: number, bytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(arena.length * 2 + bytes)
  arena.copy(larger, 0, 0, used)
  return larger
}

/** A binary heap of the next rows of all parts. */
class RowHeap {
  readonly #cursors: RowCursor[]

  constructor(parts: readonly BlockPart[]) {
    this.#cursors = parts.map((part) => new RowCursor(part)).filter(({ row }) => row !== -1)
    for (let n = (this.#cursors.length >>> 1) - 1; n >= 0; n--) this.#sink(n)
  }

  get first(): RowCursor {
    return this.#cursors[0]
  }

  advance(): void {
    this.first.advance()
    if (this.first.row === -1) {
      const last = this.#cursors.pop()
      if (this.#cursors.length === 0 || last === undefined) return
      this.#cursors[0] = last
    }
    this.#sink(0)
  }

  #sink(from: number): void {
    const cursors = this.#cursors
    for (let at = from; ; ) {
      let least = at
      for (let child = at * 2 + 1; child <= at * 2 + 2 && child < cursors.length; child++)
        if (cursors[child].isBefore(cursors[least])) least = child
      if (least === at) return
      const moved = cursors[at]
      cursors[at] = cursors[least]
      cursors[least] = moved
      at = least
    }
  }
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
