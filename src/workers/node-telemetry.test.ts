import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyRing } from '../keys/key-ring.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import { NodeWatch, StoreStatus } from './node-telemetry.ts'

function setUp() {
  const clock = { nowMs: 1000, setBackMs: 0 }
  const events: LogEvent[] = []
  const watch = new StoreStatus(
    'postgres://h/db',
    () => clock.nowMs - clock.setBackMs,
    () => clock.nowMs,
  )
  const listener = (thread: string) => {
    const onEvent = watch.listener(thread, (event) => events.push(event))
    return (message: string) => onEvent({ level: 'info', message, fields: { thread } })
  }
  return { clock, events, watch, listener }
}

test('a store is unavailable from the first report of any thread until every thread reports it available, and is logged once', () => {
  const { clock, events, watch, listener } = setUp()
  const [follow, sync] = [listener('follow'), listener('sync')]
  assert.deepEqual(watch.condition, { kind: 'postgres', status: 'ok', sinceMs: 1000 })
  clock.nowMs = 2000
  follow('store became unavailable')
  clock.nowMs = 2500
  sync('store became unavailable')
  sync('source was synced')
  follow('store became unavailable')
  assert.deepEqual(
    [watch.condition, watch.unavailableMs],
    [{ kind: 'postgres', status: 'unavailable', sinceMs: 2000 }, 500],
  )
  follow('store became available')
  assert.equal(watch.condition.status, 'unavailable')
  clock.nowMs = 4000
  sync('store became available')
  clock.nowMs = 5000
  assert.deepEqual([watch.condition, watch.unavailableMs], [{ kind: 'postgres', status: 'ok', sinceMs: 4000 }, 2000])
  assert.deepEqual(
    events.map(({ message, fields }) => [message, fields]),
    [
      ['store became unavailable', { thread: 'follow' }],
      ['source was synced', { thread: 'sync' }],
      ['store became available', { unavailableMs: 2000 }],
    ],
  )
})

test('the time without a store never decreases, also when the clock is set back', () => {
  const { clock, events, watch, listener } = setUp()
  const follow = listener('follow')
  follow('store became unavailable')
  Object.assign(clock, { nowMs: 3000, setBackMs: 60_000 })
  assert.equal(watch.unavailableMs, 2000)
  follow('store became available')
  assert.deepEqual([watch.unavailableMs, watch.condition.sinceMs], [2000, -57_000])
  assert.deepEqual(events.at(-1)?.fields, { unavailableMs: 2000 })
})

test('a thread that dies while the store is unavailable is not waited for', () => {
  const { events, watch, listener } = setUp()
  const [follow, account] = [listener('follow'), listener('account')]
  follow('store became unavailable')
  account('store became unavailable')
  account('thread died')
  assert.equal(watch.condition.status, 'unavailable')
  follow('store became available')
  assert.equal(watch.condition.status, 'ok')
  assert.deepEqual(
    events.map(({ message }) => message),
    ['store became unavailable', 'thread died', 'store became available'],
  )
})

test('keeps the event-loop delay of each minute of the last hour', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: 0 })
  const watch = new NodeWatch()
  const node = { index: new SlotIndex(), keyRing: new KeyRing(), isReady: () => true, memory: { maxBytes: 1 } }
  const past = () => watch.health(node).eventLoop.past.map(({ atMs }) => atMs / MINUTE_MS)
  assert.deepEqual(past(), [])
  for (let n = 0; n < 2; n++) t.mock.timers.tick(MINUTE_MS)
  assert.deepEqual(past(), [1, 2])
  for (let n = 0; n < 68; n++) t.mock.timers.tick(MINUTE_MS)
  assert.deepEqual([past().length, past()[0], past().at(-1)], [60, 11, 70])
  watch.stop()
})

test('recognizes a SQLite store', () => {
  assert.equal(new StoreStatus('sqlite:./slots.db', () => 0).condition.kind, 'sqlite')
})
