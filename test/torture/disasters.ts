import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { secondsSinceStart } from './figures.ts'
import type { Scene } from './scene.ts'

export type Disaster = 'node' | 'database' | 'both'

/** Lets it happen, and resolves when all have recovered. */
export async function strike(disaster: Disaster, scene: Scene, cluster: Cluster): Promise<void> {
  await Promise.all([
    disaster === 'database' ? undefined : killNode(scene),
    disaster === 'node' ? undefined : failOver(scene, cluster),
  ])
}

/** A sync that the node was at is nobody's for as long as its lease lasts: the trouble ends with that. */
const LEASE_MS = 30_000

async function killNode({ nodes, troubles, figures, shown }: Scene): Promise<void> {
  const node = nodes[Math.floor(Math.random() * nodes.length)]
  console.log(`${secondsSinceStart()}: ${node.name} is killed`)
  const isBack = troubles.begin(node.name)
  const isForgotten = troubles.begin('lease')
  figures.kills++
  await node.kill()
  await sleep(Math.random() * 1500)
  shown.restarts(node)
  await node.start()
  console.log(`${secondsSinceStart()}: ${node.name} is ready`)
  isBack()
  setTimeout(isForgotten, LEASE_MS).unref()
}

/** Nodes look for a primary every 400 ms. */
const FOUND_MS_MAX = 1000

async function failOver({ troubles, figures }: Scene, cluster: Cluster): Promise<void> {
  console.log(`${secondsSinceStart()}: the primary is killed`)
  const isBack = troubles.begin('database')
  const isForgotten = troubles.begin('lease')
  figures.failovers++
  await cluster.failOver(Math.random() * 3000)
  console.log(`${secondsSinceStart()}: the standby took over`)
  setTimeout(isBack, FOUND_MS_MAX).unref()
  await cluster.restoreStandby()
  console.log(`${secondsSinceStart()}: there is a standby again`)
  setTimeout(isForgotten, LEASE_MS).unref()
}
