// Hot path

import type { Steps } from '../lib/steps.ts'
import type { Run } from './runs/run.ts'
import { RUN_ROWS_MAX } from './runs/run-layout.ts'
import type { SlotMatches } from './slot-matches.ts'

/** Number of rows per offering, in columns. */
export interface OfferingCounts {
  /** Numbers of the offerings that have rows. */
  readonly offerings: Uint32Array
  readonly counts: Uint32Array
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
  if (!isSparse) return yield* selectOfferings(sums, undefined)
  const offerings = Uint32Array.from(seen)
  return { offerings, counts: offerings.map((offering) => sums[offering]) }
}

/** All offerings are read rather than a list of those that have matches. */
const SPARSE_SHARE = 1 / 8

function addRows({ parts: { offerings } }: Run, length: number, sums: Uint32Array): void {
  for (let n = 0; n < length; n++) sums[offerings[rows[n]]]++
}

/** Appends the offerings that had no rows to `seen`. */
function addFewRows({ parts: { offerings } }: Run, length: number, sums: Uint32Array, seen: number[]): void {
  for (let n = 0; n < length; n++) if (sums[offerings[rows[n]]]++ === 0) seen.push(offerings[rows[n]])
}

/** Those offerings with rows whose bit is set; all if `bits` is undefined. `sums`: number of rows by offering. */
export function* selectOfferings(sums: Uint32Array, bits: Uint32Array | undefined): Steps<OfferingCounts> {
  const selected = { offerings: new Uint32Array(sums.length), counts: new Uint32Array(sums.length) }
  let length = 0
  for (let from = 0; from < sums.length; from += SELECTED_PER_STEP) {
    length = selectPart({ sums, bits, from, to: Math.min(sums.length, from + SELECTED_PER_STEP) }, selected, length)
    yield
  }
  return { offerings: selected.offerings.slice(0, length), counts: selected.counts.slice(0, length) }
}

interface SumsPart {
  readonly sums: Uint32Array
  readonly bits: Uint32Array | undefined
  readonly from: number
  readonly to: number
}

/** Appends to a list of `length` and returns its new length. Branchless, as `RunMatches`. */
function selectPart({ sums, bits, from, to }: SumsPart, { offerings, counts }: OfferingCounts, length: number): number {
  let end = length
  for (let offering = from; offering < to; offering++) {
    const count =
      bits === undefined ? sums[offering] : sums[offering] & -((bits[offering >>> 5] >>> (offering & 31)) & 1)
    offerings[end] = offering
    counts[end] = count
    end += Number(count !== 0)
  }
  return end
}

/** Some 50 microseconds. */
const SELECTED_PER_STEP = 32_768
