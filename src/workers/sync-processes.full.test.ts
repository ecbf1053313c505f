import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../test/support/eventually.ts'
import { FhirServer } from '../../test/support/feeds/fhir-server.ts'
import { manifest, ndjson, Publisher } from '../../test/support/feeds/publisher.ts'
import { openTempStore, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { HOUR_MS } from '../lib/time.ts'
import type { Store } from '../store/contracts/store.ts'
import { healthOf } from '../sync/source-health.ts'
import { SyncProcesses } from './sync-processes.ts'
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

async function start(t: TestContext, memoryMb = 416, env = {}): Promise<{ store: Store; events: LogEvent[] }> {
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  Object.assign(process.env, env)
  const events: LogEvent[] = []
  const options = { databaseUrl, allowPrivateSources: true, everyMsDefault: 300_000, retentionMs: 600_000 }
  const thread = startSyncWorker({ ...options, concurrency: 2, heapMb: 40, memoryMb, processesMax: 4 }, (event) =>
    events.push(event),
  )
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
  assert.equal(
    source.lastSync.error,
    'Cannot read feed: the sync ran out of memory: it may use 40 MiB (see SYNC_HEAP_MB)',
  )
  assert.ok(source.nextSyncAtMs >= source.lastSync.startedAtMs + source.lastSync.durationMs + 50_000)
  assert.equal(healthOf(source, Date.now()).health, 'failing')
  assert.equal(slow.publisher.log.filter((line) => line.startsWith('/locations')).length, 1)
  const died = events.filter(({ fields }) => fields.source === 'greedy').map(({ message }) => message)
  assert.deepEqual(died.slice(0, 2), ['sync process died', 'source could not be synced'])
})

test('syncs without a temporary folder', async (t) => {
  const { TMPDIR = '' } = process.env
  t.after(() => {
    process.env.TMPDIR = TMPDIR
  })
  const { publisher, finish } = await publishSlowly(t)
  finish()
  const { store } = await start(t, undefined, { TMPDIR: '/nonexistent' })
  await add(store, 'clinic', publisher)
  await eventually(async () => (await store.sources.find('clinic'))?.slotCount === 1)
})

test('pausing a source ends its running sync, whose publisher does not answer, and removing it too', async (t) => {
  const { store, events } = await start(t)
  for (const [slug, end] of [
    ['paused', () => store.sources.setPaused('paused', true)],
    ['removed', () => store.sources.remove('removed')],
  ] as const) {
    const slow = await publishSlowly(t)
    await add(store, slug, slow.publisher)
    await slow.asked
    await end()
    await slow.closed
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

test('runs no more processes than its maximum, and the syncs that wait come next', async (t) => {
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  const settings = { databaseUrl, allowPrivateSources: true, everyMsDefault: 300_000, heapMb: 40, processesMax: 1 }
  const processes = new SyncProcesses({ ...settings, store, clock: Date.now, random: Math.random }, settings, () => {})
  t.after(() => processes.close())
  const publishers = [await publishSlowly(t), await publishSlowly(t)]
  for (const [n, { publisher }] of publishers.entries()) await add(store, `s${n}`, publisher)
  const { signal } = new AbortController()
  const runs = ['s0', 's1'].map((slug) => processes.sync(slug, signal))
  await publishers[0].asked
  // Longer than a sync waits for a further process.
  await sleep(1500)
  assert.deepEqual([processes.size, publishers[1].publisher.log], [1, []])
  for (const { finish } of publishers) finish()
  assert.deepEqual(
    (await Promise.all(runs)).map((run) => run?.outcome.outcome),
    ['ok', 'ok'],
  )
  assert.equal(processes.size, 1)
})

test('stops with a sync running, which is due again', async (t) => {
  const slow = await publishSlowly(t)
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  const options = { databaseUrl, allowPrivateSources: true, everyMsDefault: 300_000, retentionMs: 600_000 }
  const thread = startSyncWorker({ ...options, concurrency: 2, heapMb: 40, processesMax: 4 }, () => undefined)
  await add(store, 'slow', slow.publisher)
  await slow.asked
  await thread.stop()
  await slow.closed
  const source = await store.sources.find('slow')
  assert.equal(source?.lastSync?.error, 'Cannot read feed: the sync was stopped')
  assert.ok(source.nextSyncAtMs <= Date.now())
})

/** A page of Slots that wait as bytes, outside the heap, for the resources that follow them, and never do. */
function sendUnfinishedPage(response: ServerResponse): boolean {
  const comment = 'x'.repeat(900_000)
  // A Slot after the days that are searched would be withheld at once.
  const [start, end] = [1, 2].map((hours) => new Date(Date.now() + hours * HOUR_MS).toISOString())
  response.writeHead(200).write('{"resourceType":"Bundle","type":"searchset","entry":[')
  // A response may have 64 MiB.
  for (let n = 0; n < 66; n++)
    response.write(
      `${n === 0 ? '' : ','}${JSON.stringify({ resource: { ...SLOT, id: String(n), start, end, comment } })}`,
    )
  return true
}

test('a feed that takes memory outside the heap fails, and the process of its sync is gone', {
  timeout: 120_000,
  skip: process.platform !== 'linux',
}, async (t) => {
  const server = await FhirServer.open()
  t.after(() => server[Symbol.asyncDispose]())
  server.intercept = (request, response) =>
    request.url?.startsWith('/fhir/Slot') === true && sendUnfinishedPage(response)
  const { store, events } = await start(t, 85)
  await add(store, 'modest', await publish(t, (response) => response.end()))
  await eventually(async () => (await store.sources.find('modest'))?.slotCount === 1)
  await store.sources.add({ slug: 'greedy', format: 'fhir-search', url: server.base, strict: false })
  for (let waits = 0; waits < 3 && !(await store.sources.find('greedy'))?.failures; waits++)
    await eventually(async () => (await store.sources.find('greedy'))?.failures === 1).catch(() => undefined)
  const { lastSync } = (await store.sources.find('greedy')) ?? assert.fail()
  assert.equal(
    lastSync?.error,
    'Cannot read feed: the sync was stopped: it took more than 85 MiB of memory, which depends on SYNC_HEAP_MB',
  )
  await eventually(() => events.some(({ message }) => message === 'sync process died'))
})
