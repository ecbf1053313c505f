import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogEvent } from '../lib/log-event.ts'
import { StoreStatus } from './node-telemetry.ts'

function watched() {
  const clock = { nowMs: 1000 }
  const told: LogEvent[] = []
  const watch = new StoreStatus('postgres://h/db', () => clock.nowMs)
  const listener = (thread: string) => {
    const tell = watch.listener(thread, (event) => told.push(event))
    return (message: string) => tell({ level: 'info', message, fields: { thread } })
  }
  return { clock, told, watch, listener }
}

test('a store is away from when the first thread finds it so until the last finds it back, and is told of once', () => {
  const { clock, told, watch, listener } = watched()
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
    [{ kind: 'postgres', status: 'away', sinceMs: 2000 }, 500],
  )
  follow('store became available')
  assert.equal(watch.condition.status, 'away')
  clock.nowMs = 4000
  sync('store became available')
  clock.nowMs = 5000
  assert.deepEqual(
    [watch.condition, watch.unavailableMs],
    [{ kind: 'postgres', status: 'ok', sinceMs: 4000 }, 2000],
  )
  assert.deepEqual(
    told.map(({ message, fields }) => [message, fields]),
    [
      ['store became unavailable', { thread: 'follow' }],
      ['source was synced', { thread: 'sync' }],
      ['store became available', { unavailableMs: 2000 }],
    ],
  )
})

test('a thread that dies while the store is away is not waited for', () => {
  const { told, watch, listener } = watched()
  const [follow, account] = [listener('follow'), listener('account')]
  follow('store became unavailable')
  account('store became unavailable')
  account('thread died')
  assert.equal(watch.condition.status, 'away')
  follow('store became available')
  assert.equal(watch.condition.status, 'ok')
  assert.deepEqual(
    told.map(({ message }) => message),
    ['store became unavailable', 'thread died', 'store became available'],
  )
})

test('a SQLite file is a store as well', () => {
  assert.equal(new StoreStatus('sqlite:./slots.db', () => 0).condition.kind, 'sqlite')
})
