import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { freePort } from '../../test/support/free-port.ts'
import {
  connectorOfSlots,
  firstSlots,
  openTempStore,
  slotOf,
  syncParts,
  tempDatabaseUrl,
} from '../../test/support/store/temp-store.ts'
import { startApp } from '../app.ts'
import { readConfig } from '../config/config.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { mintApiKey } from '../keys/mint-key.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import type { Store } from '../store/contracts/store.ts'
import { syncSource } from '../sync/sync-source.ts'
import { FollowWorker } from './follow-worker.ts'
import { openLog } from './log.ts'
import { MemoryBudget } from './memory-budget.ts'

/** Publishes the slots from `from` to below `to`. */
async function publish(store: Store, from: number, to: number, slug = 'clinic'): Promise<void> {
  if ((await store.sources.find(slug)) === undefined) {
    await store.sources.add({ slug, url: 'https://example.org/', strict: false })
    await store.sources.setReviewPolicy(slug, 'nothing')
  }
  const connector = connectorOfSlots(() => firstSlots(to).slice(from))
  assert.equal((await syncSource(syncParts(store, connector), slug))?.outcome.error, undefined)
}

/** Follows a store with `rssBytes` of a gigabyte in use. */
async function follow(t: TestContext, fill: (store: Store) => Promise<void>, rssBytes = 0) {
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  await fill(store)
  const use = { rssBytes, heapBytes: 0, heapBytesMax: 100 }
  const index = new SlotIndex()
  const log: string[] = []
  const memory = new MemoryBudget({ maxBytes: 1e9 }, () => use)
  const state = { index, keyRing: new KeyRing(), memory }
  const following = new FollowWorker(state, { databaseUrl }, ({ message }) => log.push(message))
  t.after(() => following.stop())
  await following.loaded
  const caughtUp = async () => {
    const { slots } = await store.revisionFeed.revisions()
    await eventually(() => index.revision === slots)
  }
  const has = (n: number) => index.find(slotOf(n).id) !== undefined
  return { store, index, use, log, following, caughtUp, has }
}

const FULL = 1e9

test('leaves out slots that come while memory is full, and serves and removes the others', async (t) => {
  const { store, index, use, log, caughtUp, has } = await follow(t, (store) => publish(store, 0, 20))
  assert.deepEqual([index.length, index.missing, log], [20, 0, []])
  use.rssBytes = FULL
  await publish(store, 5, 30)
  await caughtUp()
  assert.deepEqual([index.length, index.missing], [15, 10])
  assert.deepEqual([has(4), has(5), has(19), has(20)], [false, true, true, false])
  assert.deepEqual(log, ['memory is full: slots were left out'])
  use.rssBytes = 0
  await publish(store, 6, 40)
  await caughtUp()
  assert.deepEqual([index.length, index.missing], [24, 10])
  assert.deepEqual([has(5), has(20), has(35)], [false, false, true])
})

test('is complete again when the slots that were left out are gone', async (t) => {
  const { store, index, use, log, caughtUp } = await follow(t, (store) => publish(store, 0, 20))
  use.rssBytes = FULL
  await publish(store, 100, 150, 'flood')
  await caughtUp()
  assert.deepEqual([index.length, index.missing], [20, 50])
  await publish(store, 100, 110, 'flood')
  await caughtUp()
  assert.deepEqual([index.length, index.missing], [20, 10])
  await store.sources.remove('flood')
  await caughtUp()
  assert.deepEqual([index.length, index.missing], [20, 0])
  assert.deepEqual(log, ['memory is full: slots were left out', 'all slots are loaded again'])
})

test('starts with more slots in the store than fit, and loads all of them later', async (t) => {
  const { index, use, log, following } = await follow(t, (store) => publish(store, 0, 20), FULL)
  assert.deepEqual([following.isReady(), index.length, index.missing], [true, 0, 20])
  use.rssBytes = 0
  following.startOver()
  await eventually(() => index.length === 20)
  assert.equal(index.missing, 0)
  assert.deepEqual(log, ['memory is full: slots were left out', 'all slots are loaded again'])
})

test('a node without memory for its slots starts, serves and reports it', { timeout: 60_000 }, async (t) => {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  await publish(store, 0, 20)
  const { id } = await store.organizations.create('Callers')
  const { secret, key } = mintApiKey({ organizationId: id, name: 'web' }, Date.now())
  await store.keys.put(key)
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATABASE_URL: databaseUrl,
    MEMORY_MB_MAX: '1',
  }
  const app = await startApp(readConfig(env), openLog('silent'))
  t.after(() => app.close())
  await eventually(async () => (await fetch(`${app.address}/readyz`)).ok)
  const report = await (await fetch(`${app.address}/readyz?verbose`)).json()
  assert.equal(report.status, 'ready')
  assert.deepEqual(report.memory, { status: 'full', maxBytes: 2 ** 20, missingSlots: 20 })
  const page = await fetch(`${app.address}/v1/scheduling/slots`, { headers: { 'x-api-key': secret } })
  assert.deepEqual([page.status, (await page.json()).total], [200, 0])
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  assert.match(metrics, /^slots_index_missing_slots 20$/m)
  assert.match(metrics, /^slots_memory_max_bytes 1048576$/m)
})
