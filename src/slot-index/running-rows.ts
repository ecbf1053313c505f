// Hot path
import type { OfferingTerms } from './runs/posting-lists.ts'
import { RowSubset } from './runs/row-subset.ts'
import type { Run } from './runs/run.ts'

/** The rows of a run that have started and not ended, deleted ones included. Times are Unix milliseconds. */
export interface RunningRows {
  /** Undefined without such rows. */
  readonly rows: RowSubset | undefined
  /** When the first of them ends. */
  readonly firstEndMs: number
  /** They are the same from one time until before the other. */
  readonly fromMs: number
  readonly untilMs: number
}

/** The running rows of the runs of an index. When slots change, most runs stay, and their lists are not made again. */
export class RunningRowsCache {
  readonly #known = new WeakMap<Run, RunningRows>()

  of(run: Run, nowMs: number, terms: OfferingTerms): RunningRows {
    const known = this.#known.get(run)
    if (known !== undefined && nowMs >= known.fromMs && nowMs < known.untilMs) return known
    const running = runningRows(run, nowMs, terms)
    this.#known.set(run, running)
    return running
  }
}

function runningRows(run: Run, nowMs: number, terms: OfferingTerms): RunningRows {
  const lastEndMs = run.lastStartMs + run.longestMs
  if (run.firstStartMs > nowMs) return { ...NO_ROWS, untilMs: run.firstStartMs }
  if (lastEndMs <= nowMs) return { ...NO_ROWS, fromMs: lastEndMs }
  const rows: number[] = []
  let firstEndMs = Number.POSITIVE_INFINITY
  const to = run.rankOf({ startMs: nowMs + 1 })
  for (let row = run.rankOf({ startMs: nowMs - run.longestMs }); row < to; row++) {
    const endMs = run.endMsOf(row)
    if (endMs <= nowMs) continue
    rows.push(row)
    firstEndMs = Math.min(firstEndMs, endMs)
  }
  return {
    rows: rows.length === 0 ? undefined : RowSubset.of(run, Uint16Array.from(rows), terms),
    firstEndMs,
    fromMs: nowMs,
    untilMs: to === run.length ? firstEndMs : Math.min(firstEndMs, run.startMsOf(to)),
  }
}

const NO_ROWS: RunningRows = {
  rows: undefined,
  firstEndMs: Number.POSITIVE_INFINITY,
  fromMs: Number.NEGATIVE_INFINITY,
  untilMs: Number.POSITIVE_INFINITY,
}
