import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  connectorOfSlots,
  connectorThat,
  openTempStore,
  readAll,
  slotOf,
  syncParts,
} from '../../test/support/store/temp-store.ts'
import type { Connector } from '../feeds/connector.ts'
import type { Store } from '../store/contracts/store.ts'
import { syncSource } from './sync-source.ts'

async function openSources(t: TestContext, slotsMax?: number): Promise<Store> {
  const store = await openTempStore(t)
  for (const slug of ['clinic', 'hospital']) {
    await store.sources.add({ slug, url: `https://${slug}.test/`, strict: false, ...(slotsMax && { slotsMax }) })
  }
  return store
}

async function sync(store: Store, slotsMax: number, connector: Connector, slug = 'clinic') {
  const run = await syncSource(syncParts(store, connector, { slotsMax }), slug)
  return run?.outcome ?? assert.fail('the source is taken')
}

const slots = (from: number, to: number) =>
  connectorOfSlots(() => Array.from({ length: to - from }, (_, n) => slotOf(from + n)))

test('a source may have a quarter of the slots of the service', async (t) => {
  const store = await openSources(t)
  assert.equal((await sync(store, 40, slots(0, 10))).outcome, 'ok')
  const { outcome, error } = await sync(store, 40, slots(0, 11))
  assert.equal(outcome, 'failed')
  assert.equal(
    error,
    'Cannot read feed: it has more than 10 slots, the limit of this source. If they are genuine, raise the limit: source edit clinic --slots-max <count>',
  )
  assert.equal((await readAll(store)).size, 10)
})

test('a limit of a source takes the place of its share', async (t) => {
  const store = await openSources(t)
  assert.equal((await sync(store, 40, slots(0, 12))).outcome, 'failed')
  await store.sources.edit('clinic', () => ({ slotsMax: 12 }))
  assert.equal((await sync(store, 40, slots(0, 12))).outcome, 'ok')
  assert.equal((await sync(store, 40, slots(0, 13))).outcome, 'failed')
  await store.sources.edit('clinic', () => ({ slotsMax: 3 }))
  assert.equal((await sync(store, 40, slots(0, 4))).outcome, 'failed')
  assert.equal((await sync(store, 40, slots(1, 4))).outcome, 'ok')
  assert.equal((await readAll(store)).size, 3)
})

test('all sources together stay within the limit of the service', async (t) => {
  const store = await openSources(t, 100)
  assert.equal((await sync(store, 15, slots(0, 10))).outcome, 'ok')
  const { outcome, error } = await sync(store, 15, slots(10, 16), 'hospital')
  assert.equal(outcome, 'failed')
  assert.match(
    error ?? '',
    /^Cannot read feed: with its slots, the service would have more than 15\. .*raise SLOTS_MAX$/,
  )
  assert.equal((await sync(store, 15, slots(10, 15), 'hospital')).outcome, 'ok')
  assert.equal((await readAll(store)).size, 15)
})

test('a source of a service that is full may change and lose slots', async (t) => {
  const store = await openSources(t, 100)
  await sync(store, 20, slots(0, 10))
  await sync(store, 20, slots(10, 20), 'hospital')
  assert.equal((await sync(store, 12, slots(1, 11))).outcome, 'ok')
  assert.equal((await sync(store, 12, slots(1, 10))).outcome, 'ok')
  assert.equal((await sync(store, 12, slots(0, 10))).outcome, 'failed')
})

test('a sync that passes the limit ends without reading the rest', async (t) => {
  const store = await openSources(t)
  let published = 0
  const endless = connectorThat(async (draft) => {
    for (;;) {
      for (let n = 0; n < 500; n++, published++)
        draft.put(slotOf(published), { file: 'f', line: published, part: 1, fingerprint: published })
      await draft.flush()
    }
  })
  assert.equal((await sync(store, 20_000, endless)).outcome, 'failed')
  assert.ok(published < 12_000, `${published}`)
  assert.equal((await readAll(store)).size, 0)
})

test('counts neither rejected nor withheld lines nor duplicates', async (t) => {
  const store = await openSources(t)
  const lines = connectorThat(async (draft) => {
    for (let n = 0; n < 10; n++) draft.put(slotOf(n % 5), { file: 'f', line: n, part: 1, fingerprint: n })
    for (let n = 0; n < 10; n++) draft.withhold()
    await draft.flush()
    return { state: undefined }
  })
  const { outcome, rejected, added } = await sync(store, 20, lines)
  assert.deepEqual([outcome, rejected, added], ['partial', 5, 5])
})

test('of two sources that grow at once, the second to commit fails if both do not fit', async (t) => {
  const store = await openSources(t, 100)
  const inner = slots(0, 10)
  const outer = connectorThat(async (draft) => {
    assert.equal((await sync(store, 15, inner)).outcome, 'ok')
    for (let n = 10; n < 20; n++) draft.put(slotOf(n), { file: 'f', line: n, part: 1, fingerprint: n })
    await draft.flush()
    return { state: undefined }
  })
  const { outcome, error } = await sync(store, 15, outer, 'hospital')
  assert.equal(outcome, 'failed')
  assert.match(error ?? '', /raise SLOTS_MAX$/)
  assert.equal((await readAll(store)).size, 10)
  assert.equal((await store.sources.find('hospital'))?.slotCount, 0)
})
