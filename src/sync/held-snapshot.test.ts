import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  connectorOfSlots,
  connectorThat,
  firstSlots,
  openClinicStore,
  openTempStore,
  publishing,
  readAll,
  slotOf,
  syncParts,
} from '../../test/support/store/temp-store.ts'
import type { Connector, Publication } from '../feeds/connector.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { Store } from '../store/contracts/store.ts'
import { type SyncRun, syncSource } from './sync-source.ts'

const NOW_MS = Date.UTC(2029, 5, 1)

async function sync(store: Store, connector: Connector): Promise<SyncRun> {
  const run = await syncSource(syncParts(store, connector, { clock: () => NOW_MS }), 'clinic')
  assert.ok(run)
  return run
}

const failing = (error: unknown) => connectorThat(() => Promise.reject(error))

test('holds a snapshot that drops from many slots to none until an operator approves it', async (t) => {
  const store = await openClinicStore(t)
  const none = connectorThat(async () => ({ state: { etag: 'empty' }, publishedAtMs: NOW_MS }))
  await sync(store, publishing(10))
  const held = await sync(store, none)
  assert.deepEqual([held.outcome.outcome, held.outcome.removed, held.revision], ['held', 10, undefined])
  assert.deepEqual(
    held.held?.map(({ kind: what, before, after }) => [what, before, after]),
    [['emptied', 10, 0]],
  )
  assert.equal(held.nextSyncAtMs, NOW_MS + 5 * MINUTE_MS + 500)
  assert.equal((await readAll(store)).size, 10)
  const { comparison } = (await store.sources.find('clinic'))?.watch.held ?? assert.fail()
  assert.deepEqual(
    [comparison?.served.slots, comparison?.held, comparison?.lost.length],
    [10, { slots: 0, states: [] }, 5],
  )
  const kept = await store.sources.find('clinic')
  assert.deepEqual([kept?.connectorState, kept?.publishedAtMs, kept?.failures], [undefined, undefined, 0])
  assert.equal((await sync(store, none)).outcome.outcome, 'held')
  await store.sources.approve('clinic', true)
  assert.equal((await sync(store, failing(new Error('not now')))).outcome.outcome, 'failed')
  const accepted = await sync(store, none)
  assert.deepEqual([accepted.outcome.outcome, accepted.emptied], ['ok', true])
  assert.equal((await readAll(store)).size, 0)
  const { watch, connectorState: memory } = (await store.sources.find('clinic')) ?? assert.fail()
  assert.deepEqual([memory, watch.nextApproved, watch.held], [{ etag: 'empty' }, false, undefined])
  assert.deepEqual([watch.anomalies.map(({ kind: what }) => what), watch.approved], [['emptied'], ['emptied']])
})

test('commits a normal snapshot after a held one without approval', async (t) => {
  const store = await openClinicStore(t)
  await sync(store, publishing(10))
  await sync(store, publishing(0))
  const back = await sync(store, publishing(9))
  assert.deepEqual([back.outcome.outcome, back.outcome.removed], ['ok', 1])
  assert.equal((await store.sources.find('clinic'))?.watch.held, undefined)
})

test('holds a snapshot with ten times as many slots until an operator approves it', async (t) => {
  const store = await openClinicStore(t)
  assert.equal((await sync(store, publishing(1100))).outcome.outcome, 'ok')
  const held = await sync(store, publishing(11_100))
  assert.deepEqual([held.outcome.outcome, held.held?.map(({ kind }) => kind)], ['held', ['grown']])
  assert.equal((await readAll(store)).size, 1100)
  await store.sources.approve('clinic', true)
  assert.equal((await sync(store, publishing(11_100))).outcome.outcome, 'ok')
  assert.equal((await readAll(store)).size, 11_100)
})

test('serves the first slots of a source without review, however many', async (t) => {
  const store = await openClinicStore(t)
  assert.equal((await sync(store, publishing(11_000))).outcome.outcome, 'ok')
})

test('follows the review policies "nothing" and "suspicious"', async (t) => {
  const store = await openClinicStore(t)
  await sync(store, publishing(300))
  await store.sources.setReviewPolicy('clinic', 'suspicious')
  assert.equal((await sync(store, publishing(100))).outcome.outcome, 'held')
  await store.sources.setReviewPolicy('clinic', 'extreme')
  assert.equal((await sync(store, publishing(100))).outcome.outcome, 'ok')
  const { anomalies: findings } = ((await store.sources.find('clinic')) ?? assert.fail()).watch
  assert.deepEqual(findings, [{ kind: 'dropped', atMs: NOW_MS, before: 300, after: 100 }])
  await store.sources.setReviewPolicy('clinic', 'nothing')
  assert.equal((await sync(store, publishing(0))).outcome.outcome, 'ok')
})

test('requires a new approval if a worse snapshot replaces the approved one', async (t) => {
  const store = await openClinicStore(t)
  const next = async (count: number) => (await sync(store, publishing(count))).outcome.outcome
  const find = async () => (await store.sources.find('clinic')) ?? assert.fail()
  await sync(store, publishing(900))
  await store.sources.setReviewPolicy('clinic', 'suspicious')
  assert.equal(await next(400), 'held')
  await store.sources.approve('clinic', true)
  assert.equal(await next(0), 'held')
  assert.equal(await next(0), 'held')
  assert.deepEqual([(await readAll(store)).size, (await find()).watch.nextApproved], [900, false])
  assert.equal(await next(400), 'held')
  await store.sources.approve('clinic', true)
  assert.equal(await next(150), 'held')
  await store.sources.approve('clinic', true)
  assert.equal(await next(149), 'ok')
  assert.equal((await readAll(store)).size, 149)
})

