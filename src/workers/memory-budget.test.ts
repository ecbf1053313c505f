import assert from 'node:assert/strict'
import { totalmem } from 'node:os'
import { test } from 'node:test'
import { MemoryBudget, memoryMaxBytes } from './memory-budget.ts'

const GB = 1e9
const IDLE = { rssBytes: 0, heapBytes: 0, heapBytesMax: GB }

const isFull = (use: Partial<typeof IDLE>, moreBytes = 0) =>
  new MemoryBudget({ maxBytes: GB }, () => ({ ...IDLE, ...use })).isFull(moreBytes)

test('memory is full at 90 % of the limit', () => {
  assert.deepEqual([isFull({ rssBytes: 0.9 * GB - 1 }), isFull({ rssBytes: 0.9 * GB })], [false, true])
})

test('memory is full at 85 % of the heap of the main thread', () => {
  assert.deepEqual([isFull({ heapBytes: 0.85 * GB - 1 }), isFull({ heapBytes: 0.85 * GB })], [false, true])
})

test('keeps memory for the end of the change', () => {
  const rssBytes = 0.9 * GB - 120_000_000
  assert.deepEqual([isFull({ rssBytes }, 119_999_999), isFull({ rssBytes }, 120_000_000)], [false, true])
})

test('has room for a full load only beside what is in use', () => {
  const rssBytes = 0.9 * GB - 250_000_000
  const memory = new MemoryBudget({ maxBytes: GB }, () => ({ ...IDLE, rssBytes }))
  assert.deepEqual([memory.hasRoomFor(999_999), memory.hasRoomFor(1_000_000)], [true, false])
})

test('the limit is never above the memory of the system', () => {
  assert.ok(memoryMaxBytes() <= totalmem())
  assert.equal(memoryMaxBytes(1000), 1000)
  assert.equal(memoryMaxBytes(2 ** 60), memoryMaxBytes())
})

test('reads the memory of this process', () => {
  assert.equal(new MemoryBudget({ maxBytes: 2 ** 50 }).isFull(0), false)
  assert.equal(new MemoryBudget({ maxBytes: 2 ** 20 }).isFull(0), true)
})
