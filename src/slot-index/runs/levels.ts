import type { OfferingGroups } from '../offerings/term-offerings.ts'
import { buildRun, type SortedRows } from './build-run.ts'
import { type BlockPart, liveRowsOf, mergeRows } from './merge-rows.ts'
import { RowSubset } from './row-subset.ts'
import type { RowKey, Run } from './run.ts'
import { RUN_ROWS_MAX } from './run-layout.ts'
import type { SlotForm } from './slot-texts.ts'

/** A run, and which of its rows are shown. */
export interface RunState {
  readonly run: Run
  /** The rows before it have been merged into level 1. */
  readonly from: number
  /** Deleted rows. */
  readonly gone: RowSubset | undefined
}

/** The runs of one status: immutable. */
export interface Levels {
  /** Of the last changes: their times overlap. */
  readonly zero: readonly RunState[]
  /** In order: each ends before the next begins. */
  readonly one: readonly RunState[]
}

export const NO_RUNS: Levels = { zero: [], one: [] }

/** All runs, of all given statuses. */
export function runsIn(levels: readonly Levels[]): RunState[] {
  return levels.flatMap(({ zero, one }) => [...zero, ...one])
}

/** When runs are merged. */
export interface LevelLimits {
  readonly runRowsMax: number
  /** Rows of level 0 from which it is merged into level 1, and their share of level 1: the larger of both counts. */
  readonly zeroRowsMin: number
  readonly zeroShare: number
  /** Share of deleted rows from which a run is written again. */
  readonly goneShareMax: number
}

export const LEVEL_LIMITS: LevelLimits = {
  runRowsMax: RUN_ROWS_MAX,
  zeroRowsMin: 65_536,
  zeroShare: 1 / 64,
  goneShareMax: 1 / 8,
}

/** The context in which runs are built from rows. */
export interface RunContext {
  readonly groups: OfferingGroups
  readonly forms: readonly SlotForm[]
  readonly limits: LevelLimits
}

/** Number of rows that are shown. */
export function shownRowsOf({ run, from, gone }: RunState): number {
  return run.length - from - (gone?.count(undefined, from, run.length) ?? 0)
}

/** The row of a key; undefined if there is none, or it is deleted. */
export function findRow({ zero, one }: Levels, key: Required<RowKey>): { state: RunState; row: number } | undefined {
  for (const state of zero) {
    const row = rowIn(state, key)
    if (row !== -1) return { state, row }
  }
  const state = one[lastBegunBy(one, key)]
  const row = state === undefined ? -1 : rowIn(state, key)
  return row === -1 ? undefined : { state, row }
}

/** The row of a key; -1 if a run has none, or it is deleted. */
function rowIn({ run, from, gone }: RunState, { idBits }: Required<RowKey>): number {
  const row = run.find(idBits)
  return row >= from && gone?.has(row) !== true ? row : -1
}

/** Marks rows as deleted, by run. */
export function withoutRows(
  levels: Levels,
  rowsOf: ReadonlyMap<RunState, readonly number[]>,
  { groups }: RunContext,
): Levels {
  const next = (state: RunState): RunState => {
    const rows = rowsOf.get(state)
    if (rows === undefined) return state
    const gone = new Uint16Array((state.gone?.length ?? 0) + rows.length)
    gone.set(rows)
    if (state.gone !== undefined) gone.set(state.gone.rows, rows.length)
    gone.sort()
    return { ...state, gone: RowSubset.of(state.run, gone, groups) }
  }
  return dropEmpty({ zero: levels.zero.map(next), one: levels.one.map(next) })
}

/** Adds rows to level 0, whose runs of similar size are merged: their number grows with the logarithm of their rows. */
export function withRows(levels: Levels, rows: SortedRows, context: RunContext): Levels {
  if (rows.count === 0) return levels
  const zero = [...levels.zero, stateOf(rows, context)]
  for (let last = zero.length - 1; last > 0; last--) {
    const parts = [wholeOf(zero[last - 1]), wholeOf(zero[last])]
    const isLarge = sum(parts.map(liveRowsOf)) > context.limits.runRowsMax
    if (isLarge || zero[last - 1].run.length > 2 * zero[last].run.length || zero[last - 1].from > 0) continue
    zero.splice(last - 1, 2, ...merged(parts, context))
  }
  return { zero, one: levels.one }
}

/** Builds level 1 from blocks of sorted rows. */
export function* levelsOf(blocks: readonly SortedRows[], context: RunContext): Generator<void, Levels> {
  const parts = blocks.map((block) => ({ block, from: 0, to: block.count, gone: undefined }))
  const one: RunState[] = []
  for (const rows of mergeRows(parts, context.forms, context.limits.runRowsMax)) {
    one.push(stateOf(rows, context))
    yield
  }
  return { zero: [], one }
}

