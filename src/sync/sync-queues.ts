import { SLOW_MS } from '../store/contracts/sources.ts'

/** Limit of the slow queue, as a multiple of its size, including the syncs that were moved into it. */
const OVERFLOW_FACTOR = 4

/** A queue and the number of syncs it may start now. */
export interface QueueCapacity {
  readonly slow: boolean
  readonly free: number
}

/**
 * Two queues with the same number of concurrent syncs, so that large feeds and slow publishers do not delay the others.
 *
 *     quick ──has run for SLOW_MS──> slow      its place in the quick queue becomes free
 *
 *     quick   sources whose last sync finished within `SLOW_MS`
 *     slow    all other sources, and syncs that were moved from the quick queue
 *
 * Moved syncs may fill the slow queue up to four times its size; while it is over its size, it starts no sync. A slow
 * publisher therefore occupies a quick place for at most `SLOW_MS`, and none until it is quick again.
 */
export class SyncQueues {
  readonly #size: number
  readonly #quick = new Map<string, number>()
  readonly #slow = new Set<string>()

  constructor(size: number) {
    this.#size = size
  }

  /** The queues that may start a sync, the quick one first. */
  capacity(nowMs: number): QueueCapacity[] {
    this.#moveSlow(nowMs)
    return [
      { slow: false, free: this.#size - this.#quick.size },
      { slow: true, free: this.#size - this.#slow.size },
    ].filter(({ free }) => free > 0)
  }

  enter(slug: string, { slow, nowMs }: { slow: boolean; nowMs: number }): void {
    if (slow) this.#slow.add(slug)
    else this.#quick.set(slug, nowMs)
  }

  leave(slug: string): void {
    this.#quick.delete(slug)
    this.#slow.delete(slug)
  }

  #moveSlow(nowMs: number): void {
    for (const [slug, startedAtMs] of this.#quick) {
      if (nowMs - startedAtMs < SLOW_MS || this.#slow.size >= this.#size * OVERFLOW_FACTOR) continue
      this.#quick.delete(slug)
      this.#slow.add(slug)
    }
  }
}
