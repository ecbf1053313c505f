import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { NodeCondition } from '../http/api-context.ts'

/** The part of the memory that may be in use when a slot is added; the rest is for requests, syncs and garbage. */
const FULL_SHARE = 0.85

/** What the end of a change needs for each slot that it adds: the order of the slots and the lists that contain them. */
const PENDING_BYTES = 100

/** What a slot takes in the main thread and in each further one, with its offering and with what a change needs for it. */
const SLOT_BYTES = 450
const COPY_BYTES = 350

/** The memory in use now. */
export interface MemoryUse {
  /** Of the process, all threads together. */
  readonly rssBytes: number
  /** The heap of the main thread. */
  readonly heapBytes: number
  readonly heapBytesMax: number
}

/**
 * How much memory a node may use. Slots are added only while there is room, because the system kills a process that exceeds
 * its memory, and a node that is started again would load the same slots.
 */
export class MemoryBudget {
  readonly maxBytes: number
  readonly #threads: number
  readonly #read: () => MemoryUse

  /** `threads`: those with an index, at least one. */
  constructor(maxBytes: number, threads = 1, read = memoryUse) {
    this.maxBytes = maxBytes
    this.#threads = threads
    this.#read = read
  }

  /** Whether no slot may be added to a change that has added `pending` slots. */
  isFull(pending: number): boolean {
    const { rssBytes, heapBytes, heapBytesMax } = this.#read()
    const expectedBytes = rssBytes + pending * PENDING_BYTES * this.#threads
    return expectedBytes >= this.maxBytes * FULL_SHARE || heapBytes >= heapBytesMax * FULL_SHARE
  }

  /** For `/readyz?verbose`. `missingSlots`: those that were left out. */
  condition(missingSlots: number): NonNullable<NodeCondition['memory']> {
    return { status: missingSlots > 0 ? 'full' : 'ok', maxBytes: this.maxBytes, missingSlots }
  }

  /** Whether so many slots would fit beside what is in memory now. */
  hasRoomFor(slots: number): boolean {
    const { rssBytes, heapBytes, heapBytesMax } = this.#read()
    const neededBytes = slots * (SLOT_BYTES + COPY_BYTES * (this.#threads - 1))
    return rssBytes + neededBytes < this.maxBytes * FULL_SHARE && heapBytes < heapBytesMax * FULL_SHARE
  }
}

/** The memory that the process may use: the least of `configured`, the limit of its container and the memory of the system. */
export function memoryMaxBytes(configured = Number.POSITIVE_INFINITY): number {
  // 0 or an absurdly large number without a limit.
  const container = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(configured, container, totalmem())
}

/** Call it in the main thread. */
function memoryUse(): MemoryUse {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  return { rssBytes: process.memoryUsage.rss(), heapBytes: used_heap_size, heapBytesMax: heap_size_limit }
}
