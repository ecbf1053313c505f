import { openStore } from '../src/store/open-store.ts'
import type { HostilePublishers } from '../test/support/hostile-publishers.ts'
import { slotsCommand, start } from './processes.ts'
import { randomMix } from './queries.ts'
import { type Bench, serving, storeOf } from './serving.ts'

/** Per kind and format: more than are synced concurrently, so that at least one is always active. */
const OF_EACH = 2

/** p99 while the service syncs hostile publishers, relative to p99 before. */
export async function measureBesideHostile(bench: Bench): Promise<void> {
  const large = await serving(bench, 'large')
  const publishers = await start(['bench/hostile-publishers.ts'])
  try {
    const mix = await randomMix(1000, large.count, 5)
    await large.load(mix, { seconds: 1 })
    const rest = await large.load(mix, { seconds: bench.seconds * 4 })
    await add(bench, JSON.parse(publishers.firstLine))
    const busy = await large.load(mix, { seconds: bench.seconds * 10 })
    const failed = await countFailed(bench)
    const note = ` (${busy.p99Ms} and ${rest.p99Ms} ms; ${failed} sources failed meanwhile)`
    bench.report.atMost('p99 with hostile publishers, relative to p99 without', busy.p99Ms / rest.p99Ms, 2, note)
  } finally {
    for (const running of [publishers, large]) await running.stop()
  }
}

async function add(bench: Bench, sources: HostilePublishers['sources']): Promise<void> {
  const store = await openStore(await bench.databases.url('large'))
  try {
    for (const source of sources)
      for (let n = 0; n < OF_EACH; n++)
        await store.sources.add({ ...source, slug: `${source.slug}-${n}`, options: {}, strict: false })
  } finally {
    await store.close()
  }
}

async function countFailed(bench: Bench): Promise<number> {
  const views = (await slotsCommand(await storeOf(bench, 'large'), 'source', 'list')) as {
    lastSync?: { outcome: string }
  }[]
  return views.filter(({ lastSync }) => lastSync?.outcome === 'failed').length
}
