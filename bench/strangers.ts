import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Caller, plainPath } from '../test/support/caller-load.ts'
import { start } from './processes.ts'
import { median } from './report.ts'
import { type Bench, type Serving, serving } from './serving.ts'
import { type TurnProbe, turnProbe } from './turns.ts'

/** Pairs of a measurement without and one with the attack, in turn, because the load of a machine changes from minute to minute. */
const PAIRS = 5

/** As in test/security/sockets.full.test.ts: idle, dribbling, silent and never reading. */
const SOCKETS = ['10000', '2000', '700', '400']

/** What a caller notices, and what the thread that serves does. */
interface Measured {
  readonly p50Ms: number
  readonly p99Ms: number
  /** The 99th percentile of CPU time without a break. */
  readonly busyMs: number
  /** CPU time per second. */
  readonly usedMs: number
}

const FIGURES = [
  ['p50Ms', 'p50'],
  ['busyMs', 'p99 of CPU time without a break'],
  ['usedMs', 'CPU time of the thread per second'],
] as const

/** A caller with a key beside strangers who open thousands of sockets, and beside bad readers of the open feed. On Linux. */
export async function measureStrangers(bench: Bench): Promise<void> {
  await using probe = turnProbe()
  const service = await serving(bench, 'large', { ...probe.env, OPEN_FEED: 'true', TRUSTED_PROXIES: '1' })
  const origin = `http://127.0.0.1:${service.port}`
  const headers = { 'x-api-key': service.key }
  const caller = new Caller({ origin, headers, connections: 2, pathOf: plainPath, pauseMs: 2 })
  try {
    const sockets = ['test/security/hold-sockets.ts', String(service.port), '/docs/api', ...SOCKETS]
    const readers = ['test/security/bad-readers.ts', String(service.port), await largestFile(origin)]
    const measure = () => measureCaller(service, caller, { seconds: bench.seconds, probe })
    await measureBeside(bench, measure, { what: '13,100 hostile sockets', attack: sockets, goal: 2 })
    await measureBeside(bench, measure, { what: 'bad readers of the open feed', attack: readers, goal: 1.5 })
  } finally {
    await caller.stop()
    await service.stop()
  }
}

async function measureBeside(
  { report }: Bench,
  measure: () => Promise<Measured>,
  { what, attack, goal }: { readonly what: string; readonly attack: readonly string[]; readonly goal: number },
): Promise<void> {
  const pairs: { without: Measured; beside: Measured }[] = []
  for (let n = 0; n < PAIRS; n++) {
    const without = await measure()
    const attacking = await start(attack)
    try {
      await pause(2000)
      pairs.push({ without, beside: await measure() })
    } finally {
      await attacking.stop()
    }
    // The service closes what the attack left.
    await pause(3000)
  }
  const of = (figure: keyof Measured) => {
    const ratios = pairs.map(({ without, beside }) => beside[figure] / without[figure]).sort((a, b) => a - b)
    const [without, beside] = (['without', 'beside'] as const).map((which) =>
      median(pairs.map((pair) => pair[which][figure])),
    )
    const note = ` (${without.toFixed(2)} and ${beside.toFixed(2)} ms; pairs ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`
    return { ratio: median(ratios), note }
  }
  const p99 = of('p99Ms')
  report.atMost(`p99 beside ${what}, relative to p99 without`, p99.ratio, goal, p99.note)
  for (const [figure, name] of FIGURES)
    report.known(`${name} beside ${what}, relative`, of(figure).ratio, of(figure).note)
}

async function measureCaller(
  { child }: Serving,
  caller: Caller,
  { seconds, probe }: { readonly seconds: number; readonly probe: TurnProbe },
): Promise<Measured> {
  await probe.take(child)
  caller.take()
  const [startedMs, usedBefore] = [performance.now(), await cpuMs(child.pid)]
  await pause(seconds * 1000)
  const { p50Ms, p99Ms, statuses } = caller.take()
  const usedMs = ((await cpuMs(child.pid)) - usedBefore) / ((performance.now() - startedMs) / 1000)
  if (Object.keys(statuses).join() !== '200') throw new Error(`Cannot measure: got ${JSON.stringify(statuses)}`)
  return { p50Ms, p99Ms, usedMs, busyMs: (await probe.take(child)).p99Ms }
}

/** Of the main thread, which serves. */
async function cpuMs(pid: number | undefined): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1e6
}

async function largestFile(origin: string): Promise<string> {
  const { output } = (await (await fetch(`${origin}/fhir/$bulk-publish`)).json()) as {
    output: { url: string; extension?: unknown; fileSize?: number; count?: number }[]
  }
  const [largest] = output.sort((one, other) => (other.count ?? 0) - (one.count ?? 0))
  return new URL(largest.url).pathname
}
