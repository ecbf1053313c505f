// Hot path
import { HOUR_MS } from '../lib/time.ts'
import { LATENCY_BOUNDS_US, latencyBucket } from './latency.ts'
import { RECENT_HELD, type UsageBatch } from './usage-batch.ts'

/** The parts of a request and its response that are counted. */
export interface MeteredRequest {
  readonly request: { readonly method?: string | undefined; readonly url?: string | undefined }
  readonly response: { readonly statusCode: number }
  readonly requestId: string
}

/** A mutable batch. */
export interface UsageDraft {
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
        target: this.#targets[row].slice(0, TARGET_LENGTH_MAX),
        status: this.#statusOf[row],
        durationUs: this.#durationsUs[row],
        requestId: this.#requestIds[row],
      })
    }
  }
}
