import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { outcomeOf } from '../../test/support/store/conformance/samples.ts'
import { connectorOfSlots, firstSlots, openTempStore } from '../../test/support/store/temp-store.ts'
import { addClinics, endless, oneSlot, run } from '../../test/support/sync/scheduler-harness.ts'

/** Took longer than a source may that is not slow. */
const LONG = outcomeOf({ durationMs: 10_001, unchanged: true })

test('is not delayed by slow sources, even more than the slow queue has room for', async (t) => {
  const store = await openTempStore(t)
  for (const slug of ['a', 'b', 'c', 'd']) {
    await addClinics(store, slug)
    const { id } = (await store.sources.find(slug)) ?? assert.fail()
    const writer = await store.snapshots.begin(id, { owner: 'before', leaseMs: 60_000 })
    const outcome = { ...LONG, startedAtMs: Date.now() }
    await writer?.abandon({ outcome, rejections: [], nextSyncAtMs: 0 })
  }
  await addClinics(store, 'quick')
  let slow = 0
  const { logged } = run(
    t,
    store,
    ({ slug }) => {
      if (slug === 'quick') return oneSlot
      slow++
      return endless
    },
    { concurrency: 2 },
  )
  await logged('source was synced', 'quick')
  assert.equal(slow, 2)
})

test('starts a source when it is due, without waiting for the next poll', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'a')
  const { id } = (await store.sources.find('a')) ?? assert.fail()
  const dueAtMs = Date.now() + 1350
  const writer = await store.snapshots.begin(id, { owner: 'before', leaseMs: 60_000 })
  await writer?.abandon({
    outcome: { ...LONG, startedAtMs: 0, durationMs: 1 },
    rejections: [],
    nextSyncAtMs: dueAtMs,
  })
  const asked: number[] = []
  const { scheduler, logged } = run(t, store, () => {
    asked.push(Date.now())
    return oneSlot
  })
  await logged('source was synced', 'a')
  await scheduler.stop()
  assert.ok(asked[0] >= dueAtMs, `${asked[0] - dueAtMs}`)
})

test('logs a held snapshot with the reason', async (t) => {
  const store = await openTempStore(t)
  await addClinics(store, 'a')
  let nowMs = Date.now()
  let count = 10
  const connector = connectorOfSlots(() => firstSlots(count))
  const { events } = run(t, store, () => connector, { clock: () => nowMs })
  await eventually(() => events.length >= 1)
  count = 0
  nowMs += 600_000
  await eventually(() => events.length >= 2)
  const { level, message, fields } = events[1]
  assert.deepEqual([level, message, fields.outcome], ['warn', 'snapshot was held', 'held'])
  assert.equal(fields.why, 'It had 10 slots and now has none.')
})
