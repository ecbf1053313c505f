// Hot path
import type { Steps } from '../../lib/steps.ts'
import type { Position } from '../../slot/cursor.ts'
import { compareIds, RECORD_WORDS } from '../runs/row-record.ts'
import type { RowKey, Run } from '../runs/run.ts'
import { idBitsAfter, idBitsOf } from '../slot-ids.ts'
import { type MatchSequence, SequenceCursor } from './match-sequence.ts'
import { ranksNear } from './rank-selection.ts'

/** Rows in an order. */
export interface OrderedMatches {
  readonly count: number
  /** Memory that they take, in words of four bytes. */
  readonly weight: number
  /** Number of matches up to and including a position, whose slot may be gone. */
  countThrough(position: Position): number
  /** Does what `countThrough()` would do without a pause. */
  prepareCount?(position: Position): Steps<void>
  /** Does what reading matches [from, from + count) would do without a pause. */
  prepare?(from: number, count: number): Steps<void>
  /** Reads matches from the n-th on. `expected`: no more will be read. */
  read(from: number, expected: number): RowReader
}

/** Reads rows one by one. */
export interface RowReader {
  /** Moves to the next row; false behind the last. */
  next(): boolean
  /** Those of the row. Valid after `next()` has returned true. */
  readonly run: Run
  readonly row: number
}

/** The matches of several sequences in order of (start, id). */
export class SlotMatches implements OrderedMatches {
  readonly count: number
  readonly sequences: readonly MatchSequence[]

  constructor(sequences: readonly MatchSequence[]) {
    this.sequences = sequences
    let count = 0
    for (const sequence of sequences) count += sequence.count
    this.count = count
  }

  get weight(): number {
    const parts = this.sequences.flatMap((sequence) => sequence.parts)
    return parts.reduce((sum, { matches }) => sum + PART_WEIGHT + matches.weight, 0)
  }

  /** Number of matches before a key. */
  rankOf(key: RowKey): number {
    let rank = 0
    for (const sequence of this.sequences) rank += sequence.rankOf(key)
    return rank
  }

  /** Number of matches that start before an instant. */
  countBefore(startMs: number): number {
    return this.rankOf({ startMs })
  }

  countThrough({ startMs, id }: Position): number {
    const idBits = idBitsAfter(idBitsOf(id))
    return idBits === undefined ? this.rankOf({ startMs: startMs + 1 }) : this.rankOf({ startMs, idBits })
  }

  /** The earliest start of a match from an instant on; undefined if there is none. */
  startFrom(fromMs: number): number | undefined {
    let first: number | undefined
    for (const sequence of this.sequences) {
      const rank = sequence.rankOf({ startMs: fromMs })
      if (rank === sequence.count) continue
      const startMs = sequence.startOf(rank)
      if (first === undefined || startMs < first) first = startMs
    }
    return first
  }

  /** More than `expected` may be read. */
  read(from: number, expected: number): RowReader {
    return new MergedReader(this, from, expected)
  }
}

const PART_WEIGHT = 64

/** Rows that a sequence may have beyond its share of a page before it is read again. */
const ROWS_SPARE = 4

/** Merges the cursors of few sequences: a heap would not pay. */
class MergedReader implements RowReader {
  row = -1
  readonly #cursors: SequenceCursor[] = []
  #run: Run | undefined

  constructor(matches: SlotMatches, from: number, expected: number) {
    const sequences = matches.sequences
    const begins = sequences.length === 1 ? [from] : ranksNear(sequences, from)
    let skipped = from
    for (const begin of begins) skipped -= begin
    const expectedOf = ({ count }: MatchSequence) =>
      Math.ceil(((expected + skipped) * count) / matches.count) + (count === matches.count ? 0 : ROWS_SPARE)
    for (let n = 0; n < sequences.length; n++)
      if (begins[n] < sequences[n].count)
        this.#cursors.push(new SequenceCursor(sequences[n], begins[n], expectedOf(sequences[n])))
    for (; skipped > 0; skipped--) this.next()
  }

  get run(): Run {
    if (this.#run === undefined) throw new Error('Cannot read a row: there is none')
    return this.#run
  }

  next(): boolean {
    const cursors = this.#cursors
    if (cursors.length === 0) return false
    let first = cursors[0]
    for (let n = 1; n < cursors.length; n++) if (isBefore(cursors[n], first)) first = cursors[n]
    this.#run = first.run
    this.row = first.row
    first.advance()
    if (first.row === -1) cursors.splice(cursors.indexOf(first), 1)
    return true
  }
}

function isBefore(a: SequenceCursor, b: SequenceCursor): boolean {
  if (a.startMs !== b.startMs) return a.startMs < b.startMs
  return compareIds(a.run.parts.records, a.row * RECORD_WORDS, b.run.parts.records, b.row * RECORD_WORDS) < 0
}
