import { MINUTE_MS } from '../lib/time.ts'

/** The number of requests, of one key or of all, that a thread keeps for the request log between two drains. */
export const LOGGED_PER_DRAIN = 500

/** The number of network addresses of a key: in a batch, and in the store. The least recently seen are dropped first. */
export const ADDRESSES_PER_KEY = 50

/** The last use of an address is written at most once a minute. */
export const ADDRESS_SEEN_EVERY_MS = MINUTE_MS

/** Identifies a batch, so that the store adds it once even if it is sent again. */
export interface UsageBatchId {
  readonly meter: string
  /** Ascending: a meter sends one batch again until it is stored. */
  readonly number: number
}

/** The usage counted since the last drain. `bucket` is an index into `LATENCY_BOUNDS_US`. */
export interface UsageBatch {
  readonly id?: UsageBatchId
  readonly requests: readonly (UsageCount & { readonly status: number })[]
  readonly latencies: readonly (UsageCount & { readonly bucket: number })[]
  /** For the request log: of each key the newest, in order of time. */
  readonly logged: readonly LoggedRequest[]
  /** The network addresses that used each key, one row per key and address. */
  readonly addresses: readonly AddressUse[]
  /** When each key was last used. */
  readonly lastUsed: ReadonlyMap<string, number>
  readonly referrals: readonly ReferralCount[]
}

/** Nothing was counted. */
export const EMPTY_USAGE: UsageBatch = {
  requests: [],
  latencies: [],
  logged: [],
  addresses: [],
  lastUsed: new Map(),
  referrals: [],
}

/** Referrals to the booking pages of a publisher on a day (UTC). */
export interface ReferralCount {
  /** The slug of the source. */
  readonly publisher: string
  readonly dayMs: number
  readonly count: number
}

interface UsageCount {
  readonly keyId: string
  readonly hourMs: number
  readonly count: number
}

/** When a key was last used from an address. */
export interface AddressUse {
  readonly keyId: string
  readonly address: string
  readonly atMs: number
}

/** A request in the request log. Texts are redacted, and bounded by `LOGGED_LENGTHS`. */
export interface LoggedRequest extends Partial<LoggedProblem> {
  readonly keyId: string
  readonly atMs: number
  readonly method: string
  readonly target: string
  readonly status: number
  readonly durationUs: number
  readonly requestId: string
  readonly userAgent?: string
  /** The network address; absent if the operator has switched it off. */
  readonly address?: string
  /** How many requests of the key directly before this one are not in the log, because more arrived than it takes. */
  readonly leftOut: number
}

/** The error in a response. */
export interface LoggedProblem {
  /** The title: "Invalid parameter". */
  readonly error: string
  readonly message: string
  /** The parameter that was wrong. */
  readonly parameter?: string | undefined
}

/** Merges two batches, which may overlap in time: adds the counts and keeps the newest requests of each key. */
export function mergeUsage(earlier: UsageBatch, later: UsageBatch): UsageBatch {
  return {
    requests: sumCounts(earlier.requests, later.requests, ({ status }) => status),
    latencies: sumCounts(earlier.latencies, later.latencies, ({ bucket }) => bucket),
    logged: newestLogged([...earlier.logged, ...later.logged]),
    addresses: newestAddresses([...earlier.addresses, ...later.addresses]),
    lastUsed: latest(earlier.lastUsed, later.lastUsed),
    referrals: sumReferrals([...earlier.referrals, ...later.referrals]),
  }
}

/**
 * How many requests of each key are kept if all together may be `LOGGED_PER_DRAIN`: max-min fairness, at least one. A key with fewer
 * requests than its share keeps all of them.
 */
export function loggedPerKey(counts: readonly number[]): number {
  let left = LOGGED_PER_DRAIN
  let keys = counts.length
  for (const count of counts.toSorted((a, b) => a - b)) {
    const share = Math.floor(left / keys--)
    if (count > share) return Math.max(1, share)
    left -= count
  }
  return LOGGED_PER_DRAIN
}

/** Adds the counts of the same key, hour and kind. */
function sumCounts<C extends UsageCount>(
  earlier: readonly C[],
  later: readonly C[],
  kindOf: (count: C) => number,
): C[] {
  const sums = new Map<string, C>()
  for (const each of [...earlier, ...later]) {
    const name = `${each.hourMs} ${kindOf(each)} ${each.keyId}`
    const sum = sums.get(name)
    sums.set(name, sum === undefined ? each : { ...sum, count: sum.count + each.count })
  }
  return [...sums.values()]
}

/** Adds the counts of the same publisher and day. */
function sumReferrals(referrals: readonly ReferralCount[]): ReferralCount[] {
  const sums = new Map<string, ReferralCount>()
  for (const each of referrals) {
    const name = `${each.dayMs} ${each.publisher}`
    sums.set(name, { ...each, count: each.count + (sums.get(name)?.count ?? 0) })
  }
  return [...sums.values()]
}

/** Counts dropped requests in the oldest one of the key that stays. */
function newestLogged(logged: readonly LoggedRequest[]): LoggedRequest[] {
  const byKey = Map.groupBy(logged, ({ keyId }) => keyId)
  const max = loggedPerKey([...byKey.values()].map(({ length }) => length))
  const kept = [...byKey.values()].flatMap((requests) => newestOfKey(requests, max))
  return kept.sort((a, b) => a.atMs - b.atMs)
}

function newestOfKey(requests: readonly LoggedRequest[], max: number): LoggedRequest[] {
  if (requests.length <= max) return [...requests]
  const inOrder = requests.toSorted((a, b) => a.atMs - b.atMs)
  const [first, ...rest] = inOrder.slice(-max)
  const dropped = inOrder.slice(0, -max)
  const leftOut = dropped.reduce((sum, request) => sum + request.leftOut + 1, first.leftOut)
  return [{ ...first, leftOut }, ...rest]
}

function newestAddresses(uses: readonly AddressUse[]): AddressUse[] {
  const newest = new Map<string, AddressUse>()
  const left = new Map<string, number>()
  for (const use of uses.toSorted((a, b) => b.atMs - a.atMs)) {
    const name = `${use.keyId} ${use.address}`
    const room = left.get(use.keyId) ?? ADDRESSES_PER_KEY
    if (newest.has(name) || room === 0) continue
    left.set(use.keyId, room - 1)
    newest.set(name, use)
  }
  return [...newest.values()]
}

function latest(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): Map<string, number> {
  const times = new Map(a)
  for (const [keyId, atMs] of b) times.set(keyId, Math.max(atMs, times.get(keyId) ?? atMs))
  return times
}
