import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { NodeCondition } from '../http/api-context.ts'

export const MIB = 2 ** 20

/**
 * The part of the memory that may be in use, with that of isolated processes, when a slot is added; the rest is for
 * requests and garbage.
 */
const FULL_SHARE = 0.9

/** The same of the heap of the main thread. */
const FULL_HEAP_SHARE = 0.85

/** The memory of a slot, with its offering and the needs of a change. */
const SLOT_BYTES = 250

/** The memory in use now. */
interface MemoryUse {
  /** Of the process, all threads together, without isolated processes. */
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
  readonly #fullBytes: number
  readonly #read: () => MemoryUse

  /** `reservedBytes`: for isolated processes, see `processBudgetOf()`. */
  constructor({ maxBytes, reservedBytes = 0 }: { maxBytes: number; reservedBytes?: number }, read = memoryUse) {
    this.maxBytes = maxBytes
    this.#fullBytes = maxBytes * FULL_SHARE - reservedBytes
    this.#read = read
  }

  /** Whether the memory in use and `moreBytes` leave no room. */
  isFull(moreBytes: number): boolean {
    const { rssBytes, heapBytes, heapBytesMax } = this.#read()
    return rssBytes + moreBytes >= this.#fullBytes || heapBytes >= heapBytesMax * FULL_HEAP_SHARE
  }

  /** For `/readyz?verbose`. `missingSlots`: those that were left out. */
  condition(missingSlots: number): NonNullable<NodeCondition['memory']> {
    return { status: missingSlots > 0 ? 'full' : 'ok', maxBytes: this.maxBytes, missingSlots }
  }

  /** Whether so many slots would fit beside what is in memory now. */
  hasRoomFor(slots: number): boolean {
    const { rssBytes, heapBytes, heapBytesMax } = this.#read()
    return rssBytes + slots * SLOT_BYTES < this.#fullBytes && heapBytes < heapBytesMax * FULL_HEAP_SHARE
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