/** Whether level 0 is large enough to be merged into level 1. */
export function isMergeDue({ zero, one }: Levels, { zeroRowsMin, zeroShare }: LevelLimits): boolean {
  const rowsOfOne = sum(one.map(({ run }) => run.length))
  return sum(zero.map(({ run }) => run.length)) > Math.max(zeroRowsMin, rowsOfOne * zeroShare)
}

/** A merge of level 0 into level 1, which advances run by run in order of (start, id). */
export interface LevelMerge {
  /** The runs of level 0 that are merged. */
  readonly runs: ReadonlySet<Run>
  /** The rows before it have been merged; undefined at the beginning. */
  readonly after: Required<RowKey> | undefined
}

export function beginMerge({ zero }: Levels): LevelMerge {
  return { runs: new Set(zero.map(({ run }) => run)), after: undefined }
}

/**
 * Merges the rows up to the beginning of some further run of level 1: as many as a run has. Between two steps, rows may be deleted and
 * added. Without `merge` in the result, the merge is complete.
 */
export function mergeNext(
  levels: Levels,
  { runs, after }: LevelMerge,
  context: RunContext,
): { levels: Levels; merge?: LevelMerge } {
  const { one } = levels
  const begin = after === undefined ? 0 : one.findIndex(({ run }) => compareKeys(run.keyOf(0), after) >= 0)
  const first = begin === -1 ? one.length : begin
  const zero = levels.zero.filter(({ run }) => runs.has(run))
  let end = first
  let rows = 0
  const isEnough = () => rows >= context.limits.runRowsMax / 2
  do {
    if (end < one.length) rows += shownRowsOf(one[end])
    end++
    rows += sum(zero.map((state) => rowsBefore(state, keyAt(one, end)) - rowsBefore(state, keyAt(one, end - 1))))
  } while (end < one.length && !isEnough())
  const to = keyAt(one, end)
  const added = zero.map((state) => ({ ...wholeOf(state), to: rowsBefore(state, to) })).filter(hasRows)
  const replaced = one.slice(first, end)
  const isKept = added.length === 0 && replaced.length === 1 && isGood(replaced[0], context.limits)
  const between = isKept ? replaced : merged([...replaced.map(wholeOf), ...added], context)
  const left = levels.zero.map((state) => (runs.has(state.run) ? { ...state, from: rowsBefore(state, to) } : state))
  return {
    levels: dropEmpty({ zero: left, one: [...one.slice(0, first), ...between, ...one.slice(end)] }),
    ...(to !== undefined && { merge: { runs, after: to } }),
  }
}

function keyAt(one: readonly RunState[], n: number): Required<RowKey> | undefined {
  return one[n]?.run.keyOf(0)
}

/** The row from which a run is at or behind a key, if it is not merged before. */
function rowsBefore({ run, from }: RunState, key: RowKey | undefined): number {
  return key === undefined ? run.length : Math.max(from, run.rankOf(key))
}

/** Whether a run need not be written again: few of its rows are deleted, and it is not small. */
function isGood(state: RunState, { goneShareMax, runRowsMax }: LevelLimits): boolean {
  const deleted = state.gone?.length ?? 0
  return deleted <= state.run.length * goneShareMax && state.run.length - deleted >= runRowsMax / 4
}

function merged(parts: readonly BlockPart[], context: RunContext): RunState[] {
  return [...mergeRows(parts, context.forms, context.limits.runRowsMax)].map((rows) => stateOf(rows, context))
}

function wholeOf({ run, from, gone }: RunState): BlockPart {
  return { block: run.parts, from, to: run.length, gone }
}

function hasRows({ from, to }: BlockPart): boolean {
  return from < to
}

function stateOf(rows: SortedRows, { groups, forms }: RunContext): RunState {
  return { run: buildRun(rows, groups, forms), from: 0, gone: undefined }
}

function dropEmpty({ zero, one }: Levels): Levels {
  const hasShown = (state: RunState) => shownRowsOf(state) > 0
  return { zero: zero.filter(hasShown), one: one.filter(hasShown) }
}

/** The number of the last run that begins at or before a key; -1 if there is none. */
function lastBegunBy(one: readonly RunState[], key: Required<RowKey>): number {
  let low = 0
  let high = one.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const { run } = one[middle]
    // Most runs begin at another instant, so that no ids are compared.
    const isTied = run.firstStartMs === key.startMs
    if (isTied ? compareKeys(run.keyOf(0), key) > 0 : run.firstStartMs > key.startMs) high = middle
    else low = middle + 1
  }
  return low - 1
}

function compareKeys(a: Required<RowKey>, b: Required<RowKey>): number {
  if (a.startMs !== b.startMs) return a.startMs - b.startMs
  for (let word = 0; word < 4; word++) if (a.idBits[word] !== b.idBits[word]) return a.idBits[word] - b.idBits[word]
  return 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
