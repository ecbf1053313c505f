import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { secondsSinceStart } from './figures.ts'
import type { TortureRun } from './torture-run.ts'

export type Disaster = 'node' | 'database' | 'both'

/** Causes a fault, and resolves when all have recovered. */
export async function causeDisaster(disaster: Disaster, run: TortureRun, cluster: Cluster): Promise<void> {
  await Promise.all([
    disaster === 'database' ? undefined : killNode(run),
    disaster === 'node' ? undefined : failOver(run, cluster),
  ])
}

/** No other node syncs the sources that the killed node was reading until its leases end. */
const LEASE_MS = 30_000

async function killNode({ nodes, outages, figures, served }: TortureRun): Promise<void> {
  const node = nodes[Math.floor(Math.random() * nodes.length)]
  console.log(`${secondsSinceStart()}: ${node.name} is killed`)
  const endOutage = outages.begin(node.name)
  const endLeases = outages.begin('lease')
  figures.kills++
  await node.kill()
  await sleep(Math.random() * 1500)
  served.restarts(node)
  await node.start()
  console.log(`${secondsSinceStart()}: ${node.name} is ready`)
  endOutage()
  setTimeout(endLeases, LEASE_MS).unref()
}

/** Nodes try to reconnect every 400 ms. */
const RECONNECTED_MS_MAX = 1000

async function failOver({ outages, figures }: TortureRun, cluster: Cluster): Promise<void> {
  console.log(`${secondsSinceStart()}: the primary is killed`)
  const endOutage = outages.begin('database')
  const endLeases = outages.begin('lease')
  figures.failovers++
  await cluster.failOver(Math.random() * 3000)
  console.log(`${secondsSinceStart()}: the standby took over`)
  setTimeout(endOutage, RECONNECTED_MS_MAX).unref()
  await cluster.restoreStandby()
  console.log(`${secondsSinceStart()}: there is a standby again`)
  setTimeout(endLeases, LEASE_MS).unref()
}
