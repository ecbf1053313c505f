import { callersMix, sampleSlots } from './callers.ts'
import { start } from './processes.ts'
import { type Bench, type Serving, SLOTS_PATH, storeOf } from './serving.ts'
import type { TurnProbe } from './turns.ts'

/** The longest that one request or commit may hold the event loop. */
const TURN_MS_MAX = 5
const EXPORTS = ['text/csv', 'application/x-ndjson']
const LARGE_STATE = 'state=CA'

/** A service whose turns are measured. */
export interface ProbedService {
  readonly bench: Bench
  readonly node: Serving
  /** The name of its store. */
  readonly store: string
  readonly probe: TurnProbe
}

/** The longest turns of the serving thread with one request at a time: while slots change every second, and while it exports. */
export async function measureLongTurns(service: ProbedService): Promise<void> {
  const { bench, node, store } = service
  const changing = await start(['bench/changing-source.ts'], await storeOf(bench, store))
  try {
    const searches = callersMix(await sampleSlots(node), 100_000, 2)
    await node.load(searches, { seconds: 1, connections: 1 })
    await measureLongest(service, 'pages one at a time and commits', async () => {
      await node.load(searches, { seconds: 2 * bench.seconds, connections: 1 })
    })
    await measureLongest(service, 'exports and commits', async () => {
      for (const accept of EXPORTS) await exportSlots(node, accept)
    })
  } finally {
    await changing.stop()
  }
}

/** The longest turn during some work. */
export async function measureLongest(
  { bench, node, probe }: ProbedService,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  await probe.take(node.child)
  await work()
  const { p50Ms, p99Ms, p999Ms, maxMs } = await probe.take(node.child)
  const rest = [p50Ms, p99Ms, p999Ms].map((ms) => ms.toFixed(2)).join(', ')
  bench.report.atMost(`longest turn, ${what}, ms of CPU time`, maxMs, TURN_MS_MAX, ` (p50, p99, p99.9: ${rest})`)
}

async function exportSlots({ port, key }: Serving, accept: string): Promise<void> {
  const url = `http://127.0.0.1:${port}${SLOTS_PATH}?${LARGE_STATE}`
  const { body, status } = await fetch(url, { headers: { 'x-api-key': key, accept } })
  if (status !== 200 || body === null) throw new Error(`Cannot measure: an export returned status ${status}`)
  for await (const _ of body);
}
