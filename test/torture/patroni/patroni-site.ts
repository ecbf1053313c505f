import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { secondsSinceStart } from '../figures.ts'
import { RECONNECTING } from '../outages.ts'
import type { Site } from '../site.ts'
import { diagnose } from './diagnosis.ts'
import { PatroniCluster } from './patroni-cluster.ts'
import type { FaultContext, PatroniFault } from './patroni-faults.ts'
import { patroniVersion } from './patroni-program.ts'

/** Debian's library that shifts the clock of one process. */
export const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

const CLOCK = '/run/clock'

/** The lease of a sync whose connection was cut. */
const LEASE_MS = 30_000

/** Nodes reconnect to the database within this time. */
const RECONNECTED_MS_MAX = 5000

/** Nodes confirm a change within this time after the database does. */
const CONFIRMED_MS_MAX = 60_000

interface Slowest {
  count: number
  databaseMs: number
  serviceMs: number
}

/** Two nodes, each in a network with a proxy, on a cluster of three hosts under Patroni. */
export async function openPatroniSite(faults: readonly PatroniFault[]): Promise<Site> {
  const setClock = (aheadSeconds: number) => writeFile(CLOCK, `+${aheadSeconds}`)
  await setClock(0)
  const cluster = await PatroniCluster.start(2)
  const measured = new Map<string, Slowest>()
  const shifted = {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: CLOCK,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return {
    title: `by HAProxy to Patroni ${patroniVersion()}`,
    url: cluster.url(0),
    nodes: ['one', 'two'].map((name, at) => ({
      name: `node ${name}`,
      env: { DATABASE_URL: cluster.url(1 + at), ...(name === 'two' && shifted) },
    })),
    feeds: { north: { places: 300, changedOf100: 6 }, large: { places: 4000, changedOf100: 60 } },
    callers: 2,
    minFaults: faults.length,
    disturbedChangeMsMax: 120_000,
    causeFault: async (at, run) => {
      const fault = faults[at % faults.length]
      const { databaseMs, serviceMs } = await causeFault(fault, { cluster, run, setClock }).catch(async (error) => {
        console.log(await diagnose(cluster.members))
        throw error
      })
      const slowest = measured.get(fault.title) ?? { count: 0, databaseMs: 0, serviceMs: 0 }
      slowest.count++
      slowest.databaseMs = Math.max(slowest.databaseMs, databaseMs)
      slowest.serviceMs = Math.max(slowest.serviceMs, serviceMs)
      measured.set(fault.title, slowest)
    },
    confirm: () => cluster.commit('seen'),
    report: () => printSlowest(measured),
  }
}

/** Returns the times from the beginning of the fault until the database, and then the service, confirmed a change. */
async function causeFault(
  { title, cutsOff, cause }: PatroniFault,
  at: Omit<FaultContext, 'beginNow'>,
): Promise<{ databaseMs: number; serviceMs: number }> {
  const { figures, outages } = at.run
  log(title)
  const endOutage = outages.begin(cutsOff ? 'database' : title)
  const endLeases = outages.begin('lease')
  const former = await at.cluster.leader()
  let beganMs = performance.now()
  const beginNow = () => {
    beganMs = performance.now()
  }
  const repair = await cause({ ...at, beginNow })
  const databaseMs = performance.now() - beganMs
  const endReconnecting = outages.begin(RECONNECTING)
  setTimeout(endReconnecting, RECONNECTED_MS_MAX).unref()
  endOutage()
  const confirmed = figures.keyChanges
  while (figures.keyChanges === confirmed) {
    if (performance.now() - beganMs > databaseMs + CONFIRMED_MS_MAX) {
      for (const fault of figures.faults) console.log(`FAULT: ${fault}`)
      throw new Error(`Cannot go on: nodes must confirm a change within ${CONFIRMED_MS_MAX} ms after: ${title}`)
    }
    await sleep(20)
  }
  const serviceMs = performance.now() - beganMs
  log(`a change was confirmed by the database after ${inSeconds(databaseMs)}, by a node after ${inSeconds(serviceMs)}`)
  await repair?.()
  await at.cluster.untilWhole()
  if ((await at.cluster.leader()) !== former) figures.failovers++
  log('the cluster is whole')
  setTimeout(endLeases, LEASE_MS).unref()
  return { databaseMs, serviceMs }
}

/** Times are from the beginning of the fault. */
function printSlowest(measured: ReadonlyMap<string, Slowest>): void {
  console.log(
    '\n| fault | trials | until the database confirms changes | until a node does |\n| --- | --- | --- | --- |',
  )
  for (const [title, { count, databaseMs, serviceMs }] of measured) {
    console.log(`| ${title} | ${count} | ${inSeconds(databaseMs)} | ${inSeconds(serviceMs)} |`)
  }
}

function log(line: string): void {
  console.log(`${secondsSinceStart()}: ${line}`)
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
