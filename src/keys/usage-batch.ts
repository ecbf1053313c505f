/** The number of recent requests per key; a test compares it with the limit of the store (`RECENT_MAX`). */
export const RECENT_HELD = 100

/** The usage counted since the last drain. `bucket` is an index into `LATENCY_BOUNDS_US`. */
export interface UsageBatch {
  readonly requests: readonly (UsageCount & { readonly status: number })[]
  readonly latencies: readonly (UsageCount & { readonly bucket: number })[]
  /** The newest requests of each key, oldest first. */
  readonly recent: readonly (RecentRequest & { readonly keyId: string })[]
  /** When each key was last used. */
  readonly lastUsed: ReadonlyMap<string, number>
  readonly referrals: readonly ReferralCount[]
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

/** A request in the list of recent requests of a key. */
export interface RecentRequest {
  readonly atMs: number
  readonly method: string
  /** The request target, truncated to 500 characters. */
  readonly target: string
  readonly status: number
  readonly durationUs: number
  readonly requestId: string
}

/** Merges two batches, which may overlap in time: adds the counts and keeps the newest requests of each key. */
export function mergeUsage(earlier: UsageBatch, later: UsageBatch): UsageBatch {
  return {
    requests: sumCounts(earlier.requests, later.requests, ({ status }) => status),
    latencies: sumCounts(earlier.latencies, later.latencies, ({ bucket }) => bucket),
    recent: newestOfEach([...earlier.recent, ...later.recent]),
    lastUsed: latest(earlier.lastUsed, later.lastUsed),
    referrals: sumReferrals([...earlier.referrals, ...later.referrals]),
  }
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

function newestOfEach(recent: UsageBatch['recent']): UsageBatch['recent'] {
  const left = new Map<string, number>()
  const inOrder = recent.toSorted((a, b) => a.atMs - b.atMs)
  const newest = inOrder.reverse().filter(({ keyId }) => {
    const room = left.get(keyId) ?? RECENT_HELD
    left.set(keyId, room - 1)
    return room > 0
  })
  return newest.reverse()
}

function latest(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): Map<string, number> {
  const times = new Map(a)
  for (const [keyId, atMs] of b) times.set(keyId, Math.max(atMs, times.get(keyId) ?? atMs))
  return times
}
