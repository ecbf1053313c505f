import assert from 'node:assert/strict'
import { availableParallelism, loadavg } from 'node:os'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  Caller,
  type CallerLoad,
  type CallerResult,
  COSTLY_PATHS,
  type CostlyPath,
  plainPath,
} from '../support/caller-load.ts'
import { GreedyCaller } from '../support/greedy-caller.ts'
import { SERVICES_VARIABLE } from '../support/runner/shared-services.ts'
import { SampleService } from '../support/sample-service.ts'
import { Visitor } from '../support/visitor.ts'

const SLOTS = 200_000
const GREEDY_CONNECTIONS = 64
const ROUND_MS = 1500
/** Other processes of a machine make rounds worse, never better: one round within the bound proves it. */
const ROUNDS_MAX = 8
const RATIO_MAX = 2
/** Smaller figures are noise. */
const MS_MIN = 2

/** Where other test files or processes occupy the cores, p99 is the wait for a core: then only the median is compared. */
const IS_BUSY = process.env[SERVICES_VARIABLE] !== undefined || loadavg()[0] > availableParallelism() / 2

let sample: SampleService
let plain: Caller

before(async () => {
  sample = await SampleService.serve({ slots: SLOTS, env: { LOG_LEVEL: 'error' } })
  await sample.service.run('org', 'create', 'Plain')
  const { key } = await sample.service.run('key', 'create', '--org', 'Plain')
  await pause(1000)
  const headers = { 'x-api-key': String(key) }
  plain = new Caller({ origin: sample.service.origin, headers, connections: 4, pathOf: plainPath, pauseMs: 2 })
})

after(async () => {
  await plain.stop()
  await sample[Symbol.asyncDispose]()
})

for (const path of Object.keys(COSTLY_PATHS) as CostlyPath[]) {
  test(`one caller of ${path} on 64 connections leaves a plain caller's p99 within twice`, async (t) => {
    const isUser = path === 'Explore'
    const visitor = isUser ? await Visitor.signUp(sample.service, 'ada@example.org') : undefined
    await compare(t, path, visitor?.headers ?? { 'x-api-key': sample.key })
  })
}

/** Alternates rounds alone and beside the greedy caller, until one ratio is within the bound. */
async function compare(
  t: { diagnostic(message: string): void },
  path: CostlyPath,
  headers: CallerLoad['headers'],
): Promise<void> {
  const { origin } = sample.service
  const ratios: number[] = []
  while (ratios.length < ROUNDS_MAX && !ratios.some((ratio) => ratio <= RATIO_MAX)) {
    const alone = await measureRound()
    const first = ratios.length * 100_000
    const greedy = await GreedyCaller.start({ origin, headers, connections: GREEDY_CONNECTIONS, path, first })
    await pause(200)
    const beside = await measureRound()
    const statuses = await greedy.take()
    await greedy.stop()
    assert.ok((statuses[200] ?? 0) > 0, `the greedy caller is answered, too: ${JSON.stringify(statuses)}`)
    assert.deepEqual(Object.keys(beside.statuses), ['200'])
    const ofP99 = IS_BUSY ? 0 : ratioOf(beside.p99Ms, alone.p99Ms)
    ratios.push(Math.max(ratioOf(beside.p50Ms, alone.p50Ms), ofP99))
    t.diagnostic(`alone ${describe(alone)}, beside ${describe(beside)}`)
  }
  assert.ok(Math.min(...ratios) <= RATIO_MAX, `relative to alone: ${ratios.map((each) => each.toFixed(1))}`)
}

function ratioOf(besideMs: number, aloneMs: number): number {
  return besideMs / Math.max(aloneMs, MS_MIN)
}

function describe({ p50Ms, p99Ms }: CallerResult): string {
  return `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
}

async function measureRound(): Promise<CallerResult> {
  await pause(300)
  plain.take()
  await pause(ROUND_MS)
  return plain.take()
}
