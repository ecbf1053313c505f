import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { manifest, ndjson, Publisher } from '../../test/support/feeds/publisher.ts'
import { openTempStore, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import { inThisProcess, SCHEDULER_OPTIONS } from '../../test/support/sync/scheduler-harness.ts'
import { connectorsOf } from '../feeds/connectors.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import type { Store } from '../store/contracts/store.ts'
import { FollowWorker } from '../workers/follow-worker.ts'
import { Scheduler } from './scheduler.ts'

const START_MS = Date.UTC(2030, 0, 7, 8)

/**
 * Half a second over `max-age`, counted from when the last sync was begun: within the 61 s that are promised, with half of
 * one for the rest.
 */
const ASKED_AFTER_MS = 60_500

test('requests a feed with max-age=60 after 60.5 s, not earlier, and serves its changes', async (t) => {
  const publisher = await openPublisher()
  t.after(() => publisher[Symbol.asyncDispose]())
  const databaseUrl = tempDatabaseUrl()
  let nowMs = START_MS - 3_600_000
  const clock = () => nowMs
  const opened = await openTempStore(t, clock, databaseUrl)
  const { store, looks } = countingLooks(opened)
  const index = new SlotIndex()
  const following = new FollowWorker({ index, keyRing: new KeyRing() }, { databaseUrl }, () => {})
  t.after(() => following.stop())
  await store.sources.add({ slug: 'clinic', url: `${publisher.origin}/$bulk-publish`, strict: false })
  const connectorOf = connectorsOf({ allowPrivateSources: true })
  const parts = { store, connectorOf, clock, random: () => 0.5, everyMsDefault: 300_000 }
  const scheduler = new Scheduler(inThisProcess(parts), () => {}, SCHEDULER_OPTIONS)
  t.after(() => scheduler.stop())
  scheduler.start()
  await eventually(() => index.length === 1)

  // The worst moment: just after it was asked.
  publisher.files['/slots.ndjson'] = slots(2)
  const startedAtMs = nowMs
  assert.equal((await store.sources.find('clinic'))?.nextSyncAtMs, startedAtMs + ASKED_AFTER_MS)
  nowMs = startedAtMs + ASKED_AFTER_MS - 1
  const before = looks()
  await eventually(() => looks() >= before + 20)
  assert.equal((await store.sources.find('clinic'))?.lastSync?.startedAtMs, startedAtMs)
  nowMs += 1
  await eventually(() => index.length === 2)
  assert.equal((await store.sources.find('clinic'))?.lastSync?.startedAtMs, startedAtMs + ASKED_AFTER_MS)
})

function openPublisher(): Promise<Publisher> {
  const list = manifest({
    '/locations.ndjson': 'Location',
    '/schedules.ndjson': 'Schedule',
    '/slots.ndjson': 'Slot',
  })
  return Publisher.open({
    '/$bulk-publish': (_, response) => response.writeHead(200, { 'cache-control': 'max-age=60' }).end(list),
    '/locations.ndjson': ndjson({ resourceType: 'Location', id: '1', address: { state: 'MA' } }),
    '/schedules.ndjson': ndjson({ resourceType: 'Schedule', id: '1', actor: [{ reference: 'Location/1' }] }),
    '/slots.ndjson': slots(1),
  })
}

function slots(count: number): string {
  const at = (n: number) => new Date(START_MS + n * 900_000).toISOString()
  const slotAt = (_: unknown, n: number) => ({
    resourceType: 'Slot',
    id: `slot-${n}`,
    schedule: { reference: 'Schedule/1' },
    status: 'free',
    start: at(n),
    end: at(n + 1),
  })
  return ndjson(...Array.from({ length: count }, slotAt))
}

/** The store, and how often it was asked whose turn it is. */
function countingLooks(store: Store): { store: Store; looks: () => number } {
  let looks = 0
  const dueSyncs: Store['sources']['dueSyncs'] = (which) => {
    looks += 1
    return store.sources.dueSyncs(which)
  }
  const sources = new Proxy(store.sources, {
    get: (all, name) => (name === 'dueSyncs' ? dueSyncs : Reflect.get(all, name).bind(all)),
  })
  return { store: { ...store, sources }, looks: () => looks }
}
