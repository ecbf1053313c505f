// Hot path
import type { ServerResponse } from 'node:http'
import { MINUTE_MS, SECOND_MS } from '../lib/time.ts'
import type { FairCaller } from './fair-queue.ts'
import { Problem } from './problem.ts'
import { addHeaderBlock } from './secure-response.ts'

/** Requests per minute, and milliseconds of thread time per second. The operator may set those of keys and organizations. */
export interface RateLimitSettings {
  /** Of the open feed, by address. */
  readonly addressRequests?: number
  /** Of the open feed, by all addresses together. */
  readonly feedRequests?: number
  readonly feedMs?: number
  readonly keyRequests?: number
  readonly keyMs?: number
  readonly organizationRequests?: number
  readonly organizationMs?: number
}

/** One limit. */
interface Policy {
  /** As in the headers. */
  readonly name: string
  readonly quota: number
  readonly windowMs: number
  readonly by: keyof FairCaller
  readonly of: 'requests' | 'time'
}

/** Tokens may be negative: thread time is known only when it is used. */
interface Bucket {
  readonly policy: Policy
  tokens: number
  atMs: number
}

/** The buckets of a key, in the order of the policies; those of its organization are shared. */
interface CallerState {
  readonly buckets: readonly Bucket[]
  /** The headers, and the tokens that they state. */
  headers: string
  readonly stated: number[]
}

/**
 * Token buckets in the memory of one serving thread, by key and by organization: each holds at most the quota, and fills at the rate of
 * the quota in a window. A request needs a token in each; its thread time is taken afterwards. The store is not involved.
 */
export class RateLimits {
  readonly #policies: readonly Policy[]
  readonly #policyHeader: string
  readonly #callersMax: number
  readonly #callers = new Map<string, CallerState>()
  readonly #organizations = new Map<string, ReadonlyMap<Policy, Bucket>>()
  #latestId = ''
  #latest: CallerState = NO_CALLER

  constructor(settings: RateLimitSettings, callersMax = CALLERS_MAX) {
    this.#callersMax = callersMax
    this.#policies = policiesOf(settings)
    this.#policyHeader = this.#policies.map(describePolicy).join(', ')
  }

  /**
   * Takes the token of a request and adds `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). Throws
   * `Problem('too-many-requests')` if a limit is reached; then no token is taken. `nowMs` must not decrease.
   */
  take(caller: FairCaller, response: ServerResponse, nowMs: number): void {
    const state = this.#stateOf(caller, nowMs)
    const { buckets } = state
    let reached: Bucket | undefined
    for (const bucket of buckets) {
      refill(bucket, nowMs)
      if (waitMs(bucket) > (reached === undefined ? 0 : waitMs(reached))) reached = bucket
    }
    if (reached === undefined) for (const bucket of buckets) if (bucket.policy.of === 'requests') bucket.tokens--
    addHeaderBlock(response, this.#headersOf(state))
    if (reached !== undefined) throw tooMany(reached)
  }

  /** Charges thread time. */
  spend(caller: FairCaller, usedMs: number, nowMs: number): void {
    for (const bucket of this.#stateOf(caller, nowMs).buckets) {
      if (bucket.policy.of !== 'time') continue
      refill(bucket, nowMs)
      bucket.tokens -= usedMs
    }
  }

  /** Updated when a bucket has changed by a thousandth of its quota, so that callers with high limits do not pay for it. */
  #headersOf(state: CallerState): string {
    const { buckets, stated } = state
    let isOld = false
    for (let n = 0; n < buckets.length; n++) {
      const { tokens, policy } = buckets[n]
      if (Math.abs(tokens - stated[n]) > policy.quota / 1000) isOld = true
    }
    if (!isOld) return state.headers
    for (let n = 0; n < buckets.length; n++) stated[n] = buckets[n].tokens
    state.headers = `RateLimit-Policy: ${this.#policyHeader}\r\nRateLimit: ${buckets.map(describe).join(', ')}\r\n`
    return state.headers
  }

