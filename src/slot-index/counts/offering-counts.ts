// Hot path

import { lowestBit } from '../../lib/bits.ts'
import type { Steps } from '../../lib/steps.ts'
import type { Candidates } from '../matching/filter-plan.ts'
import type { SlotMatches } from '../matching/slot-matches.ts'
import { countBits } from '../offerings/term-bitmaps.ts'
import type { Run } from '../runs/run.ts'
import { RUN_ROWS_MAX } from '../runs/run-layout.ts'

/** Number of rows per offering. */
export interface OfferingCounts {
  /** Memory that they take, in words of four bytes. */
  readonly weight: number
  /** The offerings that have rows, as many at a time as are read in some 50 microseconds. */
  blocks(): Generator<CountedBlock>
}

/** Offerings and their numbers of rows: the first `length` of two columns, which are valid until the next block is requested. */
export interface CountedBlock {
  readonly length: number
  readonly offerings: Uint32Array
  readonly counts: Uint32Array
}

const BLOCK_LENGTH = 16_384

/** The counts of some offerings, in columns. */
class ListedCounts implements OfferingCounts {
  readonly #offerings: Uint32Array
  readonly #counts: Uint32Array

  constructor(offerings: Uint32Array, counts: Uint32Array) {
    this.#offerings = offerings
    this.#counts = counts
  }

  get weight(): number {
    return 2 * this.#offerings.length
  }

  *blocks(): Generator<CountedBlock> {
    for (let from = 0; from < this.#offerings.length; from += BLOCK_LENGTH) {
      const offerings = this.#offerings.subarray(from, from + BLOCK_LENGTH)
      const counts = this.#counts.subarray(from, from + BLOCK_LENGTH)
      yield { length: offerings.length, offerings, counts }
    }
  }
}

/** The counts of those offerings whose bit is set, or of all, read from the counts of all. */
class SelectedCounts implements OfferingCounts {
  readonly #sums: Uint32Array
  readonly #bits: Uint32Array | undefined
  readonly #max: number

  /** `max`: so many bits are set, at most. */
  constructor(sums: Uint32Array, bits: Uint32Array | undefined, max: number) {
    this.#sums = sums
    this.#bits = bits
    this.#max = max
  }

  /** Without the bits, which belong to others. */
  get weight(): number {
    return this.#sums.length
  }

