import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { sharedPostgres } from '../../test/postgres/shared-postgres.ts'
import {
  connectorOfSlots,
  OFFERING,
  openTempStore,
  slotOf,
  syncParts,
  tempDatabaseUrl,
} from '../../test/support/store/temp-store.ts'
import { runAtOnce } from '../lib/steps.ts'
import { IndexBuilder } from '../slot-index/index-builder.ts'
import type { IndexContent } from '../slot-index/index-content.ts'
import type { Store } from '../store/contracts/store.ts'
import { openStore } from '../store/open-store.ts'
import { loadSlots, openTogether, type SlotLoader } from '../sync/load-slots.ts'
import { putInserted } from '../sync/put-slots.ts'
import { syncSource } from '../sync/sync-source.ts'
import { startLoaders } from './load-worker.ts'

const SLOTS = 9000

test('threads load the slots that one thread loads', async (t) => {
  await using server = await sharedPostgres()
  for (const databaseUrl of [tempDatabaseUrl(), await server.createDatabase()]) {
    const store = await openStore(databaseUrl)
    t.after(() => store.close())
    await publish(store)
    const loaders = startLoaders(databaseUrl, 2)
    t.after(() => Promise.all(loaders.map((loader) => loader.close())))
    const found = await textsOf(store, loaders)
    assert.equal(found.length, SLOTS)
    assert.deepEqual(found, await textsOf(store))
    // The store has changed since the loaders opened it.
    await publish(store, 1)
    assert.deepEqual(await textsOf(store, loaders), await textsOf(store))
  }
})

test('counts the slots that are left out because memory is full', async (t) => {
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  await publish(store)
  const loaders = startLoaders(databaseUrl, 2)
  t.after(() => Promise.all(loaders.map((loader) => loader.close())))
  const changes = await openTogether(store.revisionFeed, loaders)
  assert.ok(changes !== undefined)
  const builder = new IndexBuilder()
  builder.begin(true)
  const isFull = async (moreBytes: number) => moreBytes >= SLOTS * 30
  const leftOut = await loadSlots({ changes, builder, isFull }, loaders)
  await changes.close()
  const { levels } = runAtOnce(builder.commit({ store: 1, revision: 1, atMs: 0 }, leftOut))
  const loaded = rowsOf(levels)
  assert.ok(leftOut > 0 && loaded > 0)
  assert.equal(loaded + leftOut, SLOTS)
})

test('opens the store again when a commit came in between, and gives up in the end', async (t) => {
  const store = await openTempStore(t)
  await publish(store)
  const { slots } = await store.revisionFeed.revisions()
  let behind = 2
  const loader = { open: async () => slots - Math.max(0, behind--) } as unknown as SlotLoader
  const changes = await openTogether(store.revisionFeed, [loader])
  assert.equal(changes?.revision, slots)
  await changes?.close()
  behind = 1000
  assert.equal(await openTogether(store.revisionFeed, [loader]), undefined)
})

test('closes the store when a thread cannot open it: a pool of connections is not used up', async (t) => {
  await using server = await sharedPostgres()
  const store = await openStore(await server.createDatabase())
  t.after(() => store.close())
  const open = () => Promise.reject(new Error('The thread ended'))
  const loader = { open } as unknown as SlotLoader
  for (let n = 0; n < 6; n++) await assert.rejects(openTogether(store.revisionFeed, [loader]), /The thread ended/)
})

test('ends after it has put what was packed, also when a thread fails', async (t) => {
  const { loader, changes } = await openedByOne(t)
  const failed = Promise.withResolvers<void>()
  const events: string[] = []
  const offerings = async (ids: readonly number[]) => {
    await failed.promise
    events.push('put')
    return changes.offerings(ids)
  }
  const packs = [
    loader.pack.bind(loader),
    () => {
      setImmediate(failed.resolve)
      return Promise.reject(new Error('The thread ended'))
    },
  ].values()
  loader.pack = (keys) => packs.next().value?.(keys) ?? Promise.reject(new Error('Every loop has ended'))
  const change = {
    changes: Object.assign(Object.create(changes), { offerings }),
    builder: new IndexBuilder(),
    isFull: async () => false,
  }
  change.builder.begin(true)
  await assert.rejects(loadSlots(change, [loader]), /The thread ended/)
  assert.deepEqual([...events, 'failed'], ['put', 'failed'])
})

