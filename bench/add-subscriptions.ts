import { parseArgs } from 'node:util'
import { SampleFeed } from '../demo/sample-feed.ts'
import { openDatabase, storeOn } from '../src/store/open-store.ts'
import { advance } from '../src/store/sql/counters.ts'
import { callersMix } from './callers.ts'
import { sampleOffering } from './sample-slots.ts'

// Adds so many subscriptions to the store of DATABASE_URL, for its service to match. Their addresses are not verified: nothing is sent.

const { values } = parseArgs({ options: { subscriptions: { type: 'string', default: '100000' } } })
const count = Number(values.subscriptions)
const ROWS_PER_INSERT = 1000

const database = await openDatabase(process.env.DATABASE_URL ?? '')
const store = storeOn(database, Date.now)
const { id: organizationId } = await store.organizations.create(`Subscriber ${Date.now()}`)
const feed = new SampleFeed(20_000, 1)
const offerings = feed.states.flatMap(({ state }) =>
  [...feed.slots(state.code, Date.now())]
    .filter((_, n) => n % 10 === 0)
    .map((slot) => ({ start: '', ...sampleOffering(slot) })),
)
const queries = callersMix(offerings, count).map((question) => question.replace(/&?offset=[^&]*/, ''))
const { slots: since } = await store.revisionFeed.revisions()
for (let at = 0; at < count; at += ROWS_PER_INSERT) {
  const rows = queries.slice(at, at + ROWS_PER_INSERT).map((query, n) => ({
    id: `sub_${at + n}_${Date.now()}`,
    organization_id: organizationId,
    url: 'https://app.example/hook',
    filters: '{}',
    query,
    events: '["slots.opened"]',
    min_interval_ms: 60_000,
    status: 'pending' as const,
    verified: 0,
    secret: '',
    created_at_ms: Date.now(),
    created_by: 'bench',
    updated_at_ms: Date.now(),
    since_revision: since,
    held_back: '{}',
  }))
  await database.transaction('kill', async (writer) => {
    const revision = await advance(writer.queries, 'subscriptions')
    const revised = rows.map((row) => ({ ...row, revision }))
    await writer.queries.insertInto('subscriptions').values(revised).execute()
  })
}
await database.close()
console.log(`added ${count} subscriptions`)
