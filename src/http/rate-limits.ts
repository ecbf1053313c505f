// Hot path
import type { ServerResponse } from 'node:http'
import { MINUTE_MS, SECOND_MS } from '../lib/time.ts'
import type { FairCaller } from './fair-queue.ts'
import { Problem } from './problem.ts'

/** Limits that an operator may set: requests per minute, and milliseconds of thread time per second. */
export interface RateLimitSettings {
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
  tokens: number
  atMs: number
}

/**
 * Token buckets in the memory of one serving thread, by key and by organization: each holds at most the quota, and fills at the rate of
 * the quota in a window. A request needs a token in each; its thread time is taken afterwards. The store is not involved.
 */
export class RateLimits {
  readonly #policies: readonly Policy[]
  readonly #policyHeader: string
  readonly #buckets: readonly Map<string, Bucket>[]
  /** In milliseconds; must not decrease. */
  readonly #now: () => number

  constructor(settings: RateLimitSettings, now: () => number) {
    this.#policies = policiesOf(settings)
    this.#policyHeader = this.#policies.map(describePolicy).join(', ')
    this.#buckets = this.#policies.map(() => new Map())
    this.#now = now
  }

  /**
   * Takes the token of a request and sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). Throws
   * `Problem('too-many-requests')` if a limit is reached; then no token is taken.
   */
  take(caller: FairCaller, response: ServerResponse): void {
    const nowMs = this.#now()
    const buckets = this.#policies.map((policy, n) => this.#bucketOf(n, policy, caller[policy.by], nowMs))
    const reached = this.#policies.findIndex((policy, n) => buckets[n].tokens < (policy.of === 'requests' ? 1 : 0))
    if (reached === -1) for (const [n, { of }] of this.#policies.entries()) if (of === 'requests') buckets[n].tokens--
    response.setHeader('RateLimit-Policy', this.#policyHeader)
    response.setHeader('RateLimit', this.#policies.map((policy, n) => describe(policy, buckets[n])).join(', '))
    if (reached !== -1) throw tooMany(this.#policies[reached], buckets[reached])
  }

  /** Charges thread time. */
  spend(caller: FairCaller, usedMs: number): void {
    const nowMs = this.#now()
    for (const [n, policy] of this.#policies.entries())
      if (policy.of === 'time') this.#bucketOf(n, policy, caller[policy.by], nowMs).tokens -= usedMs
  }

  #bucketOf(n: number, { quota, windowMs }: Policy, id: string, nowMs: number): Bucket {
    const buckets = this.#buckets[n]
    let bucket = buckets.get(id)
    if (bucket === undefined) {
      if (buckets.size >= BUCKETS_MAX) buckets.clear()
      bucket = { tokens: quota, atMs: nowMs }
      buckets.set(id, bucket)
    }
    bucket.tokens = Math.min(quota, bucket.tokens + ((nowMs - bucket.atMs) * quota) / windowMs)
    bucket.atMs = nowMs
    return bucket
  }
}

/** More active keys than a service has; beyond it all start over. */
const BUCKETS_MAX = 100_000

/** The limits that are set; undefined if none is. */
export function rateLimitsOf(settings: RateLimitSettings): RateLimits | undefined {
  return policiesOf(settings).length === 0 ? undefined : new RateLimits(settings, () => performance.now())
}

function policiesOf({ keyRequests, keyMs, organizationRequests, organizationMs }: RateLimitSettings): Policy[] {
  const policies = [
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

/** An item of `RateLimit`: remaining quota, and seconds until it is whole again. */
function describe({ name, quota, windowMs }: Policy, { tokens }: Bucket): string {
  const untilFull = Math.ceil(((quota - tokens) * windowMs) / quota / SECOND_MS)
  return `"${name}";r=${Math.max(0, Math.floor(tokens))};t=${untilFull}`
}

function tooMany({ name, quota, windowMs, of }: Policy, { tokens }: Bucket): Problem {
  const missing = of === 'requests' ? 1 - tokens : -tokens
  const seconds = Math.max(1, Math.ceil((missing * windowMs) / quota / SECOND_MS))
  const limit = of === 'requests' ? `${quota} requests a minute` : `${quota} milliseconds of processing time a second`
  const whose = name.startsWith('key') ? 'this API key' : 'this organization'
  const message = `The operator of this service allows ${whose} ${limit}. Please try again in ${seconds} s.`
  return new Problem('too-many-requests', message, { headers: { 'retry-after': String(seconds) } })
}
