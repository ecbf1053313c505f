import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heatOf, shortCount } from './tile-figures.ts'

test('writes a count in at most four characters', {
  skip: new Intl.NumberFormat().resolvedOptions().locale !== 'en-US',
}, () => {
  assert.deepEqual([0, 999, 1000, 1250, 9949, 9951, 12_345, 345_678].map(shortCount), [
    '0',
    '999',
    '1K',
    '1.3K',
    '9.9K',
    '10K',
    '12K',
    '346K',
  ])
})

test('colors the fullest state most and an empty one not at all', () => {
  assert.deepEqual([heatOf(0, 10), heatOf(10, 10)], [0, 60])
  assert.ok(heatOf(1, 10_000) > 0)
})