test('reads an old store, whose low keys are of slots that are gone, in ranges as small as those of another', async (t) => {
  const { loader, changes } = await openedByOne(t, 100_000_000)
  const sizes: number[] = []
  const pack = loader.pack.bind(loader)
  loader.pack = (keys) => {
    sizes.push(keys.to - keys.from)
    return pack(keys)
  }
  const builder = new IndexBuilder()
  builder.begin(true)
  await loadSlots({ changes, builder, isFull: async () => false }, [loader])
  const { levels } = runAtOnce(builder.commit({ store: 1, revision: 1, atMs: 0 }))
  assert.equal(rowsOf(levels), SLOTS)
  assert.ok(Math.max(...sizes) <= 250_000)
})

test('starts no threads for one processor', () => {
  assert.deepEqual(startLoaders('sqlite:./none.db', 1), [])
})

/** One loader that has opened a store of slots, with keys from `firstKey` on. */
async function openedByOne(t: TestContext, firstKey = 1) {
  const databaseUrl = tempDatabaseUrl()
  const store = await openTempStore(t, Date.now, databaseUrl)
  const database = new DatabaseSync(databaseUrl.replace('sqlite:', ''))
  database.prepare("update counters set value = ? where name = 'slot_keys'").run(firstKey - 1)
  database.close()
  await publish(store)
  const loaders = startLoaders(databaseUrl, 2)
  t.after(() => Promise.all(loaders.map((loader) => loader.close())))
  const changes = await openTogether(store.revisionFeed, loaders)
  assert.ok(changes !== undefined)
  t.after(() => changes.close())
  return { loader: loaders[0], changes }
}

function rowsOf(levels: IndexContent['levels']): number {
  return levels.flatMap(({ one }) => one).reduce((sum, { run }) => sum + run.length, 0)
}

/** Slots of some offerings, with some statuses and links; without the first `less`. */
async function publish(store: Store, less = 0): Promise<void> {
  if ((await store.sources.find('clinic')) === undefined)
    await store.sources.add({ slug: 'clinic', url: 'https://example.org/', strict: false })
  const slots = Array.from({ length: SLOTS - less }, (_, n) =>
    slotOf(n + less, {
      status: n % 3 === 0 ? 'busy' : 'free',
      bookingDeepLink: `https://clinic.example/${n % 7}/${n}`,
      offering: { ...OFFERING, scheduleId: `schedule-${n % 50}` },
    }),
  )
  const parts = syncParts(
    store,
    connectorOfSlots(() => slots),
  )
  assert.equal((await syncSource(parts, 'clinic'))?.outcome.error, undefined)
}

/** All slots in the order of an index, as it serves them. */
async function textsOf(store: Store, loaders: readonly SlotLoader[] = []): Promise<string[]> {
  const isTogether = loaders.length > 0
  const { revisionFeed } = store
  const changes = isTogether ? await openTogether(revisionFeed, loaders) : await revisionFeed.open(undefined)
  assert.ok(changes !== undefined)
  const builder = new IndexBuilder()
  builder.begin(true)
  const change = { changes, builder, isFull: async () => false }
  assert.equal(await (isTogether ? loadSlots(change, loaders) : putInserted(change)), 0)
  await changes.close()
  const { levels, tables } = runAtOnce(builder.commit({ store: 1, revision: changes.revision, atMs: 0 }))
  return levels.flatMap(({ one }, status) =>
    one.flatMap(({ run }) => Array.from({ length: run.length }, (_, row) => tables.writers[status].textOf(run, row))),
  )
}