  *blocks(): Generator<CountedBlock> {
    // A copy writes one offering more than it keeps.
    const room = Math.min(BLOCK_LENGTH, this.#max) + 1
    const columns = { offerings: new Uint32Array(room), counts: new Uint32Array(room) }
    for (let from = 0; from < this.#sums.length; from += BLOCK_LENGTH) {
      const length =
        this.#bits === undefined
          ? copyCounted(this.#sums, from, columns)
          : copySelected(this.#sums, this.#bits, from, columns)
      yield { length, ...columns }
    }
  }
}

type Columns = Pick<CountedBlock, 'offerings' | 'counts'>

/** Copies the offerings of a block that have rows, and returns how many. Branchless, as `filterRows()`. */
function copyCounted(sums: Uint32Array, from: number, { offerings, counts }: Columns): number {
  const to = Math.min(sums.length, from + BLOCK_LENGTH)
  let length = 0
  for (let offering = from; offering < to; offering++) {
    const count = sums[offering]
    offerings[length] = offering
    counts[length] = count
    length += Number(count !== 0)
  }
  return length
}

/** The same for those whose bit is set. Offerings that have been added since the rows were counted have none. */
function copySelected(sums: Uint32Array, bits: Uint32Array, from: number, { offerings, counts }: Columns): number {
  const toWord = Math.min(bits.length, (from + BLOCK_LENGTH) >>> 5)
  let length = 0
  for (let word = from >>> 5; word < toWord; word++) {
    for (let left = bits[word]; left !== 0; left &= left - 1) {
      const offering = word * 32 + lowestBit(left)
      const count = offering < sums.length ? sums[offering] : 0
      offerings[length] = offering
      counts[length] = count
      length += Number(count !== 0)
    }
  }
  return length
}

/** The counts of those offerings whose bit is set; of all if `bits` is undefined. `sums`: number of rows by offering. */
export function* selectOfferings(sums: Uint32Array, bits: Uint32Array | undefined): Steps<OfferingCounts> {
  const few = bits === undefined ? sums.length : countBits(bits)
  const all = new SelectedCounts(sums, bits, few)
  return few < sums.length * SPARSE_SHARE ? yield* listCounts(all, few) : all
}

/** All offerings are read rather than a list of those that have rows. */
const SPARSE_SHARE = 1 / 8

/** `max`: at most so many offerings have rows. */
function* listCounts(counted: OfferingCounts, max: number): Steps<OfferingCounts> {
  const [offerings, counts] = [new Uint32Array(max), new Uint32Array(max)]
  let end = 0
  for (const block of counted.blocks()) {
    offerings.set(block.offerings.subarray(0, block.length), end)
    counts.set(block.counts.subarray(0, block.length), end)
    end += block.length
    yield
  }
  return new ListedCounts(offerings.slice(0, end), counts.slice(0, end))
}

/** Rows of offerings. */
export interface OfferingTotal {
  rows: number
  /** The offerings, up to one more than `LOOKED_UP_MAX`. */
  readonly few: number[]
}

/** The rows of so few offerings are looked up in each run, whatever the filters. */
export const LOOKED_UP_MAX = 128

/** Adds the rows of candidates. `sums`: number of rows by offering. */
export function* addTotal({ lists, tests }: Candidates, sums: Uint32Array, total: OfferingTotal): Steps<void> {
  for (const list of lists ?? []) {
    for (let from = 0; from < list.length; from += BLOCK_LENGTH) {
      if (from > 0) yield
      let left = list.subarray(from, from + BLOCK_LENGTH)
      for (const bits of tests) left = matching.subarray(0, keepMarked(left, bits))
      addRowsOf(left, sums, total)
    }
  }
  for (let from = 0; lists === undefined && from < sums.length; from += BLOCK_LENGTH) {
    if (from > 0) yield
    addRowsOf(matching.subarray(0, copyMarked(tests, from)), sums, total)
  }
}

/** Writes the offerings of a block that have all bits to `matching`, and returns how many. */
function copyMarked([first, ...others]: readonly Uint32Array[], from: number): number {
  const toWord = Math.min(first.length, (from + BLOCK_LENGTH) >>> 5)
  let length = 0
  for (let word = from >>> 5; word < toWord; word++) {
    let left = first[word]
    for (let n = 0; n < others.length; n++) left &= others[n][word]
    for (; left !== 0; left &= left - 1) matching[length++] = word * 32 + lowestBit(left)
  }
  return length
}

/** Keeps offerings that have a bit. Branchless, as `filterRows()`. */
function keepMarked(offerings: Uint32Array, bits: Uint32Array): number {
  let kept = 0
  for (let n = 0; n < offerings.length; n++) {
    const offering = offerings[n]
    matching[kept] = offering
    kept += (bits[offering >>> 5] >>> (offering & 31)) & 1
  }
  return kept
}

const matching = new Uint32Array(BLOCK_LENGTH)

function addRowsOf(offerings: Uint32Array, sums: Uint32Array, total: OfferingTotal): void {
  let rows = 0
  // Offerings that have been added since the rows were counted have none.
  for (let n = 0; n < offerings.length; n++) rows += offerings[n] < sums.length ? sums[offerings[n]] : 0
  total.rows += rows
  for (let n = 0; n < offerings.length && total.few.length <= LOOKED_UP_MAX; n++)
    if (sums[offerings[n]] > 0) total.few.push(offerings[n])
}

const rows = new Uint16Array(RUN_ROWS_MAX)

/** Counts matches one by one: some 3 ns each. `end`: exclusive upper bound of the offerings' numbers. */
export function* countMatches({ sequences, count }: SlotMatches, end: number): Steps<OfferingCounts> {
  const sums = new Uint32Array(end)
  const isSparse = count < end * SPARSE_SHARE
  const seen: number[] = []
  for (const { parts } of sequences) {
    for (const { matches } of parts) {
      const length = matches.copy(0, matches.count, rows)
      if (isSparse) addFewRows(matches.run, length, sums, seen)
      else addRows(matches.run, length, sums)
      yield
    }
  }
  if (!isSparse) return new SelectedCounts(sums, undefined, end)
  const offerings = Uint32Array.from(seen)
  return new ListedCounts(
    offerings,
    offerings.map((offering) => sums[offering]),
  )
}

function addRows({ parts: { offerings } }: Run, length: number, sums: Uint32Array): void {
  for (let n = 0; n < length; n++) sums[offerings[rows[n]]]++
}

/** Appends the offerings that had no rows to `seen`. */
function addFewRows({ parts: { offerings } }: Run, length: number, sums: Uint32Array, seen: number[]): void {
  for (let n = 0; n < length; n++) if (sums[offerings[rows[n]]]++ === 0) seen.push(offerings[rows[n]])
}
