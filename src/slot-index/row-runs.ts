// Hot path
import { STEP_MASK, type Steps } from '../lib/steps.ts'
import type { SlotRows } from './slot-rows.ts'

/** Rows with a sequential copy of the sort keys that decide nearly all comparisons. */
class Runs {
  readonly rows: Uint32Array
  readonly startsMs: Float64Array
  readonly idsHigh: Uint32Array

  constructor(rows: Uint32Array) {
    this.rows = rows
    this.startsMs = new Float64Array(rows.length)
    this.idsHigh = new Uint32Array(rows.length)
  }
}

/**
 * Merges sorted runs into one, in order of (start, id): a bottom-up merge of neighboring runs. `ends` has the end of each.
 */
export function* mergeRuns(rows: Uint32Array, ends: readonly number[], order: SlotRows): Steps<Uint32Array> {
  if (ends.length < 2) return rows
  let source = yield* runsOf(rows, order)
  let target = new Runs(new Uint32Array(rows.length))
  let runs = ends
  while (runs.length > 1) {
    const merged: number[] = []
    for (let run = 0; run < runs.length; run += 2) {
      const from = run === 0 ? 0 : runs[run - 1]
      const to = runs[Math.min(run + 1, runs.length - 1)]
      yield* mergeTwo(source, target, { from, middle: runs[run], to }, order)
      merged.push(to)
    }
    runs = merged
    ;[source, target] = [target, source]
  }
  return source.rows
}

function* runsOf(rows: Uint32Array, order: SlotRows): Steps<Runs> {
  const runs = new Runs(rows)
  const { startsMs, idsHigh } = runs
  for (let n = 0; n < rows.length; n++) {
    startsMs[n] = order.startOf(rows[n])
    idsHigh[n] = order.idHighOf(rows[n])
    if ((n & STEP_MASK) === 0) yield
  }
  return runs
}

function* mergeTwo(
  source: Runs,
  target: Runs,
  { from, middle, to }: { from: number; middle: number; to: number },
  order: SlotRows,
): Steps<void> {
  const { rows, startsMs, idsHigh } = source
  let a = from
  let b = middle
  let at = from
  for (; a < middle && b < to; at++) {
    let difference = startsMs[a] - startsMs[b]
    if (difference === 0) difference = idsHigh[a] - idsHigh[b]
    if (difference === 0) difference = order.compare(rows[a], rows[b])
    const next = difference < 0 ? a++ : b++
    target.rows[at] = rows[next]
    target.startsMs[at] = startsMs[next]
    target.idsHigh[at] = idsHigh[next]
    if ((at & STEP_MASK) === 0) yield
  }
  const [rest, end] = a < middle ? [a, middle] : [b, to]
  target.rows.set(rows.subarray(rest, end), at)
  target.startsMs.set(startsMs.subarray(rest, end), at)
  target.idsHigh.set(idsHigh.subarray(rest, end), at)
}
