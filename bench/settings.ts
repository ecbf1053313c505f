import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { median } from './report.ts'
import { type Bench, type Serving, serving } from './serving.ts'

/** Every limit, so high that no request is refused. */
const HIGH_LIMITS = {
  RATE_LIMIT_KEY_REQUESTS: '1000000000',
  RATE_LIMIT_KEY_MS: '1000',
  RATE_LIMIT_ORGANIZATION_REQUESTS: '1000000000',
  RATE_LIMIT_ORGANIZATION_MS: '1000',
}

/** Many and short, because the load of a machine changes from second to second. */
const PAIRS = 60
const SECONDS = 1

/** What rate limits cost, if none is reached. */
export async function measureRateLimits(bench: Bench): Promise<void> {
  await measureSetting(bench, { name: 'all rate limits', env: HIGH_LIMITS, goal: 1.02 })
}

/** What the export of traces and metrics costs, with a collector in this process. */
export async function measureTracing(bench: Bench): Promise<void> {
  const collector = createServer((request, response) => void request.resume().on('end', () => response.end('{}')))
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  try {
    const { port } = collector.address() as AddressInfo
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_METRIC_EXPORT_INTERVAL: '10000' }
    await measureSetting(bench, { name: 'OpenTelemetry, 1 % of requests traced', env, goal: 1.05 })
  } finally {
    collector.close()
    collector.closeAllConnections()
  }
}

interface Setting {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
  readonly goal: number
}

/**
 * CPU time of a request with a setting, relative to one without: two services on one store are asked in turn (A B B A …),
 * because CPU time grows with the load of the machine. Of the cheapest request there is.
 */
async function measureSetting(bench: Bench, { name, env, goal }: Setting): Promise<void> {
  const off = await serving(bench, 'large')
  try {
    const on = await serving(bench, 'large', env)
    try {
      for (const service of [off, on]) await costOf(service)
      const pairs: Pair[] = []
      for (let n = 0; n < PAIRS; n++) pairs.push(await measurePair({ off, on }, n))
      const ratios = pairs.map((pair) => pair.on / pair.off).sort((one, other) => one - other)
      // The 95 % confidence interval of a median, by the binomial distribution.
      const [low, high] = [-0.98, 0.98].map((by) => ratios[Math.round(PAIRS / 2 + by * Math.sqrt(PAIRS))].toFixed(3))
      const [without, withIt] = (['off', 'on'] as const).map((which) => median(pairs.map((pair) => pair[which])))
      const note = ` (${low} to ${high} with 95 % confidence; ${without.toFixed(1)} and ${withIt.toFixed(1)} µs)`
      bench.report.atMost(`CPU time of a page with ${name}, relative to none`, median(ratios), goal, note)
    } finally {
      await on.stop()
    }
  } finally {
    await off.stop()
  }
}

/** Microseconds. */
interface Pair {
  readonly off: number
  readonly on: number
}

async function measurePair({ off, on }: { readonly off: Serving; readonly on: Serving }, n: number): Promise<Pair> {
  if (n % 2 === 1) return { on: await costOf(on), off: await costOf(off) }
  return { off: await costOf(off), on: await costOf(on) }
}

/** Microseconds of CPU time of the thread that serves, per request. */
async function costOf(service: Serving): Promise<number> {
  const before = await cpuNs(service)
  const { requestsPerSecond } = await service.load([''], { seconds: SECONDS })
  return ((await cpuNs(service)) - before) / (requestsPerSecond * SECONDS) / 1000
}

/** Of the main thread: those beside it work the same with and without it, however many requests come. */
async function cpuNs({ child }: Serving): Promise<number> {
  return Number((await readFile(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8')).split(' ')[0])
}
