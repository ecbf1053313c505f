import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { openClinicStore, readAll, slotOf, syncParts } from '../../test/support/store/temp-store.ts'
import type { Connector } from '../feeds/connector.ts'
import type { Store } from '../store/contracts/store.ts'
import { syncSource } from './sync-source.ts'

const NOW_MS = Date.UTC(2029, 5, 1)

async function sync(store: Store, connector: Connector, leaseMs = 30_000) {
  const parts = syncParts(store, connector, { clock: () => NOW_MS })
  return (await syncSource(parts, 'clinic', { leaseMs })) ?? assert.fail('the source must be free')
}

/** Publishes so many slots, and stores the address in its state. */
function publishing(count: number): Connector {
  return {
    async read({ url }, draft) {
      for (let n = 0; n < count; n++) draft.put(slotOf(n), { file: 'f', line: n, part: 0, fingerprint: n })
      await draft.flush()
      return { unchanged: false, state: { url, was: draft.state ?? null }, publishedAtMs: NOW_MS }
    },
  }
}

test('discards a running sync when its source is edited, and reads everything in the next one', async (t) => {
  const store = await openClinicStore(t)
  await sync(store, publishing(2))
  const url = 'https://other.test/'
  const slow: Connector = {
    async read(source, draft, signal) {
      draft.put(slotOf(7), { file: 'f', line: 7, part: 0, fingerprint: 7 })
      await draft.flush()
      await store.sources.edit('clinic', () => ({ url }))
      // Three times in each lease is looked whether it is there.
      await once(signal, 'abort', { signal: AbortSignal.timeout(20_000) })
      return { unchanged: false, state: { url: source.url } }
    },
  }
  const { outcome } = await sync(store, slow, 300)
  assert.equal(outcome.outcome, 'failed')
  assert.equal((await readAll(store)).size, 2)
  const edited = (await store.sources.find('clinic')) ?? assert.fail()
  assert.deepEqual([edited.connectorState, edited.failures, edited.lastSync?.outcome], [undefined, 0, 'ok'])
  assert.ok(edited.nextSyncAtMs <= Date.now())
  assert.equal((await sync(store, publishing(3))).outcome.outcome, 'ok')
  assert.deepEqual((await store.sources.find('clinic'))?.connectorState, { url, was: null })
  assert.equal((await readAll(store)).size, 3)
})

test('reports no timestamp anomaly for changes caused by an edit', async (t) => {
  const store = await openClinicStore(t)
  await store.sources.setReviewPolicy('clinic', 'suspicious')
  await sync(store, publishing(2))
  await store.sources.edit('clinic', () => ({ strict: true }))
  assert.equal((await sync(store, publishing(1))).outcome.outcome, 'ok')
  assert.deepEqual((await store.sources.find('clinic'))?.watch.anomalies, [])
  const stuck = await sync(store, publishing(2))
  assert.deepEqual([stuck.outcome.outcome, stuck.held?.[0].kind], ['held', 'clock-stuck'])
})
