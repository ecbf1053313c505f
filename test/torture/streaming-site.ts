import { Forwarder } from '../postgres/forwarder.ts'
import { Cluster, type Reach } from './cluster.ts'
import { causeDisaster, type Disaster } from './disasters.ts'
import type { Site } from './site.ts'

/** The large feed changes so many slots at once that a sync writes them in several transactions. */
const FEEDS = {
  north: { places: 300, changedOf100: 6 },
  south: { places: 500, changedOf100: 3 },
  large: { places: 9000, changedOf100: 60 },
}

/** The lease of a sync whose node was killed, then a poll, a sync and a second. */
const DISTURBED_CHANGE_MS_MAX = 60_000

/** Three nodes on a primary with a synchronous standby. `disasters` are caused in order, again and again. */
export async function openStreamingSite(reach: Reach, disasters: readonly Disaster[]): Promise<Site & AsyncDisposable> {
  await using started = new AsyncDisposableStack()
  const cluster = started.use(await Cluster.start())
  const silent = started.use(await Forwarder.open())
  const url = cluster.url(reach)
  const nodes = ['one', 'two', 'three'].map((name) => ({
    name: `node ${name}`,
    env: {
      DATABASE_URL: url,
      // The third node receives no notifications of the database: it must poll.
      DATABASE_DIRECT_URL: name === 'three' ? `postgres://tester@127.0.0.1:${silent.port}/silent` : url,
    },
  }))
  const resources = started.move()
  return {
    title: `by ${reach}`,
    url,
    nodes,
    feeds: FEEDS,
    callers: 4,
    minFaults: 0,
    disturbedChangeMsMax: DISTURBED_CHANGE_MS_MAX,
    causeFault: (at, run) => causeDisaster(disasters[at % disasters.length], run, cluster),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  }
}
