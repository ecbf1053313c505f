import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SLOW_MS } from '../store/contracts/sources.ts'
import { SyncQueues } from './scheduler.ts'

const freeIn = (queues: SyncQueues, nowMs = 0) =>
  Object.fromEntries(queues.capacity(nowMs).map(({ slow, free }) => [slow ? 'slow' : 'quick', free]))

test('limits each queue separately', () => {
  const queues = new SyncQueues(2)
  assert.deepEqual(freeIn(queues), { quick: 2, slow: 2 })
  queues.enter('a', { slow: false, nowMs: 0 })
  queues.enter('b', { slow: false, nowMs: 0 })
  assert.deepEqual(freeIn(queues), { slow: 2 })
  queues.enter('c', { slow: true, nowMs: 0 })
  assert.deepEqual(freeIn(queues), { slow: 1 })
  queues.leave('a')
  queues.leave('c')
  assert.deepEqual(freeIn(queues), { quick: 1, slow: 2 })
})

test('moves a slow sync to the slow queue and frees its place in the quick queue', () => {
  const queues = new SyncQueues(1)
  queues.enter('a', { slow: false, nowMs: 0 })
  assert.deepEqual(freeIn(queues, SLOW_MS - 1), { slow: 1 })
  assert.deepEqual(freeIn(queues, SLOW_MS), { quick: 1 })
  queues.leave('a')
  assert.deepEqual(freeIn(queues, SLOW_MS), { quick: 1, slow: 1 })
})

test('runs no more syncs in both queues than their maximum', () => {
  const queues = new SyncQueues(1, 2)
  queues.enter('a', { slow: false, nowMs: 0 })
  assert.deepEqual(freeIn(queues, SLOW_MS), { quick: 1 })
  queues.enter('b', { slow: false, nowMs: SLOW_MS })
  assert.deepEqual(freeIn(queues, 2 * SLOW_MS), {})
})

test('moves at most four times its size into the slow queue', () => {
  const queues = new SyncQueues(1)
  for (let at = 0; at < 4; at++) {
    queues.enter(`s${at}`, { slow: false, nowMs: at * SLOW_MS })
    assert.deepEqual(freeIn(queues, (at + 1) * SLOW_MS), { quick: 1 })
  }
  queues.enter('one too many', { slow: false, nowMs: 4 * SLOW_MS })
  assert.deepEqual(freeIn(queues, 100 * SLOW_MS), {})
  queues.leave('s0')
  assert.deepEqual(freeIn(queues, 100 * SLOW_MS), { quick: 1 })
})
