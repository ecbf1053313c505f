// Hot path
import { runAtOnce, STEP_MASK, type Steps } from '../../lib/steps.ts'
import type { OfferingTerms } from '../offerings/term-offerings.ts'
import { RowSubset } from '../runs/row-subset.ts'
import type { Run } from '../runs/run.ts'

/** The rows of a run that have started and not ended, deleted ones included. Times are Unix milliseconds. */
export interface RunningRows {
  /** Undefined without such rows. */
  readonly rows: RowSubset | undefined
  /** When the first of them ends. */
  readonly firstEndMs: number
  /** The rows are the same at all times in [fromMs, untilMs). */
  readonly fromMs: number
  readonly untilMs: number
}

/** The times for which lists of running rows are made ahead, in Unix milliseconds. */
export interface PreparedTime {
  readonly nowMs: number
  readonly untilMs: number
}

/**
 * The running rows of the runs of an index: those now, and those after the next start or end of a slot, made ahead. Lists are kept
 * by run: most runs stay when slots change.
 */
export class RunningRowsCache {
  readonly #current = new WeakMap<Run, RunningRows>()
  readonly #next = new WeakMap<Run, RunningRows>()

  of(run: Run, nowMs: number, terms: OfferingTerms): RunningRows {
    const current = this.#find(run, nowMs)
    if (current !== undefined) return current
    const running = runAtOnce(runningRows(run, nowMs, terms))
    this.#current.set(run, running)
    return running
  }

  /** Makes the rows at `nowMs`, and if they end before `untilMs`, those that follow. */
  *prepare(run: Run, { nowMs, untilMs }: PreparedTime, terms: OfferingTerms): Steps<void> {
    let current = this.#find(run, nowMs)
    if (current === undefined) {
      current = yield* runningRows(run, nowMs, terms)
      this.#current.set(run, current)
    }
    const nextMs = current.untilMs
    if (nextMs > untilMs || isAt(this.#next.get(run), nextMs)) return
    this.#next.set(run, yield* runningRows(run, nextMs, terms))
  }

  #find(run: Run, nowMs: number): RunningRows | undefined {
    const current = this.#current.get(run)
    if (isAt(current, nowMs)) return current
    const next = this.#next.get(run)
    if (next === undefined || !isAt(next, nowMs)) return undefined
    this.#current.set(run, next)
    return next
  }
}

function isAt(rows: RunningRows | undefined, nowMs: number): rows is RunningRows {
  return rows !== undefined && nowMs >= rows.fromMs && nowMs < rows.untilMs
}

function* runningRows(run: Run, nowMs: number, terms: OfferingTerms): Steps<RunningRows> {
  const lastEndMs = run.lastStartMs + run.longestMs
  if (run.firstStartMs > nowMs) return { ...NO_ROWS, untilMs: run.firstStartMs }
  if (lastEndMs <= nowMs) return { ...NO_ROWS, fromMs: lastEndMs }
  const rows: number[] = []
  let firstEndMs = Number.POSITIVE_INFINITY
  const to = run.rankOf({ startMs: nowMs + 1 })
  for (let row = run.rankOf({ startMs: nowMs - run.longestMs }); row < to; row++) {
    if ((row & STEP_MASK) === 0) yield
    const endMs = run.endMsOf(row)
    if (endMs <= nowMs) continue
    rows.push(row)
    firstEndMs = Math.min(firstEndMs, endMs)
  }
  return {
    rows: rows.length === 0 ? undefined : yield* RowSubset.inSteps(run, Uint16Array.from(rows), terms),
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
