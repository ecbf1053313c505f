import { RECENT_HELD } from './key-usage.ts'
import type { UsageBatch } from './usage-batch.ts'

/** Two batches as one: counts are added, and of each key's requests the newest stay. They may overlap in time. */
export function mergeUsage(earlier: UsageBatch, later: UsageBatch): UsageBatch {
  return {
    requests: added(earlier.requests, later.requests, ({ status }) => status),
    latencies: added(earlier.latencies, later.latencies, ({ bucket }) => bucket),
    recent: newestOfEach([...earlier.recent, ...later.recent]),
    lastUsed: latest(earlier.lastUsed, later.lastUsed),
  }
}

interface Count {
  readonly keyId: string
  readonly hourMs: number
  readonly count: number
}

/** Counts of the same key, hour and kind are one. */
function added<C extends Count>(
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
