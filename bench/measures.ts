import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'
import { type Running, residentBytes, slotsCommand, start, untilReady } from './processes.ts'
import { questions, randomMix } from './queries.ts'
import { median } from './report.ts'
import { type Bench, type Serving, serve, serving, storeOf } from './serving.ts'

interface SyncView {
  readonly durationMs: number
  readonly read: number
}

/** Fills the stores: the first sync of a feed, and a second one after one percent of the slots changed. */
export async function measureSyncs(bench: Bench, largeUrl: string, smallUrl: string): Promise<void> {
  const large = await storeOf(bench, 'large')
  const small = await storeOf(bench, 'small')
  for (const [store, url] of [
    [large, largeUrl],
    [small, smallUrl],
  ] as const) {
    // Once a minute, so that a scheduled sync can be measured without a long wait.
    const slotsMax = String(Math.ceil(bench.slots * 1.25))
    await slotsCommand(store, 'source', 'add', 'bench', url, '--every', '1', '--slots-max', slotsMax)
  }
  await slotsCommand(small, 'sync', 'bench')
  const first = (await slotsCommand(large, 'sync', 'bench')) as SyncView
  bench.report.atLeast('first sync, slots/s', rate(first), bench.databases.goals.firstSync)
  await fetch(new URL('/__change?share=0.01', largeUrl), { method: 'POST' })
  const second = (await slotsCommand(large, 'sync', 'bench')) as SyncView
  bench.report.atLeast('second sync, 1% changed, slots/s', rate(second), bench.databases.goals.secondSync)
}

const rate = ({ read, durationMs }: SyncView) => (read / durationMs) * 1000

/** Memory with all slots minus memory with none, and the time from start to ready. */
export async function measureLoading(bench: Bench): Promise<void> {
  const port = await freePort()
  const empty = await serve(await storeOf(bench, 'empty'), port)
  await untilReady(port)
  const without = await settledBytes(empty)
  await empty.stop()
  const startedMs = performance.now()
  const full = await serve(await storeOf(bench, 'large'), port)
  await untilReady(port)
  const seconds = (performance.now() - startedMs) / 1000
  bench.report.atMost('restart until ready, s', seconds, bench.databases.goals.restartSeconds)
  const withAll = await settledBytes(full)
  await full.stop()
  bench.report.atMost('memory per slot, bytes', (withAll - without) / bench.slots, 400)
}

/** After the memory of the initial load is released. */
export async function settledBytes(running: Running): Promise<number> {
  await pause(10_000)
  return residentBytes(running.child)
}

/** Speed of every query with all slots, and of the mix of 1,000 relative to a hundredth of them. */
export async function measureServing(bench: Bench): Promise<void> {
  const large = await serving(bench, 'large')
  const small = await serving(bench, 'small')
  try {
    await measureQuestions(bench, large)
    const mixes = {
      large: await randomMix(1000, large.count, 2),
      small: await randomMix(1000, small.count, 2),
    }
    const flat: number[] = []
    for (let round = 0; round < bench.rounds; round++) {
      const few = await small.load(mixes.small)
      const many = await large.load(mixes.large)
      flat.push(many.requestsPerSecond / few.requestsPerSecond)
    }
    bench.report.atLeast('mix of 1,000: all slots relative to a hundredth of them, ratio', median(flat), 0.9)
  } finally {
    for (const running of [small, large]) await running.stop()
  }
}

/** Speed of every query relative to a bare server with the same response size, alternately. */
export async function measureQuestions(bench: Bench, service: Serving): Promise<void> {
  const barePort = await freePort()
  const bytes = await service.pageBytes()
  const bare = await start(['bench/bare-server.ts', '--port', String(barePort), '--bytes', String(bytes)])
  try {
    await measureManyBodies(service, { barePort, bytes }, bench)
    for (const question of await questions(service.count)) {
      const ratios: number[] = []
      const p99s: number[] = []
      for (const port of [undefined, barePort]) {
        await service.load(question.searches, { seconds: 1, ...(port && { port }) })
      }
      for (let round = 0; round < bench.rounds; round++) {
        const base = await service.load(question.searches, { port: barePort })
        const ours = await service.load(question.searches)
        ratios.push(ours.requestsPerSecond / base.requestsPerSecond)
        p99s.push(ours.p99Ms)
      }
      bench.report.atLeast(
        `${question.name}, ratio to bare`,
        median(ratios),
        question.goal,
        ` (p99 ${median(p99s)} ms)`,
      )
    }
  } finally {
    await bare.stop()
  }
}

/** A bare server with as many bodies as the mix of 1,000 has, relative to one body: what the mix could reach at most. */
async function measureManyBodies(
  { load }: Serving,
  { barePort, bytes }: { barePort: number; bytes: number },
  { rounds, report }: Bench,
): Promise<void> {
  const port = await freePort()
  const args = ['--port', String(port), '--bytes', String(bytes), '--bodies', '1000']
  const many = await start(['bench/bare-server.ts', ...args])
  try {
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const one = await load([''], { port: barePort })
      ratios.push((await load([''], { port })).requestsPerSecond / one.requestsPerSecond)
    }
    report.known('bare server with 1,000 bodies, ratio to bare', median(ratios))
  } finally {
    await many.stop()
  }
}

/** Long enough for a sync of a million slots under full load on two cores. */
const SYNC_SECONDS = 45

/** p99 while the service syncs a feed with ten percent changes, relative to p99 at rest. */
export async function measureServingDuringSync(bench: Bench, largeUrl: string): Promise<void> {
  const large = await serving(bench, 'large')
  try {
    const mix = await randomMix(1000, large.count, 3)
    await nextSync(bench, SYNC_SECONDS / 2)
    const rest = await large.load(mix, { seconds: Math.floor(SYNC_SECONDS / 3) })
    await nextSync(bench, 15)
    await fetch(new URL('/__change?share=0.1', largeUrl), { method: 'POST' })
    await nextSync(bench, 1)
    const before = await source(bench)
    const busy = await large.load(mix, { seconds: SYNC_SECONDS })
    const { lastSync } = await source(bench)
    if (lastSync.startedAt === before.lastSync.startedAt || lastSync.changed === 0) {
      throw new Error('Cannot measure: the sync did not start and end during the load')
    }
    const note = ` (${busy.p99Ms} and ${rest.p99Ms} ms; the sync took ${lastSync.durationMs / 1000} s)`
    bench.report.atMost('p99 during a sync of 10%, relative to p99 at rest', busy.p99Ms / rest.p99Ms, 2, note)
  } finally {
    await large.stop()
  }
}

interface SourceView {
  readonly nextSyncAt: string
  readonly lastSync: { readonly startedAt: string; readonly changed: number; readonly durationMs: number }
}

async function source(bench: Bench): Promise<SourceView> {
  const [view] = (await slotsCommand(await storeOf(bench, 'large'), 'source', 'list')) as SourceView[]
  return view
}

/** Waits until the next sync is `seconds` ahead. */
async function nextSync(bench: Bench, secondsBefore: number): Promise<void> {
  for (;;) {
    const aheadMs = Date.parse((await source(bench)).nextSyncAt) - Date.now() - secondsBefore * 1000
    if (aheadMs > 0) return pause(aheadMs)
    await pause(2000)
  }
}
