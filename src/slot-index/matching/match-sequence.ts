// Hot path

import type { RowKey, Run } from '../runs/run.ts'
import type { RunMatches } from './run-matches.ts'

/** The matches of a run, or of a part of it, and the last start that they may have. */
export interface RunPart {
  readonly matches: RunMatches
  readonly firstStartMs: number
  readonly lastStartMs: number
}

/** Matches in order of (start, id): each part ends before the next begins. */
export class MatchSequence {
  readonly count: number
  readonly parts: readonly RunPart[]
  /** Number of matches up to and including each part. */
  readonly #ends: readonly number[]

  constructor(parts: readonly RunPart[]) {
    this.parts = parts
    const ends: number[] = []
    let count = 0
    for (const { matches } of parts) {
      count += matches.count
      ends.push(count)
    }
    this.#ends = ends
    this.count = count
  }

  /** Number of matches before a key. */
  rankOf(key: RowKey): number {
    const { parts } = this
    const place = firstWhere(parts.length, (n) => parts[n].lastStartMs >= key.startMs)
    // Rows of one start may be in several parts.
    let rank = place === 0 ? 0 : this.#ends[place - 1]
    for (let n = place; n < parts.length && parts[n].firstStartMs <= key.startMs; n++)
      rank += parts[n].matches.rankOf(key)
    return rank
  }

  /** The part of the n-th match, and its place there. */
  placeOf(n: number): { readonly place: number; readonly within: number } {
    const place = firstWhere(this.parts.length, (part) => this.#ends[part] > n)
    return { place, within: n - (place === 0 ? 0 : this.#ends[place - 1]) }
  }

  /** The start of the n-th match. */
  startOf(n: number): number {
    return this.#runOf(n).startMsOf(ONE_ROW[0])
  }

  /** The key of the n-th match. */
  keyOf(n: number): Required<RowKey> {
    return this.#runOf(n).keyOf(ONE_ROW[0])
  }

  /** The run of the n-th match, whose row is `ONE_ROW` then. */
  #runOf(n: number): Run {
    const { place, within } = this.placeOf(n)
    const { matches } = this.parts[place]
    matches.copy(within, within + 1, ONE_ROW)
    return matches.run
  }
}

const ONE_ROW = new Uint16Array(1)

/** The first number below `length` with a property that holds for all that follow; `length` if there is none. */
function firstWhere(length: number, holds: (n: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Reads a sequence in order. */
export class SequenceCursor {
  /** -1 behind the last match. */
  row = -1
  run: Run
  /** Milliseconds since 1970; the sort key that decides nearly all comparisons. */
  startMs = Number.NaN
  readonly #sequence: MatchSequence
  readonly #rows: Uint16Array
  readonly #starts: number[] = []
  #place: number
  #within: number
  #length = 0
  #at = -1

  /** Begins with match `from`, which exists. `expected`: about how many will be read; bounds the rows read ahead. */
  constructor(sequence: MatchSequence, from: number, expected: number) {
    const { place, within } = sequence.placeOf(from)
    this.#sequence = sequence
    this.#rows = new Uint16Array(Math.max(1, Math.min(expected, BLOCK_ROWS, sequence.count - from)))
    this.#place = place
    this.#within = within
    this.run = sequence.parts[place].matches.run
    this.advance()
  }

  advance(): void {
    if (++this.#at >= this.#length && !this.#fill()) {
      this.row = -1
      return
    }
    this.row = this.#rows[this.#at]
    this.startMs = this.#starts[this.#at]
  }

  /** Reads the next rows of a part; false at the end. */
  #fill(): boolean {
    const { parts } = this.#sequence
    this.#at = 0
    for (; this.#place < parts.length; this.#place++, this.#within = 0) {
      const { matches } = parts[this.#place]
      if (this.#within >= matches.count) continue
      this.run = matches.run
      this.#length = matches.copy(this.#within, this.#within + this.#rows.length, this.#rows)
      this.#within += this.#length
      this.run.prefetch(this.#rows, this.#length)
      for (let n = 0; n < this.#length; n++) this.#starts[n] = this.run.startMsOf(this.#rows[n])
      return true
    }
    return false
  }
}

/** Rows that a cursor reads ahead. */
const BLOCK_ROWS = 256
