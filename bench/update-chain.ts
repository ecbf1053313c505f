import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { smartLinks } from '../src/feeds/smart-links/connector.ts'
import { openStore } from '../src/store/open-store.ts'
import { type SyncRun, syncSource } from '../src/sync/sync-source.ts'

// node bench/update-chain.ts [--slots 1000000] [--changes 100] [--updates 10] [--database postgres://…]: reads a feed of Bulk Publish as a
// whole, then follows its chain. Prints the time and the CPU time of this process for each; the publisher is another process.

const { values } = parseArgs({
  options: {
    slots: { type: 'string', default: '1000000' },
    changes: { type: 'string', default: '100' },
    updates: { type: 'string', default: '10' },
    database: { type: 'string' },
  },
})
const folder = await mkdtemp(join(tmpdir(), 'slots-bench-chain-'))
const store = await openStore(values.database ?? `sqlite:${join(folder, 'slots.db')}`)
const publisher = spawn(process.execPath, ['bench/chain-publisher.ts', values.slots, values.changes], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const [address] = (await once(publisher.stdout, 'data')) as [Buffer]
  const url = address.toString().trim()
  await store.sources.add({ slug: 'chain', url, strict: false, slotsMax: 10_000_000 })
  const whole = await measure('read as a whole')
  const costs: Cost[] = []
  for (let update = 1; update <= Number(values.updates); update++) {
    await fetch(new URL('/update', url), { method: 'POST' })
    costs.push(await measure(`update ${update}`))
  }
  const middle = (of: keyof Cost) =>
    costs.map((cost) => cost[of]).sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0
  const share = (of: keyof Cost) => `${((100 * middle(of)) / whole[of]).toFixed(2)} %`
  console.log(`median update: ${share('ms')} of the time, ${share('cpuMs')} of the CPU time of a read as a whole`)
} finally {
  publisher.kill()
  await store.close()
  await rm(folder, { recursive: true, force: true })
}

interface Cost {
  readonly ms: number
  readonly cpuMs: number
}

async function measure(what: string): Promise<Cost> {
  const started = performance.now()
  const cpu = process.cpuUsage()
  const run = await sync()
  const { user, system } = process.cpuUsage(cpu)
  const cost = { ms: performance.now() - started, cpuMs: (user + system) / 1000 }
  const { outcome, added, changed, removed, error = '' } = run.outcome
  const slots = `${outcome}, ${added} added, ${changed} changed, ${removed} removed ${error}`
  console.log(`${what}: ${cost.ms.toFixed(0)} ms, ${cost.cpuMs.toFixed(0)} ms CPU: ${slots}`)
  return cost
}

async function sync(): Promise<SyncRun> {
  const connector = smartLinks({ allowPrivate: true })
  const dependencies = { store, connectorOf: () => connector, clock: Date.now, random: () => 0, everyMsDefault: 60_000 }
  const run = await syncSource(dependencies, 'chain')
  if (run === undefined) throw new Error('Cannot measure: another process syncs the source')
  return run
}