  #stateOf(caller: FairCaller, nowMs: number): CallerState {
    if (caller.id !== this.#latestId) {
      this.#latest = this.#callers.get(caller.id) ?? this.#addState(caller, nowMs)
      this.#latestId = caller.id
    }
    return this.#latest
  }

  #addState({ id, organizationId }: FairCaller, nowMs: number): CallerState {
    if (this.#callers.size >= this.#callersMax) this.#callers.clear()
    if (this.#organizations.size >= this.#callersMax) this.#organizations.clear()
    const bucketOf = (policy: Policy): Bucket => ({ policy, tokens: policy.quota, atMs: nowMs })
    const shared =
      this.#organizations.get(organizationId) ??
      new Map(this.#policies.filter(({ by }) => by === 'organizationId').map((policy) => [policy, bucketOf(policy)]))
    this.#organizations.set(organizationId, shared)
    const buckets = this.#policies.map((policy) => shared.get(policy) ?? bucketOf(policy))
    const state = { buckets, headers: '', stated: buckets.map(() => Number.NEGATIVE_INFINITY) }
    this.#callers.set(id, state)
    return state
  }
}

const NO_CALLER: CallerState = { buckets: [], headers: '', stated: [] }

function refill(bucket: Bucket, nowMs: number): void {
  const { quota, windowMs } = bucket.policy
  bucket.tokens = Math.min(quota, bucket.tokens + ((nowMs - bucket.atMs) * quota) / windowMs)
  bucket.atMs = nowMs
}

/** More active keys than a service has; beyond it all start over. */
const CALLERS_MAX = 100_000

/** The limits that are set; undefined if none is. */
export function rateLimitsOf(settings: RateLimitSettings): RateLimits | undefined {
  return policiesOf(settings).length === 0 ? undefined : new RateLimits(settings)
}

function policiesOf(settings: RateLimitSettings): Policy[] {
  const { addressRequests, feedRequests, feedMs, keyRequests, keyMs, organizationRequests, organizationMs } = settings
  const policies = [
    { name: 'address-requests', quota: addressRequests, windowMs: MINUTE_MS, by: 'id', of: 'requests' },
    { name: 'feed-requests', quota: feedRequests, windowMs: MINUTE_MS, by: 'organizationId', of: 'requests' },
    { name: 'feed-time', quota: feedMs, windowMs: SECOND_MS, by: 'organizationId', of: 'time' },
    { name: 'key-requests', quota: keyRequests, windowMs: MINUTE_MS, by: 'id', of: 'requests' },
    { name: 'key-time', quota: keyMs, windowMs: SECOND_MS, by: 'id', of: 'time' },
    {
      name: 'organization-requests',
      quota: organizationRequests,
      windowMs: MINUTE_MS,
      by: 'organizationId',
      of: 'requests',
    },
    { name: 'organization-time', quota: organizationMs, windowMs: SECOND_MS, by: 'organizationId', of: 'time' },
  ] as const
  return policies.flatMap(({ quota, ...policy }) => (quota === undefined ? [] : [{ quota, ...policy }]))
}

/** An item of `RateLimit-Policy`: quota, window in seconds, unit if it is not requests. */
function describePolicy({ name, quota, windowMs, of }: Policy): string {
  return `"${name}";q=${quota};w=${windowMs / SECOND_MS}${of === 'time' ? ';qu="milliseconds"' : ''}`
}

/** An item of `RateLimit`: remaining quota, and seconds until it is full again. */
function describe({ tokens, policy: { name, quota, windowMs } }: Bucket): string {
  const untilFull = Math.ceil(((quota - tokens) * windowMs) / quota / SECOND_MS)
  return `"${name}";r=${Math.max(0, Math.floor(tokens))};t=${untilFull}`
}

const WHOSE: Readonly<Record<string, string>> = {
  address: 'an address',
  feed: 'all readers of the open feed together',
  key: 'this API key',
  organization: 'this organization',
}

/** Until it allows a request; not above 0 if it does. */
function waitMs({ tokens, policy: { quota, windowMs, of } }: Bucket): number {
  return (((of === 'requests' ? 1 : 0) - tokens) * windowMs) / quota
}

function tooMany(bucket: Bucket): Problem {
  const { name, quota, of } = bucket.policy
  const seconds = Math.max(1, Math.ceil(waitMs(bucket) / SECOND_MS))
  const limit = of === 'requests' ? `${quota} requests a minute` : `${quota} milliseconds of processing time a second`
  const whose = WHOSE[name.slice(0, name.indexOf('-'))]
  const message = `The operator of this service allows ${whose} ${limit}. Please try again in ${seconds} s.`
  return new Problem('too-many-requests', message, { headers: { 'retry-after': String(seconds) } })
}
