import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../test/support/eventually.ts'
import { connectorOfSlots, connectorThat, openTempStore, slotOf } from '../../test/support/store/temp-store.ts'
import { storeBehind } from '../../test/support/store/unavailable-store.ts'
import {
  addClinics,
  endless,
  inThisProcess,
  oneSlot,
  run,
  SCHEDULER_OPTIONS,
} from '../../test/support/sync/scheduler-harness.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import { StoreUnavailable } from '../store/contracts/store.ts'
import { Scheduler } from './scheduler.ts'

test('syncs each due source once, including sources added later', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'a', 'b')
  const { events, logged } = run(t, store, () => oneSlot)
  await logged('source was synced', 'a', 'b')
  await addClinics(store, 'c')
  await logged('source was synced', 'c')
  assert.equal(events.filter((event) => event.message === 'source was synced').length, 3)
})

test('is not delayed by a slow source while the queue has capacity', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'slow', 'a', 'b', 'c')
  const { logged } = run(t, store, ({ slug }) => (slug === 'slow' ? endless : oneSlot), { concurrency: 2 })
  await logged('source was synced', 'a', 'b', 'c')
})

test('limits the number of concurrent syncs', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'a', 'b', 'c', 'd', 'e')
  let now = 0
  let most = 0
  const counting = connectorThat(async () => {
    most = Math.max(most, ++now)
    await sleep(20)
    now--
    return {}
  })
  const { logged } = run(t, store, () => counting, { concurrency: 2 })
  await logged('source was synced', 'a', 'b', 'c', 'd', 'e')
  assert.equal(most, 2)
})

test('continues after failures and logs them', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'bad', 'broken', 'good')
  const { events, logged } = run(t, store, ({ slug }) => {
    if (slug === 'bad') return connectorThat(() => Promise.reject(new Error('no feed today')))
    if (slug === 'broken') throw new Error('no connector')
    return oneSlot
  })
  await logged('source could not be synced', 'bad', 'broken')
  await logged('source was synced', 'good')
  const event1 = events.find((event) => event.fields.source === 'bad')
  assert.equal(event1?.level, 'warn')
  assert.equal(event1?.fields.error, 'no feed today')
})

test('skips a source that another process reads', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'taken', 'free')
  const { id } = (await store.sources.find('taken')) ?? assert.fail()
  await store.snapshots.begin(id, { owner: 'another process', leaseMs: 60_000 })
  const { events, logged } = run(t, store, () => oneSlot)
  await logged('source was synced', 'free')
  await sleep(50)
  assert.equal(
    events.some((event) => event.fields.source === 'taken'),
    false,
  )
})

test('syncs again soon after the clock was set back', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'failing', 'broken')
  let aheadMs = 10 * DAY_MS
  const connectorOf = () => connectorThat(() => Promise.reject(new Error('no feed today')))
  const clock = () => Date.now() + aheadMs
  const parts = { store, connectorOf, clock, random: Math.random, everyMsDefault: 300_000 }
  const { sync } = inThisProcess(parts)
  const events: LogEvent[] = []
  const breaking = async (slug: string, signal: AbortSignal) => {
    if (slug === 'broken') throw new Error('no process')
    return sync(slug, signal)
  }
  const onEvent = (event: LogEvent) => events.push(event)
  const scheduler = new Scheduler({ store, clock, sync: breaking }, onEvent, SCHEDULER_OPTIONS)
  t.after(() => scheduler.stop())
  scheduler.start()
  const count = (wanted: string) => events.filter(({ message }) => message === wanted).length
  const rounds = () => [count('source could not be synced'), count('sync broke down')]
  await eventually(() => rounds().every((round) => round === 1))
  aheadMs = 0
  await eventually(() => rounds().every((round) => round === 2))
  assert.equal(count('sources were planned by a clock that was ahead'), 1)
})

test('compares plans with the clock at the start, not after each sync', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'a', 'b', 'c')
  const compared = t.mock.method(store.sources, 'resetFuturePlans')
  const { logged } = run(t, store, () => oneSlot)
  await logged('source was synced', 'a', 'b', 'c')
  await sleep(50)
  assert.equal(compared.mock.callCount(), 1)
})

test('waits while the store is unavailable, and logs the outage and its end once', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'a')
  let isAway = true
  let refused = 0
  const unavailable = storeBehind(store, () => {
    if (isAway) refused++
    return isAway
  })
  const { events, logged } = run(t, unavailable, () => oneSlot)
  await eventually(() => refused > 2)
  isAway = false
  await logged('source was synced', 'a')
  assert.deepEqual(
    events.map(({ level, message }) => [level, message]),
    [
      ['warn', 'store became unavailable'],
      ['info', 'store became available'],
      ['info', 'source was synced'],
    ],
  )
})

