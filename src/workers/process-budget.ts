import { SYNCS_PER_CONCURRENCY } from '../sync/scheduler.ts'
import { MIB } from './memory-budget.ts'

/** The isolated processes of a node: how many run at once, and how large each may become. */
export interface ProcessBudget {
  /** Maximum JavaScript heap of each, in MiB. */
  readonly heapMb: number
  /** Concurrent syncs in each of the two queues. */
  readonly syncConcurrency: number
  readonly syncsMax: number
  /** Concurrent imports and checks. */
  readonly jobsMax: number
  /** The memory that is reserved for all together. */
  readonly bytes: number
}

interface ProcessLimits {
  /** Of the node. */
  readonly memoryBytes: number
  readonly syncConcurrency: number
  /** Undefined: as much as leaves room for all concurrent syncs. */
  readonly heapMb?: number | undefined
}

/** The share of a node's memory that its isolated processes may take. */
const SHARE = 1 / 3

/** The memory of a process besides its old generation, measured: young generation, SQLite's cache, buffers, code. */
const BASE_MB = 144

const HEAP_MB_MIN = 64
/** Enough for 800,000 slots. */
const HEAP_MB_USUAL = 128
const HEAP_MB_MAX = 512

/** A sync in each queue, and an import or a check. */
const PROCESSES_MIN = 3

const JOBS_USUAL = 2
const JOBS_MAX = 5

/**
 * Divides a third of the node's memory among isolated processes. Where it is not enough for all that `syncConcurrency`
 * asks for, their heaps shrink from 512 to 128 MiB; then fewer run at once; and when three are left, their heaps shrink to
 * 64 MiB. So only a node of less than 1872 MiB exceeds the third.
 *
 *     memory      2 GiB   4 GiB   8 GiB   16 GiB   32 GiB   64 GiB       with the default settings
 *     processes   3       5       10      20       22       25
 *     heap, MiB   83      128     128     128      352      512
 */
export function processBudgetOf({ memoryBytes, syncConcurrency, heapMb }: ProcessLimits): ProcessBudget {
  const shareMb = (memoryBytes / MIB) * SHARE
  const heapMbFor = (processes: number) => Math.floor(shareMb / processes) - BASE_MB
  const usual = clamp(heapMbFor(syncConcurrency * SYNCS_PER_CONCURRENCY + JOBS_USUAL), HEAP_MB_USUAL, HEAP_MB_MAX)
  const heap = Math.max(HEAP_MB_MIN, Math.min(heapMb ?? usual, heapMbFor(PROCESSES_MIN)))
  const processes = Math.max(PROCESSES_MIN, Math.floor(shareMb / (heap + BASE_MB)))
  const jobsMax = clamp(Math.floor(processes / 4), 1, JOBS_MAX)
  const syncsMax = Math.min(processes - jobsMax, syncConcurrency * SYNCS_PER_CONCURRENCY)
  return {
    heapMb: heap,
    syncConcurrency: Math.min(syncConcurrency, Math.floor(syncsMax / 2)),
    syncsMax,
    jobsMax,
    // Of a small node, three processes would leave nothing for slots.
    bytes: Math.min(shareMb, (syncsMax + jobsMax) * (heap + BASE_MB)) * MIB,
  }
}

/**
 * The private memory that a process may have, in MiB, beyond which it is killed: twice its part of the budget. V8 bounds its
 * heap, but not buffers, typed arrays and what SQLite takes.
 */
export function processMbMax(heapMb: number): number {
  return 2 * (heapMb + BASE_MB)
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}
