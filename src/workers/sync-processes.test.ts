import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../test/support/eventually.ts'
import { manifest, ndjson, Publisher } from '../../test/support/feeds/publisher.ts'
import { openTempStore, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { Store } from '../store/contracts/store.ts'
import { healthOf } from '../sync/source-health.ts'
import { startSyncWorker } from './sync-worker.ts'

const SLOT = {
  resourceType: 'Slot',
  id: '1',
  schedule: { reference: 'Schedule/1' },
  status: 'free',
  start: '2030-01-07T09:00:00Z',
  end: '2030-01-07T09:30:00Z',
}

/** A feed of one slot whose Location file is sent by the function. */
async function publish(t: TestContext, sendLocations: (response: ServerResponse) => unknown): Promise<Publisher> {
  const publisher = await Publisher.open({
    '/$bulk-publish': manifest({ '/locations': 'Location', '/schedules': 'Schedule', '/slots': 'Slot' }),
    '/locations': (_request, response) => void sendLocations(response),
    '/schedules': ndjson({ resourceType: 'Schedule', id: '1', actor: [{ reference: 'Location/1' }] }),
    '/slots': ndjson(SLOT),
  })
  t.after(() => publisher[Symbol.asyncDispose]())
  return publisher
}

/** Sends the first line, and the second when the test says so. */
async function publishSlowly(t: TestContext) {
  const asked = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const publisher = await publish(t, async (response) => {
    response.on('close', closed.resolve)
    response.write(ndjson({ resourceType: 'Location', id: '1', address: { state: 'MA' } }))
    asked.resolve()
    await rest.promise
    response.end(ndjson({ resourceType: 'Location', id: '2' }))
  })
  return { publisher, asked: asked.promise, closed: closed.promise, finish: rest.resolve }
}

/** Locations without end, each as small as the directory takes it. */
async function sendEndlessly(response: ServerResponse): Promise<void> {
  for (let n = 0; !response.destroyed; ) {
    let text = ''
    for (const end = n + 4000; n < end; n++) text += `{"resourceType":"Location","id":"${n.toString(36)}"}\n`
    if (!response.write(text))
      await Promise.race([sleep(1000), new Promise((drained) => response.once('drain', drained))])
  }
}

async function start(t: TestContext): Promise<{ store: Store; events: LogEvent[] }> {
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  const events: LogEvent[] = []
  const options = { databaseUrl, allowPrivateSources: true, everyMsDefault: 300_000, retentionMs: 600_000 }
  const thread = startSyncWorker({ ...options, concurrency: 2, heapMb: 64 }, (event) => events.push(event))
  t.after(() => thread.stop())
  return { store, events }
}

const add = (store: Store, slug: string, publisher: Publisher) =>
  store.sources.add({ slug, url: `${publisher.origin}/$bulk-publish`, strict: false })

test('a feed that takes all memory fails and backs off, and the sync beside it completes', {
  timeout: 120_000,
}, async (t) => {
  const slow = await publishSlowly(t)
  const { store, events } = await start(t)
  await add(store, 'slow', slow.publisher)
  await slow.asked
  const greedy = await publish(t, sendEndlessly)
  await add(store, 'greedy', greedy)
  for (let waits = 0; waits < 3 && !(await store.sources.find('greedy'))?.failures; waits++)
    await eventually(async () => (await store.sources.find('greedy'))?.failures === 1).catch(() => undefined)
  slow.finish()
  await eventually(async () => (await store.sources.find('slow'))?.slotCount === 1)
  const source = (await store.sources.find('greedy')) ?? assert.fail()
  assert.equal(source.lastSync?.outcome, 'failed')
  assert.equal(source.lastSync.error, 'Cannot read feed: the sync ran out of memory: it may use 64 MiB (SYNC_HEAP_MB)')
  assert.ok(source.nextSyncAtMs >= source.lastSync.startedAtMs + source.lastSync.durationMs + 50_000)
  assert.equal(healthOf(source, Date.now()).health, 'failing')
  assert.equal(slow.publisher.log.filter((line) => line.startsWith('/locations')).length, 1)
  const died = events.filter(({ fields }) => fields.source === 'greedy').map(({ message }) => message)
  assert.deepEqual(died.slice(0, 2), ['sync process died', 'source could not be synced'])
})

test('pausing a source ends its running sync within a second, and removing it too', async (t) => {
  const { store, events } = await start(t)
  for (const [slug, end] of [
    ['paused', () => store.sources.setPaused('paused', true)],
    ['removed', () => store.sources.remove('removed')],
  ] as const) {
    const slow = await publishSlowly(t)
    await add(store, slug, slow.publisher)
    await slow.asked
    const endedAtMs = performance.now()
    await end()
    await slow.closed
    assert.ok(performance.now() - endedAtMs < 1500, `${performance.now() - endedAtMs} ms`)
    await eventually(() => events.some(({ message, fields }) => fields.source === slug && message.includes('sync')))
  }
  const ofSyncs = events.filter(({ message }) => message.includes('sync'))
  const seen = ofSyncs.map(({ level, message, fields }) => [level, message, fields.source])
  assert.deepEqual(seen, [
    ['info', 'sync was interrupted', 'paused'],
    ['info', 'sync was interrupted', 'removed'],
  ])
  assert.equal((await store.sources.find('paused'))?.failures, 0)
})

test('stops with a sync running, which is due again', async (t) => {
  const slow = await publishSlowly(t)
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  const options = { databaseUrl, allowPrivateSources: true, everyMsDefault: 300_000, retentionMs: 600_000 }
  const thread = startSyncWorker({ ...options, concurrency: 2, heapMb: 64 }, () => undefined)
  await add(store, 'slow', slow.publisher)
  await slow.asked
  await thread.stop()
  await slow.closed
  const source = await store.sources.find('slow')
  assert.equal(source?.lastSync?.error, 'Cannot read feed: the sync was stopped')
  assert.ok(source.nextSyncAtMs <= Date.now())
})