test('retries a sync that was interrupted by a store outage, which changed nothing', async (t) => {
  let nowMs = Date.now()
  const store = await openTempStore(t, () => nowMs)
  await addClinics(store, 'a')
  let isAway = false
  let reads = 0
  const connector = connectorThat(async (draft) => {
    if (++reads === 1) isAway = true
    draft.put(slotOf(0), { file: 'slots.ndjson', line: 1, part: 1, fingerprint: 1 })
    await draft.flush()
    return {}
  })
  const behind = storeBehind(store, () => isAway)
  const { events } = run(t, behind, () => connector, { clock: () => nowMs })
  const logged = (wanted: string) => events.some(({ message }) => message === wanted)
  await eventually(() => logged('store became unavailable'))
  isAway = false
  // The lease of the sync that was cut off is not over before.
  nowMs += 31_000
  await eventually(() => logged('source was synced'))
  assert.equal(events.filter(({ level }) => level === 'error').length, 0)
  assert.equal((await store.sources.find('a'))?.slotCount, 1)
})

test('does not count an outage of the store as a failure of the source, and pauses before the next sync', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'a')
  let reads = 0
  const connector = connectorThat(async () => {
    reads++
    throw new StoreUnavailable('Cannot use the store: database or disk is full')
  })
  const { events, logged } = run(t, store, () => connector)
  await logged('sync was cut off', 'a')
  await sleep(50)
  const source = (await store.sources.find('a')) ?? assert.fail()
  assert.deepEqual([reads, source.failures, source.lastSync?.outcome], [1, 0, 'failed'])
  assert.ok(source.nextSyncAtMs >= Date.now() + 30_000)
  assert.match(source.lastSync?.error ?? '', /disk is full/)
  assert.equal(events.length, 1)
})

test('skips a paused source until it is resumed', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'paused', 'other')
  await store.sources.setPaused('paused', true)
  const { events, logged } = run(t, store, () => oneSlot)
  await logged('source was synced', 'other')
  await addClinics(store, 'later')
  await logged('source was synced', 'later')
  assert.equal(
    events.some((event) => event.fields.source === 'paused'),
    false,
  )
  await store.sources.setPaused('paused', false)
  await logged('source was synced', 'paused')
})

test('aborts running syncs on stop, leaves them due, and starts no other', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'slow')
  let reads = 0
  const { scheduler, events } = run(t, store, () => {
    reads++
    return endless
  })
  await eventually(() => reads > 0)
  await scheduler.stop()
  assert.equal(events.at(-1)?.message, 'sync was interrupted')
  const state = await store.sources.find('slow')
  assert.ok((state?.nextSyncAtMs ?? Number.POSITIVE_INFINITY) <= Date.now())
  assert.equal(reads, 1)
})

test('logs when a publisher has emptied its feed', async (t) => {
  const store = await openTempStore(t)
  let nowMs = Date.now()
  await addClinics(store, 'a')
  let slots = [slotOf(0)]
  const connector = connectorOfSlots(() => slots)
  const { events } = run(t, store, () => connector, { clock: () => nowMs })
  await eventually(() => events.length >= 1)
  slots = []
  nowMs += 3_600_000
  await eventually(() => events.length >= 3)
  assert.equal(events[2].message, 'source was emptied by its publisher')
  assert.deepEqual(events[2].fields, { source: 'a', removed: 1 })
})

test('purges deleted row versions after the retention time', async (t) => {
  const store = await openTempStore(t)
  let nowMs = Date.now()
  await addClinics(store, 'a')
  let turn = 0
  const connector = connectorOfSlots(() => [slotOf(++turn)])
  const { slots: since } = await store.revisionFeed.revisions()
  const { events } = run(t, store, () => connector, { clock: () => nowMs, retentionMs: 1 })
  for (let syncs = 1; syncs <= 3; syncs++) {
    await eventually(() => events.length >= syncs)
    nowMs += 3_600_000
  }
  await eventually(async () => {
    const changes = await store.revisionFeed.open(since + 1)
    await changes.close()
    return changes.whole
  })
})

test('purges once an hour, also if nothing changes, and again once a store that was unavailable is back', async (t) => {
  const store = await openTempStore(t)
  let nowMs = Date.now()
  const away = new StoreUnavailable('Cannot use the store: connection refused')
  const purge = t.mock.method(store.revisionFeed, 'purge')
  purge.mock.mockImplementationOnce(() => Promise.reject(away))
  const { events } = run(t, store, () => oneSlot, { clock: () => nowMs, retentionMs: DAY_MS })
  const calls = () => purge.mock.calls.map(({ arguments: given }) => given)
  await eventually(() => calls().length === 2)
  nowMs += HOUR_MS
  await eventually(() => calls().length === 3)
  assert.deepEqual(calls(), [
    [DAY_MS, nowMs - HOUR_MS],
    [DAY_MS, nowMs - HOUR_MS],
    [DAY_MS, nowMs],
  ])
  assert.deepEqual(events, [])
})
