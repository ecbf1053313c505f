import assert from 'node:assert/strict'
import { getPriority } from 'node:os'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { manifest, ndjson, Publisher } from '../../test/support/feeds/publisher.ts'
import { openTempStore, readAll, syncParts, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import { startSyncs } from '../../test/support/sync/sync-worker-harness.ts'
import { smartLinks } from '../feeds/smart-links/connector.ts'
import type { Store } from '../store/contracts/store.ts'
import { type SyncRun, syncSource } from './sync-source.ts'

const START_MS = Date.UTC(2030, 0, 7, 8)

const LOCATION = {
  resourceType: 'Location',
  id: 'location-1',
  name: 'Harbor Clinic',
  telecom: [{ system: 'phone', value: '617-555-0100' }],
  address: { line: ['1 Main Street'], city: 'Boston', state: 'MA', postalCode: '02110' },
}

const SCHEDULE = {
  resourceType: 'Schedule',
  id: 'schedule-1',
  actor: [{ reference: 'Location/location-1' }],
  serviceType: [{ coding: [{ code: '57' }], text: 'Immunization' }],
}

interface Line {
  readonly n: number
  readonly status?: string
}

const slotLine = ({ n, status = 'free' }: Line) => ({
  resourceType: 'Slot',
  id: `slot-${n}`,
  schedule: { reference: 'Schedule/schedule-1' },
  status,
  start: new Date(START_MS + n * 900_000).toISOString(),
  end: new Date(START_MS + (n + 1) * 900_000).toISOString(),
})

const lines = (count: number): Line[] => Array.from({ length: count }, (_, n) => ({ n }))

/** A publisher of one clinic, whose slots are in two files: even and odd. */
async function openPublisher(t: TestContext, slots: readonly Line[]): Promise<Publisher> {
  const publisher = await Publisher.open({
    '/$bulk-publish': manifest({
      '/locations.ndjson': 'Location',
      '/schedules.ndjson': 'Schedule',
      '/even.ndjson': 'Slot',
      '/odd.ndjson': 'Slot',
    }),
    '/locations.ndjson': ndjson(LOCATION),
    '/schedules.ndjson': ndjson(SCHEDULE),
  })
  t.after(() => publisher[Symbol.asyncDispose]())
  publish(publisher, slots)
  return publisher
}

function publish(publisher: Publisher, slots: readonly Line[]): void {
  const file = (rest: number) => ndjson(...slots.filter(({ n }) => n % 2 === rest).map(slotLine))
  publisher.files['/even.ndjson'] = file(0)
  publisher.files['/odd.ndjson'] = file(1)
}

async function open(t: TestContext, slots: readonly Line[]) {
  const publisher = await openPublisher(t, slots)
  const store = await openTempStore(t)
  await addClinic(store, publisher)
  return { publisher, store, sync: () => sync(store) }
}

const addClinic = (store: Store, publisher: Publisher) =>
  store.sources.add({ slug: 'clinic', url: `${publisher.origin}/$bulk-publish`, strict: false })

async function sync(store: Store): Promise<SyncRun> {
  const run = await syncSource(syncParts(store, smartLinks({ allowPrivate: true })), 'clinic')
  return run ?? assert.fail('the source is taken')
}

const numbers = ({ outcome }: SyncRun) => [
  outcome.outcome,
  outcome.read,
  outcome.added,
  outcome.changed,
  outcome.removed,
  outcome.rejected,
]

/** What the store holds, as start and status, in order. */
async function held(store: Store): Promise<string[]> {
  return [...(await readAll(store)).values()].map((slot) => `${slot.startMs} ${slot.status}`).sort()
}

const published = (slots: readonly Line[]) =>
  slots.map(({ n, status = 'free' }) => `${START_MS + n * 900_000} ${status}`).sort()

test('reads a feed, and then only its changes', async (t) => {
  const first = lines(3000)
  const { publisher, store, sync } = await open(t, first)
  assert.deepEqual(numbers(await sync()), ['ok', 3000, 3000, 0, 0, 0])
  assert.deepEqual(await held(store), published(first))

  const changed = first.map((line) => (line.n % 100 === 0 ? { ...line, status: 'busy' } : line))
  publish(publisher, changed)
  assert.deepEqual(numbers(await sync()), ['ok', 3000, 0, 30, 0, 0])
  assert.deepEqual(await held(store), published(changed))

  const shorter = changed.filter(({ n }) => n % 1000 !== 7)
  publish(publisher, [...shorter, { n: 5000 }])
  assert.deepEqual(numbers(await sync()), ['ok', 2998, 1, 0, 3, 0])
  assert.deepEqual(await held(store), published([...shorter, { n: 5000 }]))
})

test('changes nothing when the publisher responds 304', async (t) => {
  const { publisher, store, sync } = await open(t, lines(10))
  const { revision } = await sync()
  publisher.asked()
  const run = await sync()
  assert.equal(run.outcome.unchanged, true)
  assert.equal((await store.revisionFeed.revisions()).slots, revision)
  assert.ok(publisher.asked().some((line) => line.endsWith(' 304')))
  assert.equal((await readAll(store)).size, 10)
})

test('never reads the stored rows of a feed that did not change', async (t) => {
  const { publisher, store } = await open(t, lines(10))
  const unread: Store = {
    ...store,
    snapshots: {
      begin: async (...asked) => {
        const writer = (await store.snapshots.begin(...asked)) ?? assert.fail('the source is taken')
        return Object.assign(writer, { readStored: () => assert.fail('the stored rows were read') })
      },
    },
  }
  await sync(store)
  const run = await sync(unread)
  assert.deepEqual([run.outcome.outcome, run.outcome.unchanged], ['ok', true])
  publish(publisher, lines(11))
  assert.match((await sync(unread)).outcome.error ?? '', /the stored rows were read/)
})

test('keeps the file that did not change, and reads the one that did', async (t) => {
  const { publisher, store, sync } = await open(t, lines(10))
  await sync()
  publisher.asked()
  const changed = lines(10).map((line) => (line.n === 3 ? { ...line, status: 'busy' } : line))
  publish(publisher, changed)
  assert.deepEqual(numbers(await sync()), ['ok', 10, 0, 1, 0, 0])
  assert.ok(publisher.asked().includes('/even.ndjson 304'))
  assert.deepEqual(await held(store), published(changed))
})

test('changes every slot when their shared resources change', async (t) => {
  const { publisher, store, sync } = await open(t, lines(10))
  await sync()
  publisher.files['/locations.ndjson'] = ndjson({ ...LOCATION, name: 'Harbor Clinic North' })
  assert.deepEqual(numbers(await sync()), ['ok', 10, 0, 10, 0, 0])
  assert.equal((await readAll(store)).size, 10)
})

test('serves the last good state when a file fails in the middle, and recovers', async (t) => {
  const { publisher, store, sync } = await open(t, lines(10))
  await sync()
  const before = await held(store)
  publish(publisher, lines(5000))
  const odd = publisher.files['/odd.ndjson']
  publisher.files['/odd.ndjson'] = (_request, response) => {
    response.writeHead(200, { 'content-length': 1_000_000 })
    response.write('{"resourceType":"Slot"', () => response.destroy())
  }
  const run = await sync()
  assert.equal(run.outcome.outcome, 'failed')
  assert.deepEqual(await held(store), before)
  assert.equal((await store.sources.find('clinic'))?.failures, 1)
  publisher.files['/odd.ndjson'] = odd
  assert.deepEqual(numbers(await sync()), ['ok', 5000, 4990, 0, 0, 0])
  assert.equal((await store.sources.find('clinic'))?.failures, 0)
})

test('rejects only bad and duplicate lines, with file and line, in every sync', async (t) => {
  const { publisher, store, sync } = await open(t, lines(10))
  publisher.files['/odd.ndjson'] += `{"resourceType":"Slot"}\n${ndjson(slotLine({ n: 3 }))}`
  for (const added of [10, 0]) {
    const run = await sync()
    assert.deepEqual(numbers(run), ['partial', 12, added, 0, 0, 2])
    const { id } = (await store.sources.find('clinic')) ?? assert.fail()
    const rejections = await store.sources.rejections(id)
    assert.deepEqual(
      rejections.map(({ file, line }) => [new URL(file).pathname, line]),
      [
        ['/odd.ndjson', 6],
        ['/odd.ndjson', 7],
      ],
    )
    assert.match(rejections[1].reason, /published twice/)
    assert.deepEqual(await held(store), published(lines(10)))
    publisher.files['/odd.ndjson'] += '\n'
  }
})

test('leaves no data of a source that is removed during a sync', async (t) => {
  const { publisher, store, sync } = await open(t, lines(10))
  await sync()
  publish(publisher, lines(20))
  const odd = publisher.files['/odd.ndjson']
  publisher.files['/odd.ndjson'] = async (_request, response) => {
    await store.sources.remove('clinic')
    response.end(odd)
  }
  const run = await sync()
  assert.equal(run.outcome.outcome, 'failed')
  assert.match(run.outcome.error ?? '', /LeaseLost/)
  assert.equal((await readAll(store)).size, 0)
})

test('the sync thread reads due sources, logs it, and stops', async (t) => {
  const publisher = await openPublisher(t, lines(10))
  const databaseUrl = tempDatabaseUrl()
  const priority = getPriority(process.pid)
  const { thread, events } = startSyncs(t, { databaseUrl, allowPrivateSources: true })
  const store = await openTempStore(t, Date.now, databaseUrl)
  await addClinic(store, publisher)
  await eventually(() => events.length > 0)
  assert.equal(events[0].message, 'source was synced')
  assert.equal(events[0].fields.added, 10)
  assert.deepEqual(await held(store), published(lines(10)))
  assert.equal(getPriority(process.pid), priority)
  await thread.stop()
  assert.equal(events.length, 1)
})

test('the sync thread refuses a source on a private address unless it is allowed', async (t) => {
  const publisher = await openPublisher(t, lines(10))
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  await addClinic(store, publisher)
  const { events } = startSyncs(t, { databaseUrl, allowPrivateSources: false })
  await eventually(() => events.length > 0)
  assert.equal(events[0].message, 'source could not be synced')
  assert.deepEqual(publisher.asked(), [])
})
