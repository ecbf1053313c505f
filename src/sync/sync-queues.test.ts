import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SLOW_MS } from '../store/contracts/sources.ts'
import { SyncLanes } from './sync-queues.ts'

const roomIn = (lanes: SyncLanes, nowMs = 0) =>
  Object.fromEntries(lanes.room(nowMs).map(({ slow, places }) => [slow ? 'slow' : 'quick', places]))

test('each lane has places of its own', () => {
  const lanes = new SyncLanes(2)
  assert.deepEqual(roomIn(lanes), { quick: 2, slow: 2 })
  lanes.enter('a', { slow: false, nowMs: 0 })
  lanes.enter('b', { slow: false, nowMs: 0 })
  assert.deepEqual(roomIn(lanes), { slow: 2 })
  lanes.enter('c', { slow: true, nowMs: 0 })
  assert.deepEqual(roomIn(lanes), { slow: 1 })
  lanes.leave('a')
  lanes.leave('c')
  assert.deepEqual(roomIn(lanes), { quick: 1, slow: 2 })
})

test('who turns out slow moves over, and leaves its quick place to others', () => {
  const lanes = new SyncLanes(1)
  lanes.enter('a', { slow: false, nowMs: 0 })
  assert.deepEqual(roomIn(lanes, SLOW_MS - 1), { slow: 1 })
  assert.deepEqual(roomIn(lanes, SLOW_MS), { quick: 1 })
  lanes.leave('a')
  assert.deepEqual(roomIn(lanes, SLOW_MS), { quick: 1, slow: 1 })
})

test('the slow lane takes in four times its places, and no more', () => {
  const lanes = new SyncLanes(1)
  for (let at = 0; at < 4; at++) {
    lanes.enter(`s${at}`, { slow: false, nowMs: at * SLOW_MS })
    assert.deepEqual(roomIn(lanes, (at + 1) * SLOW_MS), { quick: 1 })
  }
  lanes.enter('one too many', { slow: false, nowMs: 4 * SLOW_MS })
  assert.deepEqual(roomIn(lanes, 100 * SLOW_MS), {})
  lanes.leave('s0')
  assert.deepEqual(roomIn(lanes, 100 * SLOW_MS), { quick: 1 })
})
