import type { Steps } from '../../lib/steps.ts'
import { buildRun, type SortedRows } from './build-run.ts'
import type { RunContext } from './levels.ts'
import { mergeRows } from './merge-rows.ts'
import { RECORD_WORDS, START } from './row-record.ts'
import type { Run } from './run.ts'

/** Minutes of a record, from `from` to before `to`. */
export interface MinuteRange {
  readonly from: number
  readonly to: number
}

/** Every so many rows of a block are looked at. */
const SAMPLE_EVERY = 64
const MINUTES_END = 2 ** 32

/** Divides blocks of sorted rows by start, into ranges of about `rowsPerRange` rows; of more if those start at the same time. */
export function divideByStart(blocks: readonly SortedRows[], rowsPerRange: number): MinuteRange[] {
  const sample: number[] = []
  for (const { records, count } of blocks)
    for (let row = 0; row < count; row += SAMPLE_EVERY) sample.push(startIn(records, row))
  const starts = Uint32Array.from(sample).sort()
  const ranges = Math.ceil(blocks.reduce((rows, { count }) => rows + count, 0) / rowsPerRange)
  const bounds = new Set(Array.from({ length: ranges }, (_, n) => starts[Math.floor((n * starts.length) / ranges)]))
  const begins = [0, ...[...bounds].slice(1)]
  return begins.map((from, n) => ({ from, to: begins[n + 1] ?? MINUTES_END }))
}

/**
 * Divides blocks of sorted rows by start, into slices of about `rowsPerSlice` rows. Empties `blocks`, and yields after each: all records of
 * a slice are in one memory, which the system gets back when the slice is dropped. Few rows are one slice.
 */
export function* sliceByStart(blocks: SortedRows[], rowsPerSlice: number): Steps<SortedRows[][]> {
  const ranges = divideByStart(blocks, rowsPerSlice)
  if (ranges.length === 1) return [blocks.splice(0)]
  const slices = ranges.map((range) => new Slice(range, blocks))
  for (let block = blocks.pop(); block !== undefined; block = blocks.pop()) {
    for (const slice of slices) slice.add(block)
    yield
  }
  return slices.map(({ blocks }) => blocks)
}

/** The rows of a range of starts. */
class Slice {
  readonly blocks: SortedRows[] = []
  readonly #range: MinuteRange
  readonly #records: Uint32Array
  #length = 0

  constructor(range: MinuteRange, blocks: readonly SortedRows[]) {
    const rows = blocks.reduce((sum, block) => sum + rowAt(block, range.to) - rowAt(block, range.from), 0)
    this.#range = range
    this.#records = new Uint32Array(new SharedArrayBuffer(rows * RECORD_WORDS * 4))
  }

  /** Copies the records of a block; its texts stay where they are. */
  add(block: SortedRows): void {
    const [from, to] = [this.#range.from, this.#range.to].map((minute) => rowAt(block, minute))
    if (from === to) return
    const begin = this.#length
    this.#length += (to - from) * RECORD_WORDS
    this.#records.set(block.records.subarray(from * RECORD_WORDS, to * RECORD_WORDS), begin)
    this.blocks.push({ ...block, count: to - from, records: this.#records.subarray(begin, this.#length) })
  }
}

/** The runs of the rows of a range, in order. */
export function buildRange(
  blocks: readonly SortedRows[],
  { from, to }: MinuteRange,
  { groups, forms, limits }: RunContext,
): Run[] {
  const parts = blocks.map((block) => ({ block, from: rowAt(block, from), to: rowAt(block, to), gone: undefined }))
  return Array.from(mergeRows(parts, forms, limits.runRowsMax), (rows) => buildRun(rows, groups, forms))
}

/** The first row that does not start before a minute. */
function rowAt({ records, count }: SortedRows, minute: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (startIn(records, middle) < minute) low = middle + 1
    else high = middle
  }
  return low
}

function startIn(records: Uint32Array, row: number): number {
  return records[row * RECORD_WORDS + START]
}
