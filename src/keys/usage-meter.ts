// Hot path

import { redact } from '../lib/redact.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import { mergeUsage, RECENT_HELD, type ReferralCount, type UsageBatch } from './usage-batch.ts'

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
  /** By publisher and day. */
  readonly #referrals = new Map<string, ReferralCount>()
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

  /** Counts a referral to the booking page of a publisher. */
  noteReferral(publisher: string, atMs: number): void {
    const dayMs = atMs - (atMs % DAY_MS)
    const name = `${dayMs} ${publisher}`
    this.#referrals.set(name, { publisher, dayMs, count: 1 + (this.#referrals.get(name)?.count ?? 0) })
  }

  /** The usage since the last drain, with what was given back; undefined if empty. */
  drain(): UsageBatch | undefined {
    const referrals = [...this.#referrals.values()]
    this.#referrals.clear()
    const draft = { requests: [], latencies: [], recent: [], lastUsed: new Map(), referrals }
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
    return draft.lastUsed.size === 0 && referrals.length === 0 ? undefined : draft
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
  readonly #referrals = new Map<string, number>()

  /** Do not add a batch that was given back: it was added before. */
  add({ requests, latencies, referrals }: Pick<UsageBatch, 'requests' | 'latencies' | 'referrals'>): void {
    for (const { status, count } of requests) {
      const statusClass = Math.floor(status / 100)
      this.#requests.set(statusClass, (this.#requests.get(statusClass) ?? 0) + count)
    }
    for (const { bucket, count } of latencies) this.#latencies[bucket] += count
    for (const { publisher, count } of referrals)
      this.#referrals.set(publisher, (this.#referrals.get(publisher) ?? 0) + count)
  }

  /** Referrals by publisher. */
  get referrals(): ReadonlyMap<string, number> {
    return this.#referrals
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

/** The parts of a request and its response that are counted. */
interface MeteredRequest {
  readonly request: { readonly method?: string | undefined; readonly url?: string | undefined }
  readonly response: { readonly statusCode: number }
  readonly requestId: string
}

/** A mutable batch. */
interface UsageDraft {
  readonly requests: UsageBatch['requests'][number][]
  readonly latencies: UsageBatch['latencies'][number][]
  readonly recent: UsageBatch['recent'][number][]
  readonly lastUsed: Map<string, number>
}

const TARGET_LENGTH_MAX = 500

/**
 * The usage of one key since the last drain: counts by status and by latency of the current hour, and a ring buffer of the newest
 * requests, column by column: request n is in row n mod 100. Everything is allocated at once (about 5 kB).
 */
export class KeyUsageCounter {
  readonly #keyId: string
  #hourMs = Number.NEGATIVE_INFINITY
  /** Few statuses occur, so a linear search is faster than a map. */
  readonly #statuses: number[] = []
  readonly #counts: number[] = []
  readonly #latencies = new Uint32Array(LATENCY_BOUNDS_US.length + 1)
  /** The hours that ended since the last drain. */
  #ended: UsageDraft | undefined
  #noted = 0
  #lastAtMs = Number.NEGATIVE_INFINITY
  readonly #atMs = new Float64Array(RECENT_HELD)
  readonly #durationsUs = new Uint32Array(RECENT_HELD)
  readonly #statusOf = new Uint16Array(RECENT_HELD)
  readonly #methods: string[] = new Array(RECENT_HELD).fill('')
  readonly #targets: string[] = new Array(RECENT_HELD).fill('')
  readonly #requestIds: string[] = new Array(RECENT_HELD).fill('')

  constructor(keyId: string) {
    this.#keyId = keyId
  }

  /** The number of requests since the last drain. */
  get noted(): number {
    return this.#noted
  }

  note({ request, response, requestId }: MeteredRequest, atMs: number, durationUs: number): void {
    if (atMs - this.#hourMs >= HOUR_MS) this.#startHour(atMs)
    this.#countStatus(response.statusCode)
    this.#latencies[latencyBucket(durationUs)]++
    const row = this.#noted % RECENT_HELD
    this.#atMs[row] = atMs
    this.#durationsUs[row] = durationUs
    this.#statusOf[row] = response.statusCode
    this.#methods[row] = request.method ?? ''
    this.#targets[row] = request.url ?? ''
    this.#requestIds[row] = requestId
    this.#lastAtMs = atMs
    this.#noted++
  }

  /** Moves everything into a batch. */
  drainInto(draft: UsageDraft): void {
    if (this.#noted === 0) return
    if (this.#ended !== undefined) {
      draft.requests.push(...this.#ended.requests)
      draft.latencies.push(...this.#ended.latencies)
      this.#ended = undefined
    }
    this.#drainCounts(draft)
    this.#drainRecent(draft)
    draft.lastUsed.set(this.#keyId, this.#lastAtMs)
    this.#noted = 0
  }

  /** Starts another hour and keeps the counts of the previous one. */
  #startHour(atMs: number): void {
    if (this.#noted > 0) {
      this.#ended ??= { requests: [], latencies: [], recent: [], lastUsed: new Map() }
      this.#drainCounts(this.#ended)
    }
    this.#hourMs = atMs - (atMs % HOUR_MS)
  }

  #countStatus(status: number): void {
    const statuses = this.#statuses
    for (let at = 0; at < statuses.length; at++) {
      if (statuses[at] === status) {
        this.#counts[at]++
        return
      }
    }
    statuses.push(status)
    this.#counts.push(1)
  }

  #drainCounts(draft: UsageDraft): void {
    const of = { keyId: this.#keyId, hourMs: this.#hourMs }
    for (let at = 0; at < this.#statuses.length; at++) {
      const count = this.#counts[at]
      if (count > 0) draft.requests.push({ ...of, status: this.#statuses[at], count })
      this.#counts[at] = 0
    }
    for (let bucket = 0; bucket < this.#latencies.length; bucket++) {
      const count = this.#latencies[bucket]
      if (count > 0) draft.latencies.push({ ...of, bucket, count })
      this.#latencies[bucket] = 0
    }
  }

  #drainRecent(draft: UsageDraft): void {
    for (let n = Math.max(0, this.#noted - RECENT_HELD); n < this.#noted; n++) {
      const row = n % RECENT_HELD
      draft.recent.push({
        keyId: this.#keyId,
        atMs: this.#atMs[row],
        method: this.#methods[row],
        // A caller may send a key in the query, or as the id: neither may reach the request log.
        target: redact(this.#targets[row].slice(0, TARGET_LENGTH_MAX)),
        status: this.#statusOf[row],
        durationUs: this.#durationsUs[row],
        requestId: redact(this.#requestIds[row]),
      })
    }
  }
}

/**
 * The upper bounds of the latency buckets, in microseconds; another bucket has no bound. They grow by about 1.5, so the relative error
 * of a percentile is at most 50 %, with 29 numbers per hour and key.
 */
export const LATENCY_BOUNDS_US: readonly number[] = [
  10, 15, 22, 33, 50, 75, 110, 165, 250, 375, 560, 840, 1260, 1900, 2850, 4300, 6400, 9600, 14_500, 22_000, 33_000,
  50_000, 75_000, 110_000, 250_000, 500_000, 1_000_000, 5_000_000,
]

/** The bucket of a latency: 0 to `LATENCY_BOUNDS_US.length`. */
export function latencyBucket(durationUs: number): number {
  let bucket = 0
  while (bucket < LATENCY_BOUNDS_US.length && durationUs > LATENCY_BOUNDS_US[bucket]) bucket++
  return bucket
}
