// Hot path

import { LATENCY_BOUNDS_US, latencyBucket } from '../lib/latency-histogram.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import { CallerAddresses } from './caller-addresses.ts'
import { type MeteredRequest, RequestRing } from './request-ring.ts'
import { loggedPerKey, mergeUsage, type ReferralCount, type UsageBatch } from './usage-batch.ts'

/** A key whose requests are counted. */
export interface MeteredKey {
  readonly id: string
  /** Owned by the meter; undefined while there are no requests. */
  usage: KeyUsageCounter | undefined
}

/** How the addresses of callers are found. */
interface MeterOptions {
  /** Number of trusted proxies that append to `X-Forwarded-For`; 0 by default. */
  readonly trustedProxies?: number
  /** False: neither the request log nor the keys get network addresses. */
  readonly logsAddresses?: boolean
}

/**
 * Counts the requests of each key in memory, and keeps the newest for the request log: a few additions and stores per request. Batches are
 * drained, and given back if they could not be stored. A key takes memory from its first request until a drain finds it idle.
 */
export class UsageMeter {
  readonly #options: MeterOptions
  /** As of the last drain. */
  readonly totals = new MeterTotals()
  #inUse: MeteredKey[] = []
  /** By publisher and day. */
  readonly #referrals = new Map<string, ReferralCount>()
  #takenOver: UsageBatch | undefined

  constructor(options: MeterOptions = {}) {
    this.#options = options
  }

  /** Counts a completed request. `durationUs`: the time inside the service, in whole microseconds. */
  note(key: MeteredKey, request: MeteredRequest, atMs: number, durationUs: number): void {
    let usage = key.usage
    if (usage === undefined) {
      usage = new KeyUsageCounter(key.id, this.#options)
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

  /** The usage since the last drain, with what was taken over; undefined if empty. */
  drain(): UsageBatch | undefined {
    const referrals = [...this.#referrals.values()]
    this.#referrals.clear()
    const draft = { requests: [], latencies: [], logged: [], addresses: [], lastUsed: new Map(), referrals }
    this.#inUse = this.#inUse.filter((key) => {
      const isUsed = key.usage !== undefined && key.usage.noted > 0
      if (!isUsed) key.usage = undefined
      return isUsed
    })
    const loggedMax = loggedPerKey(this.#inUse.map(({ usage }) => usage?.noted ?? 0))
    for (const { usage } of this.#inUse) usage?.drainInto(draft, loggedMax)
    this.totals.add(draft)
    const takenOver = this.#takenOver
    this.#takenOver = undefined
    if (takenOver !== undefined) return mergeUsage(takenOver, draft)
    return draft.lastUsed.size === 0 && referrals.length === 0 ? undefined : draft
  }

  /** Adds a batch of another thread's meter; it is part of the next drain. */
  takeOver(batch: UsageBatch): void {
    this.totals.add(batch)
    this.#takenOver = this.#takenOver === undefined ? batch : mergeUsage(this.#takenOver, batch)
  }
}

/** The usage of all keys of a node since it started, as monotonic counters. */
export class MeterTotals {
  readonly #requests = new Map<number, number>()
  readonly #latencies = new Float64Array(LATENCY_BOUNDS_US.length + 1)
  readonly #referrals = new Map<string, number>()

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

/** A mutable batch. */
interface UsageDraft {
  readonly requests: UsageBatch['requests'][number][]
  readonly latencies: UsageBatch['latencies'][number][]
  readonly logged: UsageBatch['logged'][number][]
  readonly addresses: UsageBatch['addresses'][number][]
  readonly lastUsed: Map<string, number>
}

/** The usage of one key since the last drain: counts by status and by latency of the current hour, its newest requests and addresses. */
export class KeyUsageCounter {
  readonly #keyId: string
  #hourMs = Number.NEGATIVE_INFINITY
  /** Few statuses occur, so a linear search is faster than a map. */
  readonly #statuses: number[] = []
  readonly #counts: number[] = []
  readonly #latencies = new Uint32Array(LATENCY_BOUNDS_US.length + 1)
  /** The hours that ended since the last drain. */
  #ended: UsageDraft | undefined
  #lastAtMs = Number.NEGATIVE_INFINITY
  readonly #ring = new RequestRing()
  /** Absent if addresses are not logged. */
  readonly #addresses: CallerAddresses | undefined

  constructor(keyId: string, { trustedProxies = 0, logsAddresses = true }: MeterOptions) {
    this.#keyId = keyId
    this.#addresses = logsAddresses ? new CallerAddresses(trustedProxies) : undefined
  }

  /** The number of requests since the last drain. */
  get noted(): number {
    return this.#ring.noted
  }

  note(metered: MeteredRequest, atMs: number, durationUs: number): void {
    if (atMs - this.#hourMs >= HOUR_MS) this.#startHour(atMs)
    this.#countStatus(metered.response.statusCode)
    this.#latencies[latencyBucket(durationUs)]++
    this.#ring.note(metered, atMs, durationUs, this.#addresses?.note(metered.request, atMs))
    this.#lastAtMs = atMs
  }

  /** Moves everything into a batch, with at most `loggedMax` requests for the log. */
  drainInto(draft: UsageDraft, loggedMax: number): void {
    if (this.#ended !== undefined) {
      draft.requests.push(...this.#ended.requests)
      draft.latencies.push(...this.#ended.latencies)
      this.#ended = undefined
    }
    this.#drainCounts(draft)
    draft.logged.push(...this.#ring.drain(this.#keyId, loggedMax))
    this.#addresses?.drainInto(draft.addresses, this.#keyId)
    draft.lastUsed.set(this.#keyId, this.#lastAtMs)
  }

  /** Starts another hour and keeps the counts of the previous one. */
  #startHour(atMs: number): void {
    if (this.#ring.noted > 0) {
      this.#ended ??= { requests: [], latencies: [], logged: [], addresses: [], lastUsed: new Map() }
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
}
