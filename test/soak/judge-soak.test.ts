import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growthIn } from './judge-soak.ts'

const FLAT = { resident: 3e8, heap: 1e8, external: 1e8, timers: 18, threads: 15, descriptors: 76, store: 1e6 }

/** Twelve samples of six days, from the number of each. */
function samplesOf(sizesOf: (n: number) => object, rowsOf: (n: number) => Record<string, number>) {
  return Array.from({ length: 12 }, (_, n) => ({
    day: n / 2,
    sizes: { ...FLAT, 'write-ahead log': 1e6, ...sizesOf(n) },
    rows: rowsOf(n),
  }))
}

test('finds what grows between the second and the last third', () => {
  const growing = samplesOf(
    (n) => ({ descriptors: 70 + 2 * n, heap: 1e8 + n * 1e7 }),
    (n) => ({ slots: 100 * n, sources: 2 }),
  )
  assert.deepEqual(growthIn(growing), [
    'heap: 160000000 in the second third, 200000000 in the last',
    'descriptors: 82 in the second third, 90 in the last',
    'rows of slots: 600 in the second third, 1000 in the last',
  ])
})

test('accepts what fills at the start, and rows that are kept', () => {
  const full = samplesOf(
    (n) => ({ descriptors: n < 4 ? 20 * n : 76 }),
    (n) => ({ api_keys: 20 * n, slots: Math.min(n, 3) * 100 }),
  )
  assert.deepEqual(growthIn(full), [])
})
