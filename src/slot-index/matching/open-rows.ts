// Hot path
import type { IndexContent } from '../index-content.ts'
import type { OfferingTerms } from '../offerings/term-offerings.ts'
import { type RunState, runsIn } from '../runs/levels.ts'
import { RowSubset } from '../runs/row-subset.ts'
import { RunningRowsCache } from './running-rows.ts'

/** Rows of a run, without the deleted ones among them. */
export interface ShownSubset {
  readonly rows: RowSubset
  readonly gone: RowSubset | undefined
}

/**
 * Which rows have not ended at a time: those that start later, and those in progress, which have posting lists of their own.
 *
 *     start   ≤ base: ended, or in progress   │   > base: open
 */
export class OpenRows {
  /** Unix milliseconds. */
  readonly baseMs: number
  /** The rows in progress, by run. */
  readonly running: ReadonlyMap<RunState, ShownSubset>
  /** No row ends before this time. */
  readonly nextEndMs: number
  /** Number of open rows of all statuses. */
  readonly count: number

  /** `cache`: of one index. */
  constructor({ levels, tables }: IndexContent, nowMs: number, cache = new RunningRowsCache()) {
    const running = new Map<RunState, ShownSubset>()
    let nextEndMs = Number.POSITIVE_INFINITY
    let count = 0
    for (const state of runsIn(levels)) {
      const { rows, firstEndMs } = cache.of(state.run, nowMs, tables.offerings.groups)
      if (rows !== undefined) {
        const shown = { rows, gone: hiddenOf(state, rows, tables.offerings.groups) }
        running.set(state, shown)
        count += rows.length - (shown.gone?.length ?? 0)
        nextEndMs = Math.min(nextEndMs, firstEndMs)
      }
      const firstLater = firstFrom(state, nowMs + 1)
      count += state.run.length - firstLater - (state.gone?.count(undefined, firstLater, state.run.length) ?? 0)
      nextEndMs = earliestEnd(state, firstLater, nextEndMs)
    }
    this.baseMs = nowMs
    this.running = running
    this.nextEndMs = nextEndMs
    this.count = count
  }
}

/** The first row that starts at or after a time. */
function firstFrom({ run, from }: RunState, startMs: number): number {
  // Only in the few runs of that time: each search in a new run reads a thousand rows.
  if (run.firstStartMs >= startMs) return from
  return run.lastStartMs < startMs ? run.length : Math.max(from, run.rankOf({ startMs }))
}

/** Those rows of a subset that are deleted, or merged into level 1; undefined without any. */
function hiddenOf({ run, from, gone }: RunState, { rows }: RowSubset, terms: OfferingTerms): RowSubset | undefined {
  if (gone === undefined && rows[0] >= from) return undefined
  const hidden = rows.filter((row) => row < from || gone?.has(row) === true)
  return hidden.length === 0 ? undefined : RowSubset.of(run, hidden, terms)
}

/** The earliest end of a row from `firstRow` on, if it is before `nextEndMs`. No row ends before it starts. */
function earliestEnd({ run }: RunState, firstRow: number, nextEndMs: number): number {
  let earliest = nextEndMs
  for (let row = firstRow; row < run.length && run.startMsOf(row) < earliest; row++)
    earliest = Math.min(earliest, run.endMsOf(row))
  return earliest
}
