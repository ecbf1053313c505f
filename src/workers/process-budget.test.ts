import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { MemoryBudget, MIB } from './memory-budget.ts'
import { processBudgetOf } from './process-budget.ts'

const GIB = 1024 * MIB
/** Without the heap: see docs/operating-sources.md. */
const BASE_MB = 144

const limits = fc.record({
  memoryBytes: fc.double({ min: 1872 * MIB, max: 256 * GIB, noNaN: true }),
  syncConcurrency: fc.integer({ min: 1, max: 64 }),
  heapMb: fc.option(fc.integer({ min: 64, max: 65_536 }), { nil: undefined }),
})

test('all processes together have at most a third of the memory of the node', () => {
  fc.assert(
    fc.property(limits, (given) => {
      const { heapMb, syncsMax, jobsMax, bytes } = processBudgetOf(given)
      assert.equal(bytes, (syncsMax + jobsMax) * (heapMb + BASE_MB) * MIB)
      assert.ok(bytes <= given.memoryBytes / 3)
    }),
  )
})

test('slots and processes together leave a tenth of the memory', () => {
  fc.assert(
    fc.property(limits, (given) => {
      const { memoryBytes } = given
      const { bytes } = processBudgetOf(given)
      const rssBytes = memoryBytes * 0.9 - bytes
      const isFull = (rssBytes: number) =>
        new MemoryBudget({ maxBytes: memoryBytes, reservedBytes: bytes }, () => ({ ...IDLE, rssBytes })).isFull(0)
      assert.deepEqual([isFull(rssBytes - 1), isFull(rssBytes + 1)], [false, true])
    }),
  )
})

const IDLE = { heapBytes: 0, heapBytesMax: 1 }

test('there is always room for a quick sync, a slow one and a job, of 64 MiB at least', () => {
  for (const memoryBytes of [1, 2 ** 20, GIB, 100 * GIB]) {
    for (const syncConcurrency of [1, 4, 64]) {
      const budget = processBudgetOf({ memoryBytes, syncConcurrency })
      assert.ok(budget.syncConcurrency >= 1 && budget.syncConcurrency <= syncConcurrency)
      assert.ok(budget.syncsMax >= 2 * budget.syncConcurrency)
      assert.ok(budget.jobsMax >= 1 && budget.heapMb >= 64)
    }
  }
})

test('a small node keeps memory for slots', () => {
  const { bytes } = processBudgetOf({ memoryBytes: GIB, syncConcurrency: 4 })
  assert.equal(Math.round(bytes / MIB), 341)
})

test('heaps shrink with the memory, then the number of processes', () => {
  const of = (gib: number, heapMb?: number) => {
    const budget = processBudgetOf({ memoryBytes: gib * GIB, syncConcurrency: 4, heapMb })
    return [budget.syncsMax + budget.jobsMax, budget.syncConcurrency, budget.heapMb]
  }
  assert.deepEqual(of(2), [3, 1, 83])
  assert.deepEqual(of(4), [5, 2, 128])
  assert.deepEqual(of(8), [10, 4, 128])
  assert.deepEqual(of(16), [20, 4, 128])
  assert.deepEqual(of(32), [22, 4, 352])
  assert.deepEqual(of(64), [25, 4, 512])
  assert.deepEqual(of(8, 512), [4, 1, 512])
  assert.deepEqual(of(8, 64), [13, 4, 64])
  assert.deepEqual(of(2, 512), [3, 1, 83], 'a heap is never larger than a third of the share')
})

test('docs/operating-sources.md has the table of the default settings', () => {
  const text = readFileSync(new URL('../../docs/operating-sources.md', import.meta.url), 'utf8')
  const rows = [
    ...text.matchAll(/^\| (?:up to )?(\d+) ([GM]iB) \| (\d+) \| (\d+) MiB \| (\d+) quick, (\d+) slow \| (\d+) \|$/gm),
  ]
  assert.ok(rows.length >= 6)
  for (const [, memory, unit, ...cells] of rows) {
    const memoryBytes = Number(memory) * (unit === 'GiB' ? GIB : MIB)
    const { heapMb, syncsMax, jobsMax, syncConcurrency: quick } = processBudgetOf({ memoryBytes, syncConcurrency: 4 })
    assert.deepEqual(cells.map(Number), [syncsMax + jobsMax, heapMb, quick, syncsMax - quick, jobsMax], memory)
  }
})
