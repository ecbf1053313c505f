import { runAtOnce } from '../src/lib/steps.ts'
import { TimeZone } from '../src/lib/time-zone.ts'
import type { SlotFilters } from '../src/slot/slot-filters.ts'
import type { SlotIndex } from '../src/slot-index/slot-index.ts'
import { freePort } from '../test/support/free-port.ts'
import { type Running, start } from './processes.ts'
import { median } from './report.ts'
import { forget, sampleIndex } from './sample-index.ts'
import { type Bench, type Serving, serving } from './serving.ts'

const NEAR = { latitude: 40.71, longitude: -74.01, radiusKm: 25 }
const DAY_MS = 86_400_000

/** Filters that match nearly all, some and few of the slots, one for each access path of the index. */
const FILTERS: Readonly<Record<string, (nowMs: number) => Partial<SlotFilters>>> = {
  'one of 51 states': () => ({ states: ['CA'] }),
  'two states': () => ({ states: ['CA', 'TX'] }),
  virtual: () => ({ isVirtual: true }),
  'the most frequent service type': () => ({ serviceTypeCodes: ['124'] }),
  'a specialty': () => ({ specialty: 'Dermatology' }),
  'within 25 km': () => ({ near: NEAR }),
  'at least 30 minutes': () => ({ minDurationMs: 1_800_000 }),
  'the next ten days': (nowMs) => ({ startAfterMs: nowMs, startBeforeMs: nowMs + 10 * DAY_MS }),
  'ten days of a state': (nowMs) => ({
    states: ['CA'],
    startAfterMs: nowMs + 5 * DAY_MS,
    startBeforeMs: nowMs + 15 * DAY_MS,
  }),
  'a virtual specialty': () => ({ isVirtual: true, specialty: 'Dermatology' }),
  'a provider': () => ({ providerNpi: '1346271483' }),
}

/** Repeated HTTP requests; only the first two have a goal. */
const PATHS: readonly { readonly path: string; readonly goal?: number }[] = [
  { path: '/v1/scheduling/facets', goal: 0.8 },
  { path: '/v1/scheduling/facets?state=CA&timeZone=America/Los_Angeles', goal: 0.8 },
  { path: '/v1/scheduling/actors' },
  { path: '/v1/scheduling/actors?near=40.71,-74.01&sort=distance' },
  { path: '/v1/scheduling/publishers' },
]

/** Facets, actors and publishers: uncached cost in process, and speed of repeated requests. */
export async function measureAggregates(bench: Bench): Promise<void> {
  measureFirstTimes(bench)
  const large = await serving(bench, 'large')
  try {
    for (const { path, goal } of PATHS) await measureRepeated(bench, large, { path, goal })
  } finally {
    await large.stop()
  }
}

function measureFirstTimes({ slots, rounds, report }: Bench): void {
  const nowMs = Date.now()
  const index = sampleIndex(slots, nowMs)
  const timed = (work: (index: SlotIndex) => unknown) => firstTimeMs(index, nowMs, rounds, work)
  const facets = (filters: Partial<SlotFilters>) =>
    timed(() => JSON.stringify(runAtOnce(index.view(nowMs).counts.facets({ status: 'free', ...filters }, calendar))))
  const actors = { status: 'free', sort: 'start', limit: 25, offset: 0 } as const
  report.known('facets of all, uncached, ms', facets({}))
  for (const [name, filtersAt] of Object.entries(FILTERS)) {
    const filters = filtersAt(nowMs)
    report.atMost(`facets of ${name} the first time, ms`, facets(filters), 5)
    const ms = timed(() => runAtOnce(index.view(nowMs).counts.actors({ ...filters, ...actors })))
    report.atMost(`actors of ${name} the first time, ms`, ms, 5)
  }
  report.known(
    'actors of all, uncached, ms',
    timed(() => runAtOnce(index.view(nowMs).counts.actors(actors))),
  )
  const nearest = { ...actors, near: NEAR, sort: 'distance' } as const
  report.known(
    'nearest actors, uncached, ms',
    timed(() => runAtOnce(index.view(nowMs).counts.actors(nearest))),
  )
  report.known(
    'publishers, uncached, ms',
    timed(() => runAtOnce(index.view(nowMs).counts.publishers())),
  )
}

const zone = new TimeZone('America/New_York')

function calendar(ms: number): { date: string; endMs: number } {
  const [{ date }, next] = zone.daysFrom(ms, 2)
  return { date, endMs: next.startMs }
}

/** Clears the caches before each run; the first runs warm up the JIT compiler. */
export function firstTimeMs(
  index: SlotIndex,
  nowMs: number,
  rounds: number,
  work: (index: SlotIndex) => unknown,
): number {
  const times: number[] = []
  for (let round = 0; round < 5 + 3 * rounds; round++) {
    forget(index, nowMs)
    const startedMs = performance.now()
    work(index)
    if (round >= 5) times.push(performance.now() - startedMs)
  }
  return median(times)
}

/** Relative to a bare server with a response of the same size. */
export async function measureRepeated(
  bench: Bench,
  { port, key }: Serving,
  { path, goal }: { path: string; goal: number | undefined },
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': key } })
  const bytes = (await response.arrayBuffer()).byteLength
  const barePort = await freePort()
  const bare: Running = await start(['bench/bare-server.ts', '--port', String(barePort), '--bytes', String(bytes)])
  try {
    const load = async (at: number, seconds = bench.seconds) => {
      const result = await bench.generate({ port: at, paths: [path], seconds, key })
      if (result.errors > 0) throw new Error(`Cannot measure: ${result.errors} requests failed`)
      return result.requestsPerSecond
    }
    for (const at of [port, barePort]) await load(at, 1)
    const ratios: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      const base = await load(barePort)
      ratios.push((await load(port)) / base)
    }
    const name = `${path.replace('/v1/scheduling/', '')} (${bytes} bytes), ratio to bare`
    if (goal === undefined) bench.report.known(name, median(ratios))
    else bench.report.atLeast(name, median(ratios), goal)
  } finally {
    await bare.stop()
  }
}
