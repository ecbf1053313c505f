import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  connectorOfSlots,
  connectorThat,
  firstSlots,
  openClinicStore,
  publishing,
  readAll,
  slotOf,
  syncParts,
} from '../../test/support/store/temp-store.ts'
import { type Connector, FeedFailure } from '../feeds/connector.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { Store } from '../store/contracts/store.ts'
import { healthOf } from './source-health.ts'
import { recordFailure, type SyncOptions, type SyncRun, syncSource } from './sync-source.ts'

const NOW_MS = Date.UTC(2029, 5, 1)

async function sync(store: Store, connector: Connector, options: SyncOptions = {}): Promise<SyncRun> {
  const parts = syncParts(store, connector, { clock: () => NOW_MS })
  const run = await syncSource(parts, 'clinic', options)
  assert.ok(run)
  return run
}

const failing = (error: unknown) => connectorThat(() => Promise.reject(error))

test('stores what the source publishes, and reports the counts', async (t) => {
  const store = await openClinicStore(t)
  const first = await sync(store, publishing(3))
  assert.equal(first.outcome.outcome, 'ok')
  assert.equal(first.outcome.added, 3)
  const second = await sync(
    store,
    connectorOfSlots(() => [...firstSlots(2), slotOf(9), slotOf(9)]),
  )
  assert.equal(second.outcome.outcome, 'partial')
  assert.deepEqual(
    [second.outcome.read, second.outcome.added, second.outcome.removed, second.outcome.rejected],
    [4, 1, 1, 1],
  )
  assert.ok((second.revision ?? 0) > (first.revision ?? 0))
  const state = await store.sources.find('clinic')
  assert.deepEqual(state?.lastSync, second.outcome)
  assert.equal(state?.slotCount, 3)
})

test('passes the connector state back to the connector of the same source', async (t) => {
  const store = await openClinicStore(t)
  const seen: unknown[] = []
  const remembering = connectorThat(async (draft) => {
    seen.push(draft.state)
    return { state: { etag: `"${seen.length}"` } }
  })
  await sync(store, remembering)
  await sync(store, failing(new Error('forgets nothing')))
  await sync(store, remembering)
  assert.deepEqual(seen, [undefined, { etag: '"1"' }])
})

test('changes nothing when the feed fails, and backs off', async (t) => {
  const store = await openClinicStore(t)
  await sync(store, publishing(3))
  const half = connectorThat(async (draft) => {
    for (let n = 0; n < 5000; n++) draft.put(slotOf(n), { file: 'f', line: n, part: 1, fingerprint: n })
    await draft.flush()
    throw new FeedFailure('Cannot read file: the connection was cut')
  })
  const waits: number[] = []
  for (let failure = 0; failure < 3; failure++) {
    const run = await sync(store, half)
    assert.equal(run.outcome.outcome, 'failed')
    assert.equal(run.outcome.error, 'Cannot read file: the connection was cut')
    assert.equal(run.revision, undefined)
    waits.push((run.nextSyncAtMs - NOW_MS) / MINUTE_MS)
  }
  assert.deepEqual(waits, [1, 2, 5])
  assert.equal((await readAll(store)).size, 3)
  const state = await store.sources.find('clinic')
  assert.equal(state?.failures, 3)
  assert.equal(state?.slotCount, 3)
})

test('resets the backoff after a successful sync', async (t) => {
  const store = await openClinicStore(t)
  await sync(store, failing(new Error('down')))
  await sync(store, publishing(1))
  const run = await sync(store, failing(new Error('down again')))
  assert.equal(run.nextSyncAtMs, NOW_MS + MINUTE_MS)
})

test('obeys Retry-After of a failed feed, and max-age of a good one', async (t) => {
  const store = await openClinicStore(t)
  await store.sources.edit('clinic', () => ({ everyMs: 2 * MINUTE_MS }))
  const busy = await sync(store, failing(new FeedFailure('503', { retryAfterMs: 20 * MINUTE_MS })))
  assert.equal(busy.nextSyncAtMs, NOW_MS + 20 * MINUTE_MS)
  const good = await sync(
    store,
    connectorThat(async () => ({ maxAgeMs: 3 * MINUTE_MS })),
  )
  assert.equal(good.nextSyncAtMs, NOW_MS + 3 * MINUTE_MS + 500)
  assert.equal((await store.sources.find('clinic'))?.nextSyncAtMs, good.nextSyncAtMs)
})

test('keeps slots and rejections, and counts them, when nothing was published', async (t) => {
  const store = await openClinicStore(t)
  const first = await sync(
    store,
    connectorOfSlots(() => [...firstSlots(3), slotOf(0)]),
  )
  const run = await sync(
    store,
    connectorThat(async () => ({ unchanged: true })),
  )
  const { outcome, unchanged, read, rejected } = run.outcome
  assert.deepEqual([outcome, unchanged, read, rejected], ['partial', true, 4, 1])
  assert.equal((await store.revisionFeed.revisions()).slots, first.revision)
  const state = await store.sources.find('clinic')
  assert.equal(state?.slotCount, 3)
  assert.equal(state?.failures, 0)
  assert.equal((await store.sources.rejections(state?.id ?? 0)).length, 1)
})

test('flags a source that drops from many slots to none', async (t) => {
  const store = await openClinicStore(t)
  const none = publishing(0)
  assert.equal((await sync(store, none)).emptied, false)
  const some = await sync(store, publishing(3))
  assert.equal(some.emptied, false)
  assert.equal((await sync(store, none)).emptied, true)
  assert.equal((await readAll(store)).size, 0)
})

