import { readFile } from 'node:fs/promises'
import { median } from './report.ts'
import { type Bench, type Serving, serving } from './serving.ts'

/** Every limit, so high that no request is refused. */
const HIGH_LIMITS = {
  RATE_LIMIT_KEY_REQUESTS: '1000000000',
  RATE_LIMIT_KEY_MS: '1000',
  RATE_LIMIT_ORGANIZATION_REQUESTS: '1000000000',
  RATE_LIMIT_ORGANIZATION_MS: '1000',
}

const PAIRS = 40
const SECONDS = 1

/**
 * CPU time of a request with all rate limits, relative to one without: two services on one store are asked in turn (A B B A …),
 * because CPU time grows with the load of the machine. The lower quartiles, of the cheapest request there is.
 */
export async function measureRateLimits(bench: Bench): Promise<void> {
  const off = await serving(bench, 'large')
  try {
    const on = await serving(bench, 'large', HIGH_LIMITS)
    try {
      for (const service of [off, on]) await costOf(service)
      const pairs: { off: number; on: number }[] = []
      for (let n = 0; n < PAIRS; n++) {
        const first = n % 2 === 0 ? off : on
        const costs = new Map([[first, await costOf(first)]])
        const second = first === off ? on : off
        costs.set(second, await costOf(second))
        pairs.push({ off: costs.get(off) ?? 0, on: costs.get(on) ?? 0 })
      }
      const lowerQuartile = (which: 'off' | 'on') =>
        pairs.map((pair) => pair[which]).sort((one, other) => one - other)[PAIRS >> 2]
      const [without, limited] = [lowerQuartile('off'), lowerQuartile('on')]
      const ratio = median(pairs.map((pair) => pair.on / pair.off)).toFixed(3)
      const note = ` (${without.toFixed(1)} and ${limited.toFixed(1)} µs; median of the pairs ${ratio})`
      bench.report.atMost('CPU time of a page with all rate limits, relative to none', limited / without, 1.02, note)
    } finally {
      await on.stop()
    }
  } finally {
    await off.stop()
  }
}

/** Microseconds of CPU time of the thread that serves, per request. */
async function costOf(service: Serving): Promise<number> {
  const before = await cpuNs(service)
  const { requestsPerSecond } = await service.load([''], { seconds: SECONDS })
  return ((await cpuNs(service)) - before) / (requestsPerSecond * SECONDS) / 1000
}

/** Of the main thread: those beside it work the same with and without limits, however many requests come. */
async function cpuNs({ child }: Serving): Promise<number> {
  return Number((await readFile(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8')).split(' ')[0])
}
