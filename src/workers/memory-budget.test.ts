import assert from 'node:assert/strict'
import { totalmem } from 'node:os'
import { test } from 'node:test'
import { MemoryBudget, memoryMaxBytes } from './memory-budget.ts'

const GB = 1e9
const IDLE = { rssBytes: 0, heapBytes: 0, heapBytesMax: GB }

const isFull = (use: Partial<typeof IDLE>, { pending = 0, threads = 1 } = {}) =>
  new MemoryBudget(GB, threads, () => ({ ...IDLE, ...use })).isFull(pending)

test('memory is full at 85 % of the limit', () => {
  assert.deepEqual([isFull({ rssBytes: 0.85 * GB - 1 }), isFull({ rssBytes: 0.85 * GB })], [false, true])
})

test('memory is full at 85 % of the heap of the main thread', () => {
  assert.deepEqual([isFull({ heapBytes: 0.85 * GB - 1 }), isFull({ heapBytes: 0.85 * GB })], [false, true])
})

test('keeps memory for the end of the change, in each thread', () => {
  const rssBytes = 0.85 * GB - 100_000_000
  assert.equal(isFull({ rssBytes }, { pending: 999_999 }), false)
  assert.equal(isFull({ rssBytes }, { pending: 1_000_000 }), true)
  assert.equal(isFull({ rssBytes }, { pending: 500_000, threads: 2 }), true)
})

test('has room for a full load only beside what is in use', () => {
  const rssBytes = 0.85 * GB - 450_000_000
  const hasRoomFor = (slots: number, threads = 1) =>
    new MemoryBudget(GB, threads, () => ({ ...IDLE, rssBytes })).hasRoomFor(slots)
  assert.deepEqual([hasRoomFor(999_999), hasRoomFor(1_000_000), hasRoomFor(999_999, 2)], [true, false, false])
})

test('the limit is never above the memory of the system', () => {
  assert.ok(memoryMaxBytes() <= totalmem())
  assert.equal(memoryMaxBytes(1000), 1000)
  assert.equal(memoryMaxBytes(2 ** 60), memoryMaxBytes())
})

test('reads the memory of this process', () => {
  assert.equal(new MemoryBudget(2 ** 50).isFull(0), false)
  assert.equal(new MemoryBudget(2 ** 20).isFull(0), true)
})
