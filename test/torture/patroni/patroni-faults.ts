import { setTimeout as sleep } from 'node:timers/promises'
import { LOSS } from '../outages.ts'
import type { TortureRun } from '../torture-run.ts'
import { type PatroniCluster, waitFor } from './patroni-cluster.ts'

const CUT_MS = 10_000

/** The time whose commits are lost with an asynchronous standby. */
const LOST_MS = 2500

const HOUR_S = 3600

export interface PatroniFault {
  readonly title: string
  /** Whether a node cannot use the database during the fault. */
  readonly cutsOff: boolean
  /** Resolves once the database confirms changes again. The returned function repairs the cluster. */
  readonly cause: (at: FaultContext) => Promise<(() => Promise<void>) | undefined>
}

export interface FaultContext {
  readonly cluster: PatroniCluster
  readonly run: TortureRun
  /** Sets the clock of the second node. */
  readonly setClock: (aheadSeconds: number) => Promise<void>
  /** Call it when the fault begins, if that is later than the call of `cause`. */
  readonly beginNow: () => void
}

/** In the order in which they happen. */
export const PATRONI_FAULTS: Readonly<Record<string, PatroniFault>> = {
  switchover: { title: 'switchover', cutsOff: true, cause: switchOver },
  kill: { title: 'primary and its Patroni killed', cutsOff: true, cause: killPrimary },
  unplug: { title: 'both nodes cut off from HAProxy', cutsOff: true, cause: (at) => cutOff(at, [1, 2]) },
  freeze: { title: 'primary and its Patroni frozen', cutsOff: true, cause: freezePrimary },
  clock: { title: 'clock of a node an hour ahead', cutsOff: false, cause: shiftClock },
  divide: { title: 'primary cut off from the other servers', cutsOff: true, cause: divideDatabases },
  disk: { title: 'disk of the primary full', cutsOff: true, cause: fillDisk },
  'unplug-one': { title: 'one node cut off from HAProxy', cutsOff: true, cause: (at) => cutOff(at, [1]) },
  loss: { title: 'asynchronous standby promoted', cutsOff: true, cause: loseCommits },
}

async function switchOver({ cluster }: FaultContext): Promise<undefined> {
  const former = await cluster.leader()
  await cluster.switchOver()
  await cluster.untilLedByAnother(former)
}

async function killPrimary({ cluster }: FaultContext) {
  const former = await cluster.leader()
  await former.kill()
  await cluster.untilLedByAnother(former)
  return async () => former.start()
}

async function freezePrimary({ cluster }: FaultContext) {
  const former = await cluster.leader()
  await former.freeze()
  await cluster.untilLedByAnother(former)
  return () => former.thaw()
}

/** The primary still reaches the proxy, but neither the standbys nor the majority of etcd. */
async function divideDatabases({ cluster }: FaultContext) {
  const former = await cluster.leader()
  const others = cluster.members.filter((member) => member !== former)
  for (const { address } of others) await cluster.network.block(former.name, address)
  await cluster.untilLedByAnother(former)
  return async () => {
    for (const { address } of others) await cluster.network.unblock(former.name, address)
  }
}

/** The primary refuses changes, and may keep its role: it still has log segments to reuse. */
async function fillDisk({ cluster }: FaultContext): Promise<undefined> {
  const leader = await cluster.leader()
  await leader.fillDisk()
  await sleep(CUT_MS)
  await leader.freeDisk()
  await cluster.untilWritable()
}

async function cutOff({ cluster }: FaultContext, clients: readonly number[]): Promise<undefined> {
  for (const client of clients) await cluster.unplugClient(client)
  await sleep(CUT_MS)
  for (const client of clients) await cluster.plugClient(client)
}

/** Its syncs must neither end the leases of the other node nor be planned by its clock. */
async function shiftClock({ cluster, run, setClock }: FaultContext): Promise<undefined> {
  await setClock(HOUR_S)
  await untilAhead(run, true)
  for (const untilMs = performance.now() + CUT_MS; performance.now() < untilMs; await sleep(100)) {
    if (await cluster.hasSyncsAfter(Date.now() + (HOUR_S * 1000) / 2))
      throw new Error('Cannot go on: syncs must be planned by the clock of the server, not by that of a node')
  }
  await setClock(0)
  await untilAhead(run, false)
}

/** By the header `Date` of the second node. */
async function untilAhead({ nodes }: TortureRun, wanted: boolean): Promise<void> {
  await waitFor(`a node whose clock is ${wanted ? 'ahead' : 'right'}`, async () => {
    const { headers } = await nodes[1].ask('/livez')
    const aheadMs = Date.parse(String(headers.date)) - Date.now()
    return aheadMs > (HOUR_S * 1000) / 2 === wanted
  })
}

/** No other server has the last commits that the primary confirmed. */
async function loseCommits({ cluster, run, beginNow }: FaultContext) {
  const { outages, figures, served, nodes } = run
  const endLoss = outages.begin(LOSS)
  await cluster.setSynchronous(false)
  const former = await cluster.leader()
  const stores = nodes.map((node) => served.storeOf(node))
  await cluster.stopReplication(former)
  const lost = `lost ${figures.losses++}`
  await cluster.commit(lost)
  await sleep(LOST_MS)
  beginNow()
  await former.killServer()
  await cluster.untilLedByAnother(former)
  return async () => {
    if (await cluster.hasCommitted(lost)) throw new Error('Cannot go on: the standby must lack a confirmed change')
    await waitFor('nodes on the new timeline', async () =>
      nodes.every((node, at) => served.storeOf(node) !== stores[at]),
    )
    await cluster.untilWhole(false)
    await cluster.setSynchronous(true)
    endLoss()
  }
}