test('applies an approval given during a sync only to the snapshot that was reviewed', async (t) => {
  const store = await openClinicStore(t)
  await store.sources.setReviewPolicy('clinic', 'suspicious')
  const some = (count: number, meanwhile = async () => {}) =>
    connectorThat(async (draft) => {
      await meanwhile()
      for (const [line, slot] of firstSlots(count).entries())
        draft.put(slot, { file: 'f', line, part: 1, fingerprint: line })
      await draft.flush()
      return {}
    })
  const yes = async () => void (await store.sources.approve('clinic', true))
  await sync(store, some(900))
  await sync(store, some(400))
  assert.equal((await sync(store, some(401, yes))).outcome.outcome, 'held')
  assert.equal((await sync(store, some(402))).outcome.outcome, 'ok')
  await sync(store, some(150))
  assert.equal((await sync(store, some(0, yes))).outcome.outcome, 'held')
  assert.equal((await sync(store, publishing(0))).outcome.outcome, 'held')
})

test('does not commit a snapshot whose approval is withdrawn while it is read', async (t) => {
  const store = await openClinicStore(t)
  await sync(store, publishing(10))
  const emptied = (meanwhile = async () => {}) => connectorThat(async () => meanwhile().then(() => ({ state: {} })))
  assert.equal((await sync(store, emptied())).outcome.outcome, 'held')
  await store.sources.approve('clinic', true)
  const withdraw = async () => void (await store.sources.approve('clinic', false))
  assert.equal((await sync(store, emptied(withdraw))).revoked, true)
  const { slotCount, watch, nextSyncAtMs } = (await store.sources.find('clinic')) ?? assert.fail()
  assert.deepEqual([slotCount, watch.held?.after, watch.nextApproved], [10, 0, false])
  assert.ok(nextSyncAtMs <= Date.now())
  assert.equal((await sync(store, emptied())).outcome.outcome, 'held')
})

test('does not commit a snapshot by a policy that is changed while it is read', async (t) => {
  const store = await openClinicStore(t)
  await sync(store, publishing(900))
  const changing = connectorThat(async () => {
    await store.sources.setReviewPolicy('clinic', 'suspicious')
    return {}
  })
  await store.sources.setReviewPolicy('clinic', 'nothing')
  assert.equal((await sync(store, changing)).revoked, true)
  assert.equal((await store.sources.find('clinic'))?.slotCount, 900)
  assert.equal((await sync(store, publishing(0))).outcome.outcome, 'held')
})

test('rejects the approval of a snapshot that is no longer held', async (t) => {
  const store = await openClinicStore(t)
  const find = async () => ((await store.sources.find('clinic')) ?? assert.fail()).watch
  await sync(store, publishing(900))
  const nothing = { heldSinceMs: undefined }
  assert.equal((await store.sources.approve('clinic', true, nothing))?.watch.nextApproved, false)
  await store.sources.setReviewPolicy('clinic', 'suspicious')
  await sync(store, publishing(400))
  const seen = { heldSinceMs: (await find()).held?.sinceMs }
  await assert.rejects(store.sources.approve('clinic', true, nothing), { name: 'HeldSnapshotChanged' })
  await sync(store, publishing(401))
  assert.equal((await find()).held?.sinceMs, seen.heldSinceMs)
  await sync(store, publishing(0))
  await assert.rejects(store.sources.approve('clinic', true, seen), { name: 'HeldSnapshotChanged' })
  assert.equal((await find()).nextApproved, false)
  await sync(store, publishing(900))
  await assert.rejects(store.sources.approve('clinic', true, seen), { name: 'HeldSnapshotChanged' })
  assert.deepEqual((await find()).approved, [])
})

test('never holds an imported file for review', async (t) => {
  const store = await openTempStore(t)
  await store.sources.add({ slug: 'clinic', format: 'files', url: '', strict: false })
  await store.sources.setReviewPolicy('clinic', 'suspicious')
  await sync(store, publishing(300))
  assert.equal((await sync(store, publishing(0))).outcome.outcome, 'ok')
})

test('stores when the last slot of a snapshot ends, including kept slots', async (t) => {
  const store = await openClinicStore(t)
  const lastEnd = async () => (await store.sources.find('clinic'))?.watch.lastEndMs
  await sync(store, publishing(3))
  assert.equal(await lastEnd(), slotOf(2).endMs)
  await sync(
    store,
    connectorOfSlots(() => [slotOf(0), slotOf(1, { status: 'busy' })]),
  )
  assert.equal(await lastEnd(), slotOf(1).endMs)
  const keeping = connectorThat(async (draft) => {
    await draft.recall()
    assert.equal(draft.keep(1), true)
    return {}
  })
  await sync(store, keeping)
  assert.equal(await lastEnd(), slotOf(0).endMs)
  await sync(
    store,
    connectorThat(async () => ({ unchanged: true })),
  )
  assert.equal(await lastEnd(), slotOf(0).endMs)
})

test('detects a timestamp that stays the same while slots change', async (t) => {
  const store = await openClinicStore(t)
  const found = async (count: number, publication: Partial<Publication>) => {
    const connector = connectorOfSlots(() => firstSlots(count), { state: {}, ...publication })
    await sync(store, connector)
    return (await store.sources.find('clinic'))?.watch.anomalies.map(({ kind: what }) => what)
  }
  assert.deepEqual(await found(1, { publishedAtMs: NOW_MS - 1000 }), [])
  assert.deepEqual(await found(2, { publishedAtMs: NOW_MS - 1000 }), ['clock-stuck'])
  assert.deepEqual(await found(0, { unchanged: true }), ['clock-stuck'])
  assert.deepEqual(await found(3, { publishedAtMs: NOW_MS - 500 }), [])
  assert.deepEqual(await found(3, { publishedAtMs: NOW_MS - 700 }), ['clock-back'])
})
