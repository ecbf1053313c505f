import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureAggregates } from './aggregates.ts'
import { measureAtSize } from './at-size.ts'
import { measureBesideSyncs } from './beside-syncs.ts'
import { measureCallers } from './callers.ts'
import { postgresDatabases, sqliteDatabases } from './databases.ts'
import { measureDeliveries } from './deliveries.ts'
import { measureEmpty } from './empty.ts'
import { measureExports } from './exports.ts'
import { measureFairness } from './fairness.ts'
import { measureFeedUpdates } from './feed-updates.ts'
import { measureFilters } from './filters.ts'
import { measureGrowth } from './growth.ts'
import { measureBesideHostile } from './hostile.ts'
import { findGenerator } from './load.ts'
import { measureLoading, measureServing, measureServingDuringSync, measureSyncs } from './measures.ts'
import { measureNodes } from './nodes.ts'
import { measurePeer } from './peer.ts'
import { type Running, start } from './processes.ts'
import { Report } from './report.ts'
import type { Bench } from './serving.ts'
import { measureRateLimits, measureTracing } from './settings.ts'
import { measureStrangers } from './strangers.ts'
import { measureSubscriptions } from './subscriptions.ts'

// npm run bench [-- --slots 1000000 --seconds 5 --rounds 3]: all measurements without an option below, at so many slots.
// npm run bench -- --postgres: reads and writes on a temporary PostgreSQL server, with one to three nodes.
// npm run bench -- --growth 10000,100000,1000000 [--postgres]: the cost of a store and a node by number of slots.
// npm run bench -- --queries: only the pages with goals, beside the bare server.
// npm run bench -- --callers: only the callers' mix.
// npm run bench -- --at-size --slots 10000000: only a node with many slots, written into the store without feeds.
//   --folder <path> keeps the SQLite store there, and does not write it again the next time.
// npm run bench -- --empty: only a node without slots.
// npm run bench -- --peer: only the callers' questions beside a plain service on PostgreSQL.
// npm run bench -- --fairness: only how much one caller delays another.
// npm run bench -- --rate-limits --slots 100000: only what rate limits cost, on Linux.
// npm run bench -- --tracing --slots 100000: only what OpenTelemetry costs, on Linux.
// npm run bench -- --strangers --slots 100000: only a caller beside strangers who attack, on Linux.
// npm run bench -- --feed-updates --slots 100000: only an update of the published feed beside reading it as a whole.
// npm run bench -- --subscriptions --slots 100000: only the matching of subscriptions.
// npm run bench -- --deliveries: only the deliveries of events to healthy and dead receivers, on Linux.
// npm run bench -- --beside-syncs: only a caller beside the syncs of new sources.
// npm run bench -- --smoke: the same in half a minute, to test the benchmark; its results are meaningless.

const { values } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    queries: { type: 'boolean', default: false },
    callers: { type: 'boolean', default: false },
    'at-size': { type: 'boolean', default: false },
    empty: { type: 'boolean', default: false },
    peer: { type: 'boolean', default: false },
    fairness: { type: 'boolean', default: false },
    'rate-limits': { type: 'boolean', default: false },
    tracing: { type: 'boolean', default: false },
    'beside-syncs': { type: 'boolean', default: false },
    'feed-updates': { type: 'boolean', default: false },
    subscriptions: { type: 'boolean', default: false },
    deliveries: { type: 'boolean', default: false },
    strangers: { type: 'boolean', default: false },
    folder: { type: 'string' },
    growth: { type: 'string' },
    slots: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
  },
})
const size = {
  slots: Number(values.slots ?? (values.smoke ? 20_000 : 1_000_000)),
  seconds: Number(values.seconds ?? (values.smoke ? 1 : 5)),
  rounds: Number(values.rounds ?? (values.smoke ? 1 : 3)),
}

const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'slots-bench-')))
await mkdir(folder, { recursive: true })
const checkpoints = join(folder, 'checkpoints')
const databases = values.postgres ? await postgresDatabases() : sqliteDatabases(folder)
const publishers: Running[] = []
try {
  const generator = await findGenerator()
  const report = new Report(
    `${databases.kind}, ${size.slots} slots, ${generator.name}, ${cpus().length} cores, node ${process.version}`,
  )
  const bench = { ...size, databases, generate: generator.generate, report }
  if (values.growth === undefined) await measureAll(bench)
  else await measureGrowth(bench, values.growth.split(',').map(Number))
} finally {
  for (const publisher of publishers) await publisher.stop()
  await databases[Symbol.asyncDispose]()
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true })
}

/** Starts a publisher of `slots` slots and returns the address of its manifest. */
async function publish(slots: number): Promise<string> {
  const publisher = await start(['bench/publisher.ts', '--slots', String(slots)])
  publishers.push(publisher)
  return publisher.firstLine
}

async function measureAll(bench: Bench): Promise<void> {
  if (values.empty) await measureEmpty(bench)
  else if (values['at-size']) await measureAtSize(bench, checkpoints)
  else if (values.deliveries) await measureDeliveries(bench)
  else await measureWithSlots(bench)
  bench.report.print()
}

async function measureWithSlots(bench: Bench): Promise<void> {
  const large = await publish(size.slots)
  const small = await publish(Math.ceil(size.slots / 100))
  await measureSyncs(bench, large, small)
  if (values.queries) await measureServing(bench)
  else if (values.callers) await measureCallers(bench)
  else if (values.peer) await measurePeer(bench)
  else if (values.fairness) await measureFairness(bench)
  else if (values['rate-limits']) await measureRateLimits(bench)
  else if (values.tracing) await measureTracing(bench)
  else if (values.strangers) await measureStrangers(bench)
  else if (values['beside-syncs']) await measureBesideSyncs(bench)
  else if (values.subscriptions) await measureSubscriptions(bench)
  else if (values['feed-updates']) await measureFeedUpdates(bench, large)
  else await measureEverything(bench, large)
}

async function measureEverything(bench: Bench, large: string): Promise<void> {
  await measureLoading(bench)
  if (values.postgres) await measureNodes(bench)
  else {
    await measureCallers(bench)
    await measureServing(bench)
    await measureExports(bench)
    await measureAggregates(bench)
    await measureFilters(bench)
    await measureFairness(bench)
    await measureBesideSyncs(bench)
    await measureFeedUpdates(bench, large)
    await measureSubscriptions(bench)
  }
  if (values.smoke && !values.postgres) await measureAtSize(bench, checkpoints)
  if (!values.smoke && !values.postgres) {
    await measureEmpty(bench)
    await measureServingDuringSync(bench, large)
    await measureBesideHostile(bench)
  }
}