test('skips a source that another owner reads', async (t) => {
  const store = await openClinicStore(t)
  const { id } = (await store.sources.find('clinic')) ?? assert.fail()
  await store.snapshots.begin(id, { owner: 'somebody else', leaseMs: MINUTE_MS })
  assert.equal(await syncSource(syncParts(store, failing(0)), 'clinic'), undefined)
})

test('renews its lease while nothing is written for longer than the lease', async (t) => {
  const store = await openClinicStore(t)
  const slow = connectorThat(async (draft) => {
    draft.put(slotOf(0), { file: 'f', line: 1, part: 1, fingerprint: 1 })
    await sleep(2500)
    assert.equal(
      await store.snapshots.begin((await store.sources.find('clinic'))?.id ?? 0, {
        owner: 'somebody else',
        leaseMs: 100,
      }),
      undefined,
    )
    return {}
  })
  assert.equal((await sync(store, slow, { leaseMs: 1500 })).outcome.outcome, 'ok')
})

test('stops when the source is removed during a sync, and leaves no data', async (t) => {
  const store = await openClinicStore(t)
  const removed = connectorThat(async (draft, signal) => {
    draft.put(slotOf(0), { file: 'f', line: 1, part: 1, fingerprint: 1 })
    await store.sources.remove('clinic')
    await sleep(30_000, undefined, { signal })
    return {}
  })
  const run = await sync(store, removed, { leaseMs: 150 })
  assert.equal(run.outcome.outcome, 'failed')
  assert.match(run.outcome.error ?? '', /LeaseLost/)
  assert.equal((await readAll(store)).size, 0)
  assert.equal(await store.sources.find('clinic'), undefined)
})

test('ends a feed that takes too long', async (t) => {
  const store = await openClinicStore(t)
  const endless = connectorThat(async (_draft, signal) => {
    await sleep(30_000, undefined, { signal })
    return {}
  })
  const run = await sync(store, endless, { readMsMax: 50 })
  assert.equal(run.outcome.error, 'Cannot read feed: the maximum duration of a sync was exceeded')
})

test('can be stopped, is then due again immediately, and does not count as a failure', async (t) => {
  const store = await openClinicStore(t)
  const stop = new AbortController()
  const stopped = connectorThat(async (draft, signal) => {
    draft.put(slotOf(0), { file: 'f', line: 1, part: 1, fingerprint: 1 })
    stop.abort()
    assert.equal(signal.aborted, true)
    return {}
  })
  const run = await sync(store, stopped, { signal: stop.signal })
  assert.equal(run.outcome.outcome, 'failed')
  assert.equal(run.nextSyncAtMs, NOW_MS)
  assert.equal((await readAll(store)).size, 0)
  const source = (await store.sources.find('clinic')) ?? assert.fail()
  assert.deepEqual([source.failures, healthOf(source, NOW_MS).health], [0, 'never-synced'])
})

/** Begins a sync that never ends. */
async function crash(store: Store, owner: string): Promise<void> {
  const { id } = (await store.sources.find('clinic')) ?? assert.fail()
  assert.ok(await store.snapshots.begin(id, { owner, leaseMs: 0 }))
}

test('counts a sync as failed if its process ended before it did, and backs off', async (t) => {
  const store = await openClinicStore(t)
  const feed = publishing(3)
  const options = { owner: 'restarted', countsCrash: true }
  for (const failures of [1, 2]) {
    await crash(store, 'killed')
    const run = await sync(store, feed, options)
    assert.match(run.outcome.error ?? '', /^The last sync did not finish/)
    const source = (await store.sources.find('clinic')) ?? assert.fail()
    assert.deepEqual([source.failures, source.slotCount], [failures, 0])
    assert.equal(source.nextSyncAtMs, NOW_MS + failures * MINUTE_MS)
    assert.equal(healthOf(source, NOW_MS).health, 'failing')
  }
  assert.equal((await sync(store, feed, options)).outcome.added, 3)
  assert.equal((await store.sources.find('clinic'))?.failures, 0)
})

test('does not count a sync that lost the database in the same process, and syncs by hand after a crash', async (t) => {
  const store = await openClinicStore(t)
  await crash(store, 'same')
  const feed = publishing(3)
  assert.equal((await sync(store, feed, { owner: 'same', countsCrash: true })).outcome.outcome, 'ok')
  await crash(store, 'killed')
  assert.equal((await sync(store, feed)).outcome.outcome, 'ok')
})

test('records the failure of a sync that cannot do so, unless it had ended', async (t) => {
  const store = await openClinicStore(t)
  const parts = { store, clock: () => NOW_MS, random: () => 0.5, everyMsDefault: 300_000 }
  const ended = { owner: 'pool', startedAtMs: NOW_MS - 5000, reason: new Error('It ended.'), interrupted: false }
  assert.equal(await recordFailure(parts, 'clinic', ended), undefined)
  await crash(store, 'pool')
  const run = await recordFailure(parts, 'clinic', ended)
  assert.deepEqual([run?.outcome.error, run?.outcome.durationMs], ['It ended.', 5000])
  assert.equal(run?.nextSyncAtMs, NOW_MS + MINUTE_MS)
  assert.equal((await store.sources.find('clinic'))?.failures, 1)
  assert.equal(await recordFailure(parts, 'clinic', ended), undefined)
  assert.equal(await recordFailure(parts, 'none', ended), undefined)
})

test('truncates the stored error and names its class', async (t) => {
  const store = await openClinicStore(t)
  const run = await sync(store, failing(new TypeError('x'.repeat(5000))))
  assert.match(run.outcome.error ?? '', /^TypeError: x+$/)
  assert.equal(run.outcome.error?.length, 500)
})

test('throws for an unknown slug', async (t) => {
  const store = await openClinicStore(t)
  await assert.rejects(syncSource(syncParts(store, failing(0)), 'none'), /no source has the slug "none"/)
})
