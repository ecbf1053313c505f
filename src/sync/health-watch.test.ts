import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { openTempStore, publishing, syncParts } from '../../test/support/store/temp-store.ts'
import { storeBehind } from '../../test/support/store/unavailable-store.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { Store } from '../store/contracts/store.ts'
import { HealthWatch, type SourceGauge } from './health-watch.ts'
import { syncSource } from './sync-source.ts'

async function openWatched(t: TestContext) {
  const clock = { nowMs: Date.UTC(2029, 5, 1) }
  const store = await openTempStore(t, () => clock.nowMs)
  await store.sources.add({ slug: 'clinic', url: 'https://clinic.test/', strict: false })
  const watchOf = (watched: Store) => {
    const events: LogEvent[] = []
    let gauges: readonly SourceGauge[] = []
    const watch = new HealthWatch({
      store: watched,
      clock: () => clock.nowMs,
      onEvent: (event) => events.push(event),
      onGauges: (next) => {
        gauges = next
      },
    })
    return { watch, events, gauges: () => gauges }
  }
  const sync = () => syncSource(syncParts(store, publishing(1), { clock: () => clock.nowMs }), 'clinic')
  const stored = async () => (await store.health.after(0, 100)).map(({ from, to }) => `${from} > ${to}`)
  return { clock, store, watchOf, sync, stored }
}

test('stores and logs each change of health once', async (t) => {
  const { clock, store, watchOf, sync, stored } = await openWatched(t)
  const { watch, events, gauges } = watchOf(store)
  await watch.check()
  assert.deepEqual([await stored(), gauges()[0].health], [[], 'never-synced'])
  await sync()
  await watch.check()
  await watch.check()
  assert.deepEqual(await stored(), ['never-synced > healthy'])
  clock.nowMs += 8 * MINUTE_MS
  await watch.check()
  assert.deepEqual(await stored(), ['never-synced > healthy', 'healthy > late'])
  const [, late] = events
  assert.deepEqual([late.level, late.message], ['warn', 'health of a source changed'])
  assert.deepEqual(late.fields, {
    source: 'clinic',
    from: 'healthy',
    to: 'late',
    why: 'Its sync is 2 minutes overdue.',
  })
  assert.deepEqual(gauges(), [
    {
      slug: 'clinic',
      health: 'late',
      slots: 1,
      rejected: 0,
      lastCheckedAtMs: clock.nowMs - 8 * MINUTE_MS,
      changedAtMs: clock.nowMs - 8 * MINUTE_MS,
    },
  ])
})

test('stores changes on one of two nodes, and on the other after the first stops', async (t) => {
  const { clock, store, watchOf, sync, stored } = await openWatched(t)
  const [one, two] = [watchOf(store), watchOf(store)]
  await sync()
  await one.watch.check()
  await store.sources.setPaused('clinic', true)
  await two.watch.check()
  assert.equal((await stored()).length, 1)
  assert.equal(two.gauges()[0].health, 'paused')
  clock.nowMs += MINUTE_MS
  await two.watch.check()
  assert.deepEqual(await stored(), ['never-synced > healthy', 'healthy > paused'])
  assert.deepEqual([one.events.length, two.events.length], [1, 1])
})

test('reports no source as late in the first two minutes after the start', async (t) => {
  const { clock, store, watchOf, sync, stored } = await openWatched(t)
  await sync()
  await watchOf(store).watch.check()
  clock.nowMs += 60 * MINUTE_MS
  const { watch, gauges } = watchOf(store)
  await watch.check()
  assert.deepEqual([(await stored()).length, gauges()[0].health], [1, 'healthy'])
  clock.nowMs += 2 * MINUTE_MS
  await watch.check()
  assert.equal((await stored()).at(-1), 'healthy > late')
})

test('waits without logging while the store is unavailable, and stops', async (t) => {
  const { store, watchOf, stored, sync } = await openWatched(t)
  await sync()
  let isAway = true
  let refused = 0
  const { watch, events } = watchOf(
    storeBehind(store, () => {
      if (isAway) refused++
      return isAway
    }),
  )
  watch.start()
  await eventually(() => refused > 1)
  isAway = false
  await eventually(async () => (await stored()).length > 0)
  await watch.stop()
  assert.deepEqual(
    events.map(({ message }) => message),
    ['health of a source changed'],
  )
})
