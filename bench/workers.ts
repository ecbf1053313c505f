import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../test/support/free-port.ts'
import { findGenerator } from './load.ts'
import { type Running, residentBytes, slotsCommand, start, untilReady } from './processes.ts'
import { randomMix } from './queries.ts'
import { median } from './report.ts'

// node bench/workers.ts [--slots 1000000 --seconds 4 --rounds 3]: cost and benefit of WORKERS=2 and 3 relative to 1.

const { values } = parseArgs({
  options: {
    slots: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
  },
})
const WORKERS = [1, 2, 3]
const SLOTS_PATH = '/v1/scheduling/slots'
/** Linux counts CPU time in hundredths of a second (sysconf(_SC_CLK_TCK), the same on all supported platforms). */
const TICKS_PER_SECOND = 100

const folder = await mkdtemp(join(tmpdir(), 'slots-bench-'))
const env = { DATABASE_URL: `sqlite:${join(folder, 'slots.db')}`, ALLOW_PRIVATE_SOURCES: 'true' }
const publisher = await start(['bench/publisher.ts', '--slots', values.slots])
try {
  await slotsCommand(env, 'source', 'add', 'bench', publisher.firstLine, '--every', '1440')
  await slotsCommand(env, 'sync', 'bench')
  await publisher.stop()
  const { id } = (await slotsCommand(env, 'org', 'create', 'Bench')) as { id: string }
  const { key } = (await slotsCommand(env, 'key', 'create', '--org', id)) as { key: string }
  const loads = await paths(key)
  console.log(`${values.slots} slots, ${cpus().length} cores, node ${process.version}`)
  for (const workers of WORKERS) await measureMemory(workers)
  for (const [name, searches] of loads) await measureSpeed(name, searches, key)
} finally {
  await publisher.stop()
  await rm(folder, { recursive: true, force: true })
}

async function serve(workers: number): Promise<Running & { port: number; readyMs: number }> {
  const port = await freePort()
  const own = { ...env, PORT: String(port), HOST: '127.0.0.1', WORKERS: String(workers) }
  const startedMs = performance.now()
  const running = await start(['src/main.ts', 'serve'], own)
  await untilReady(port)
  return { ...running, port, readyMs: performance.now() - startedMs }
}

/** The requests: one page, cached pages, and assembled pages. */
async function paths(key: string): Promise<[string, string[]][]> {
  const node = await serve(1)
  const count = async (search: string) => {
    const response = await fetch(`http://127.0.0.1:${node.port}${SLOTS_PATH}?${search}`, {
      headers: { 'x-api-key': key },
    })
    return (JSON.parse(await response.text()) as { total: number }).total
  }
  const mixes: [string, string[]][] = [
    ['first page', ['']],
    ['mix of 1,000', await randomMix(1000, count)],
    ['mix of 100,000', await randomMix(100_000, count)],
  ]
  await node.stop()
  return mixes.map(([name, searches]) => [name, searches.map((search) => `${SLOTS_PATH}?${search}`)])
}

async function measureMemory(workers: number): Promise<void> {
  const node = await serve(workers)
  await pause(10_000)
  const mib = (await residentBytes(node.child)) / 2 ** 20
  console.log(`WORKERS=${workers}: ready after ${(node.readyMs / 1000).toFixed(1)} s, ${Math.round(mib)} MiB`)
  await node.stop()
}

/** Alternately, so that other load affects each equally; prints the load average. */
async function measureSpeed(name: string, paths: readonly string[], key: string): Promise<void> {
  const { generate } = await findGenerator()
  const nodes = await Promise.all(WORKERS.map(serve))
  const speeds = nodes.map((): number[] => [])
  const costs = nodes.map((): number[] => [])
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [n, { port, child }] of nodes.entries()) {
      const before = await processorSeconds(child.pid)
      const load = { port, paths, seconds: Number(values.seconds), key }
      const { requestsPerSecond, errors } = await generate(load)
      if (errors > 0) throw new Error(`Cannot measure: ${errors} requests failed`)
      const spent = (await processorSeconds(child.pid)) - before
      // The first round warms up.
      if (round === 0) continue
      speeds[n].push(requestsPerSecond)
      costs[n].push((spent / (requestsPerSecond * Number(values.seconds))) * 1e6)
    }
  }
  for (const node of nodes) await node.stop()
  for (const [n, workers] of WORKERS.entries()) {
    const ratios = speeds[n].map((speed, round) => speed / speeds[0][round])
    const ratio = `${median(ratios).toFixed(2)} (${ratios.map((each) => each.toFixed(2)).join(', ')})`
    console.log(
      `${name}, WORKERS=${workers}: ${ratio} of one, ${Math.round(median(speeds[n]))} requests/s, ` +
        `${median(costs[n]).toFixed(1)} µs of processor each; load average ${loadavg()[0].toFixed(1)}`,
    )
  }
}

/** CPU time of a process on all processors. */
async function processorSeconds(pid = 0): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / TICKS_PER_SECOND
}
