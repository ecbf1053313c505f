import { LATENCY_BOUNDS_US } from './latency.ts'
import type { UsageBatch } from './usage-batch.ts'

/** What all keys of a node were used for since it started: numbers that only grow. */
export class UsageTotals {
  readonly #requests = new Map<number, number>()
  readonly #latencies = new Float64Array(LATENCY_BOUNDS_US.length + 1)

  /** Adds what was counted anew; a batch that is given back was added before. */
  add({ requests, latencies }: Pick<UsageBatch, 'requests' | 'latencies'>): void {
    for (const { status, count } of requests) {
      const hundreds = Math.floor(status / 100)
      this.#requests.set(hundreds, (this.#requests.get(hundreds) ?? 0) + count)
    }
    for (const { bucket, count } of latencies) this.#latencies[bucket] += count
  }

  /** Requests by class of status: 2 for 200 to 299, and so on. */
  get requests(): ReadonlyMap<number, number> {
    return this.#requests
  }

  /** Requests by bucket of `LATENCY_BOUNDS_US`, the open one last. */
  get latencies(): ArrayLike<number> {
    return this.#latencies
  }
}
