// Hot path
import type { IndexContent } from './index-content.ts'
import { type RunState, runsIn } from './runs/levels.ts'
import { RowSubset } from './runs/row-subset.ts'

/**
 * Which rows have not ended at a time: those that start later, and those in progress, which have posting lists of their own.
 *
 *     start   ≤ base: ended, or in progress   │   > base: open
 */
export class OpenRows {
  /** Unix milliseconds. */
  readonly baseMs: number
  /** The rows in progress, by run. */
  readonly running: ReadonlyMap<RunState, RowSubset>
  /** No row ends before this time. */
  readonly nextEndMs: number
  /** Number of open rows of all statuses. */
  readonly count: number

  constructor({ levels, tables }: IndexContent, nowMs: number) {
    const running = new Map<RunState, RowSubset>()
    let nextEndMs = Number.POSITIVE_INFINITY
    let count = 0
    for (const state of runsIn(levels)) {
      const rows = runningRows(state, nowMs)
      if (rows.length > 0) running.set(state, RowSubset.of(state.run, rows, tables.offerings.groups))
      for (const row of rows) nextEndMs = Math.min(nextEndMs, state.run.endMsOf(row))
      const firstLater = Math.max(state.from, state.run.rankOf({ startMs: nowMs + 1 }))
      count += rows.length + state.run.length - firstLater
      count -= state.gone?.count(undefined, firstLater, state.run.length) ?? 0
      nextEndMs = earliestEnd(state, firstLater, nextEndMs)
    }
    this.baseMs = nowMs
    this.running = running
    this.nextEndMs = nextEndMs
    this.count = count
  }
}

/** The rows that have started and not ended. */
function runningRows({ run, from, gone }: RunState, nowMs: number): Uint16Array {
  if (run.firstStartMs > nowMs || run.lastStartMs + run.longestMs <= nowMs) return NO_ROWS
  const rows: number[] = []
  const to = run.rankOf({ startMs: nowMs + 1 })
  for (let row = Math.max(from, run.rankOf({ startMs: nowMs - run.longestMs })); row < to; row++)
    if (run.endMsOf(row) > nowMs && gone?.has(row) !== true) rows.push(row)
  return Uint16Array.from(rows)
}

const NO_ROWS = new Uint16Array(0)

/** The earliest end of a row from `firstRow` on, if it is before `nextEndMs`. No row ends before it starts. */
function earliestEnd({ run }: RunState, firstRow: number, nextEndMs: number): number {
  let earliest = nextEndMs
  for (let row = firstRow; row < run.length && run.startMsOf(row) < earliest; row++)
    earliest = Math.min(earliest, run.endMsOf(row))
  return earliest
}
