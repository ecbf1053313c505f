import { KeyUsageCounter, type MeteredRequest, type UsageDraft } from './key-usage.ts'
import { LATENCY_BOUNDS_US } from './latency.ts'
import { mergeUsage, type UsageBatch } from './usage-batch.ts'

/** A key whose requests are counted. */
export interface MeteredKey {
  readonly id: string
  /** Owned by the meter; undefined while there are no requests. */
  usage: KeyUsageCounter | undefined
}

/**
 * Counts the requests of each key in memory: a few additions per request, no allocation. Batches are drained, and given back if they
 * could not be stored. A key takes memory from its first request until a drain finds it idle.
 */
export class UsageMeter {
  /** As of the last drain. */
  readonly totals = new MeterTotals()
  #inUse: MeteredKey[] = []
  #givenBack: UsageBatch | undefined

  /** Counts a completed request. `durationUs`: the time inside the service, in whole microseconds. */
  note(key: MeteredKey, request: MeteredRequest, atMs: number, durationUs: number): void {
    let usage = key.usage
    if (usage === undefined) {
      usage = new KeyUsageCounter(key.id)
      key.usage = usage
      this.#inUse.push(key)
    }
    usage.note(request, atMs, durationUs)
  }

  /** The usage since the last drain, with what was given back; undefined if empty. */
  drain(): UsageBatch | undefined {
    const draft: UsageDraft = { requests: [], latencies: [], recent: [], lastUsed: new Map() }
    this.#inUse = this.#inUse.filter((key) => {
      const isUsed = key.usage !== undefined && key.usage.noted > 0
      if (isUsed) key.usage?.drainInto(draft)
      else key.usage = undefined
      return isUsed
    })
    this.totals.add(draft)
    const givenBack = this.#givenBack
    this.#givenBack = undefined
    if (givenBack !== undefined) return mergeUsage(givenBack, draft)
    return draft.lastUsed.size === 0 ? undefined : draft
  }

  /** Adds a batch of another thread's meter; it is part of the next drain. */
  takeOver(batch: UsageBatch): void {
    this.totals.add(batch)
    this.giveBack(batch)
  }

  /** Takes back a batch that could not be stored; it is part of the next drain. */
  giveBack(batch: UsageBatch): void {
    this.#givenBack = this.#givenBack === undefined ? batch : mergeUsage(batch, this.#givenBack)
  }
}

/** The usage of all keys of a node since it started, as monotonic counters. */
export class MeterTotals {
  readonly #requests = new Map<number, number>()
  readonly #latencies = new Float64Array(LATENCY_BOUNDS_US.length + 1)

  /** Do not add a batch that was given back: it was added before. */
  add({ requests, latencies }: Pick<UsageBatch, 'requests' | 'latencies'>): void {
    for (const { status, count } of requests) {
      const statusClass = Math.floor(status / 100)
      this.#requests.set(statusClass, (this.#requests.get(statusClass) ?? 0) + count)
    }
    for (const { bucket, count } of latencies) this.#latencies[bucket] += count
  }

  /** Requests by status class: 2 for 200 to 299, and so on. */
  get requests(): ReadonlyMap<number, number> {
    return this.#requests
  }

  /** Requests by bucket of `LATENCY_BOUNDS_US`, the unbounded one last. */
  get latencies(): ArrayLike<number> {
    return this.#latencies
  }
}
