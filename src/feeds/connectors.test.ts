import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { FhirServer, sendJson } from '../../test/support/feeds/fhir-server.ts'
import { RecordedDraft } from '../../test/support/feeds/recorded-draft.ts'
import { clinic, place, START_MS, slot } from '../../test/support/feeds/searcher.ts'
import { openTempStore, readAll, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import { startSyncs } from '../../test/support/sync/sync-worker-harness.ts'
import { type SyncRun, syncSource } from '../sync/sync-source.ts'
import { connectorsOf } from './connectors.ts'

const KEY = '$' + '{SOURCE_KEY}'

/** From `START_MS` on, as the searches of these tests ask. */
const NARROWED = `?start=ge${new Date(START_MS).toISOString()}`

async function openServer(t: TestContext): Promise<FhirServer> {
  const server = await FhirServer.open(clinic(250))
  t.after(() => server[Symbol.asyncDispose]())
  return server
}

const numbers = ({ outcome }: SyncRun) => [
  outcome.outcome,
  outcome.unchanged,
  outcome.read,
  outcome.added,
  outcome.changed,
  outcome.removed,
  outcome.rejected,
]

test('reads a FHIR server into the store, then only changes, and nothing if a page fails', async (t) => {
  const server = await openServer(t)
  const store = await openTempStore(t)
  const url = `${server.base}${NARROWED}`
  await store.sources.add({ slug: 'clinic', format: 'fhir-search', url, options: {}, strict: false })
  const connectorOf = connectorsOf({ allowPrivateSources: true })
  const parts = { store, connectorOf, clock: Date.now, random: () => 0.5, everyMsDefault: 300_000 }
  const sync = async () => (await syncSource(parts, 'clinic')) ?? assert.fail('the source is taken')

  assert.deepEqual(numbers(await sync()), ['ok', false, 250, 250, 0, 0, 0])
  assert.deepEqual(numbers(await sync()), ['ok', true, 250, 0, 0, 0, 0])
  server.resources.splice(4, 1, slot(0, { status: 'busy' }), slot(900))
  server.resources.pop()
  assert.deepEqual(numbers(await sync()), ['ok', false, 250, 1, 1, 1, 0])
  server.resources[0] = place('l1', 'Moved')
  assert.deepEqual(numbers(await sync()), ['ok', false, 250, 0, 250, 0, 0])
  const before = await readAll(store)
  server.resources.push(slot(901))
  server.intercept = (request, response) => request.url?.includes('offset=100') === true && sendJson(response, 500, {})
  const { outcome } = await sync()
  assert.match(outcome.error ?? '', /status must be 200: got "500"/)
  assert.deepEqual(await readAll(store), before)
})

test('the sync thread receives the secrets of sources', async (t) => {
  const server = await openServer(t)
  const { intercept } = server
  server.intercept = (request, response) =>
    request.headers['x-api-key'] === 'k3y-value' ? intercept(request, response) : sendJson(response, 401, {})
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  const url = `${server.base}${NARROWED}`
  const options = { headers: { 'x-api-key': KEY } }
  await store.sources.add({ slug: 'clinic', format: 'fhir-search', url, options, strict: false })
  for (const [sourceSecrets, message] of [
    [{}, 'source could not be synced'],
    [{ SOURCE_KEY: 'k3y-value' }, 'source was synced'],
  ] as const) {
    const { thread, events } = startSyncs(t, { databaseUrl, allowPrivateSources: true, sourceSecrets })
    await store.sources.syncSoon('clinic')
    const ofSyncs = () => events.map((event) => event.message).filter((each) => /synced$/.test(each))
    await eventually(() => ofSyncs().length > 0)
    await thread.stop()
    assert.equal(ofSyncs()[0], message)
    assert.ok(!JSON.stringify(events).includes('k3y-value'))
  }
  assert.ok(!JSON.stringify(await store.sources.list()).includes('k3y-value'))
})

test('refuses to fetch a source of files', async () => {
  const source = { slug: 'clinic', format: 'files', url: '', options: {}, strict: false } as const
  const reading = connectorsOf({ allowPrivateSources: true })(source).read(
    source,
    new RecordedDraft(),
    new AbortController().signal,
  )
  await assert.rejects(reading, { name: 'FeedFailure', message: /it has no feed\. Import its slots/ })
})
