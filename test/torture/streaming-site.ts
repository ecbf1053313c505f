import { Forwarder } from '../postgres/forwarder.ts'
import { Cluster, type Reach } from './cluster.ts'
import { type Disaster, strike } from './disasters.ts'
import type { Site } from './site.ts'

/** The large one changes so much at once that a sync writes it in several transactions. */
const FEEDS = {
  north: { places: 300, changedOf100: 6 },
  south: { places: 500, changedOf100: 3 },
  large: { places: 9000, changedOf100: 60 },
}

/** The lease of a sync whose node was killed, once more a look, a sync and a second. */
const TROUBLED_CHANGE_MS_MAX = 60_000

/** Three nodes on a primary with a synchronous standby. `disasters` happen one after the other and from the beginning again. */
export async function openStreamingSite(reach: Reach, disasters: readonly Disaster[]): Promise<Site & AsyncDisposable> {
  await using started = new AsyncDisposableStack()
  const cluster = started.use(await Cluster.start())
  const deaf = started.use(await Forwarder.open())
  const url = cluster.url(reach)
  const nodes = ['one', 'two', 'three'].map((name) => ({
    name: `node ${name}`,
    env: {
      DATABASE_URL: url,
      // The third never hears a call of the database: it has to look by itself.
      DATABASE_DIRECT_URL: name === 'three' ? `postgres://tester@127.0.0.1:${deaf.port}/deaf` : url,
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
    troubledChangeMsMax: TROUBLED_CHANGE_MS_MAX,
    strike: (at, scene) => strike(disasters[at % disasters.length], scene, cluster),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  }
}
