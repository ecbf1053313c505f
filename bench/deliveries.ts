import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { AuthSecrets } from '../src/auth/auth-secrets.ts'
import type { EventSlotsHead } from '../src/http/node-query.ts'
import { UNNAMED_SERVICE } from '../src/shared/service-identity.ts'
import { openDatabase, openStore, storeOn } from '../src/store/open-store.ts'
import type { Database } from '../src/store/sql/database.ts'
import { queueEvent } from '../src/store/sql/queue-event.ts'
import { startSubscriptionsWorker } from '../src/workers/subscriptions-worker.ts'
import { processorMs, type Running, start } from './processes.ts'
import { median } from './report.ts'
import type { Bench } from './serving.ts'

const RECEIVERS = 1000
const EVENTS_PER_SUBSCRIPTION = 20
const PER_ORGANIZATION = 5
const RATE_MIN = 1000

/** As long as the encoded slots of an average event: 10 slots. */
const SLOTS = Array.from({ length: 10 }, (_, n) => `{"id":"slot${n}","text":"${'x'.repeat(600)}"}`)

const SECRET = 'a secret of the benchmark, which is long enough'

interface Receivers {
  readonly healthy: number
  readonly dead: number
}

/**
 * Deliveries of one node to healthy receivers, without and with as many dead ones, which never respond. They have responded before: the
 * node does not know them as failing, which is the worst case. Each has a separate address, five of each an organization.
 */
export async function measureDeliveries(bench: Bench): Promise<void> {
  const count = Math.min(RECEIVERS, bench.slots / 200)
  for (const receivers of [
    { healthy: count, dead: 0 },
    { healthy: count, dead: count },
  ]) {
    const costs: Cost[] = []
    for (let round = 0; round < bench.rounds; round++)
      costs.push(await deliver(await bench.databases.url(`deliveries-${receivers.dead}-${round}`), receivers))
    const to = `to ${receivers.healthy} healthy receivers with ${receivers.dead} dead ones`
    const rates = costs.map(({ rate }) => rate)
    bench.report.atLeast(`deliveries/s ${to}`, median(rates), RATE_MIN, ` (${rates.map(Math.round).join(', ')})`)
    bench.report.known(`CPU µs of the node per delivery ${to}`, median(costs.map(({ nodeUs }) => nodeUs)))
    bench.report.known(`CPU µs of the receivers per delivery ${to}`, median(costs.map(({ targetUs }) => targetUs)))
  }
}

interface Cost {
  /** Events that healthy receivers got per second. */
  readonly rate: number
  /** User and system time per event of this process, in which the thread runs, and of that of the receivers. */
  readonly nodeUs: number
  readonly targetUs: number
}

/** From the first arrival on, as the start of the thread is not measured, until all events of healthy receivers have arrived. */
async function deliver(databaseUrl: string, receivers: Receivers): Promise<Cost> {
  const events = receivers.healthy * EVENTS_PER_SUBSCRIPTION
  const target = await start(['bench/event-receivers.ts', String(events)])
  try {
    const port = Number(target.firstLine)
    await (await openStore(databaseUrl)).close()
    const database = await openDatabase(databaseUrl)
    await queueAll(database, receivers, port)
    await database.close()
    const isFirst = nextLine(target)
    const worker = startThread(databaseUrl)
    try {
      await isFirst
      const [startedMs, nodeBefore, targetBeforeMs] = [performance.now(), process.cpuUsage(), await processorMs(target)]
      await nextLine(target)
      const seconds = (performance.now() - startedMs) / 1000
      const { user, system } = process.cpuUsage(nodeBefore)
      const targetMs = (await processorMs(target)) - targetBeforeMs
      return { rate: events / seconds, nodeUs: (user + system) / events, targetUs: (1000 * targetMs) / events }
    } finally {
      target.child.kill()
      await once(target.child, 'exit')
      await worker.stop()
    }
  } finally {
    await target.stop()
  }
}

function nextLine({ child }: Running): Promise<unknown> {
  if (child.stdout === null) throw new Error('Cannot read the output of the receivers')
  return once(child.stdout, 'data')
}

/** The thread as a node starts it. */
function startThread(databaseUrl: string) {
  const head: EventSlotsHead = { store: 1, revision: 1 }
  const body = Buffer.from([JSON.stringify(head), ...SLOTS].join('\n'))
  return startSubscriptionsWorker(
    {
      databaseUrl,
      baseUrl: 'https://slots.example',
      dashboardUrl: 'https://slots.example/',
      service: UNNAMED_SERVICE,
      allowPrivate: true,
      account: { authSecret: SECRET, mailFrom: 'slots@slots.example' },
    },
    {
      query: async () => ({ status: 200, headers: [], body }),
      onEvent: ({ message, fields }) => console.error(message, fields),
      onDeliveries: () => undefined,
    },
  )
}

async function queueAll(database: Database, receivers: Receivers, port: number): Promise<void> {
  const { organizations } = storeOn(database, Date.now)
  const secrets = new AuthSecrets(SECRET)
  const ids = SLOTS.map((_, n) => `slot${n}`)
  let organizationId = ''
  for (let n = 0; n < Math.max(receivers.healthy, receivers.dead); n++) {
    if (n % PER_ORGANIZATION === 0) organizationId = (await organizations.create(`Organization ${n}`)).id
    const kinds = (['healthy', 'dead'] as const).filter((kind) => n < receivers[kind])
    for (const kind of kinds) {
      const url = `http://127.${kind === 'dead' ? 2 : 1}.${n >> 8}.${n & 255}:${port}/${kind}`
      const secret = await secrets.encrypt(`whsec_${randomBytes(32).toString('base64')}`)
      const subscription = { subscriptionId: `sub_${kind}_${n}`, organizationId, url }
      await database.transaction('kill', async ({ queries }) => {
        await queries
          .insertInto('subscriptions')
          .values(rowOf({ ...subscription, secret }))
          .execute()
        const about = { type: 'slots.opened', fromRevision: 0, toRevision: 1, total: ids.length, ids } as const
        for (let event = 0; event < EVENTS_PER_SUBSCRIPTION; event++)
          await queueEvent(queries, { ...subscription, ...about, nowMs: Date.now() })
      })
    }
  }
}

interface NewRow {
  readonly subscriptionId: string
  readonly organizationId: string
  readonly url: string
  readonly secret: string
}

/** An active subscription whose last delivery succeeded. */
function rowOf({ subscriptionId, organizationId, url, secret }: NewRow) {
  const atMs = Date.now()
  return {
    id: subscriptionId,
    organization_id: organizationId,
    url,
    filters: '{}',
    query: '',
    events: '["slots.opened"]',
    min_interval_ms: 60_000,
    status: 'active' as const,
    verified: 1,
    secret,
    created_at_ms: atMs,
    created_by: 'bench',
    updated_at_ms: atMs,
    last_delivered_at_ms: atMs,
    since_revision: 0,
    held_back: '{}',
    revision: 0,
  }
}
