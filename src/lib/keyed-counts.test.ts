import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyedCounts } from './keyed-counts.ts'

test('counts up and down by key', () => {
  const counts = new KeyedCounts()
  counts.add('192.0.2.1')
  counts.add('192.0.2.1')
  counts.remove('192.0.2.1')
  assert.deepEqual([counts.countOf('192.0.2.1'), counts.countOf('192.0.2.2')], [1, 0])
  counts.remove('192.0.2.1')
  assert.equal(counts.countOf('192.0.2.1'), 0)
})
