import { setTimeout as pause } from 'node:timers/promises'
import { Caller, COSTLY_PATHS, type CostlyPath, plainPath } from '../test/support/caller-load.ts'
import { GreedyCaller } from '../test/support/greedy-caller.ts'
import { Visitor } from '../test/support/visitor.ts'
import { slotsCommand } from './processes.ts'
import { type Bench, serving, storeOf } from './serving.ts'

const GREEDY_CONNECTIONS = 64
/** The second caller is measured, not the capacity of the machine. */
const PLAIN = { connections: 4, pathOf: plainPath, pauseMs: 2 }

/**
 * p50 and p99 of a caller of plain pages while another caller asks for what costs most, on 64 connections and each request different,
 * relative to its figures alone, measured right before.
 */
export async function measureFairness(bench: Bench): Promise<void> {
  const greedy = await serving(bench, 'large')
  try {
    const origin = `http://127.0.0.1:${greedy.port}`
    const plain = new Caller({ ...PLAIN, origin, headers: { 'x-api-key': await otherKey(bench) } })
    const visitor = await Visitor.signUp(
      { origin, home: `http://localhost:${greedy.port}` },
      `${Date.now()}@example.org`,
    )
    for (const path of Object.keys(COSTLY_PATHS) as CostlyPath[]) {
      const headers = path === 'Explore' ? visitor.headers : { 'x-api-key': greedy.key }
      const load = { origin, headers, connections: GREEDY_CONNECTIONS, path, first: 0 }
      await measureBeside(bench, plain, path, () => GreedyCaller.start(load))
    }
    await plain.stop()
  } finally {
    await greedy.stop()
  }
}

async function measureBeside(
  bench: Bench,
  plain: Caller,
  name: string,
  startOther: () => Promise<GreedyCaller>,
): Promise<void> {
  await pause(1000)
  plain.take()
  await pause(bench.seconds * 1000)
  const alone = plain.take()
  const other = await startOther()
  await pause(1000)
  plain.take()
  await other.take()
  await pause(bench.seconds * 1000)
  const beside = plain.take()
  const statuses = await other.take()
  await other.stop()
  const ms = (figure: number) => figure.toFixed(1)
  const note =
    ` (p50 ${ms(alone.p50Ms)} and ${ms(beside.p50Ms)} ms, p99 ${ms(alone.p99Ms)} and ${ms(beside.p99Ms)} ms;` +
    ` the other caller: ${JSON.stringify(statuses)})`
  bench.report.atMost(`p99 beside ${name}, relative to alone`, beside.p99Ms / alone.p99Ms, 2, note)
}

/** A key of another organization. The service learns of it within a second. */
async function otherKey(bench: Bench): Promise<string> {
  const store = await storeOf(bench, 'large')
  const organization = `Other ${Date.now()}`
  await slotsCommand(store, 'org', 'create', organization)
  const { key } = (await slotsCommand(store, 'key', 'create', '--org', organization)) as { key: string }
  await pause(1000)
  return key
}
