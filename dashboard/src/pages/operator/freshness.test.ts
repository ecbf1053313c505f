import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PastSyncView } from '../../../../src/shared/contract/sources.ts'
import { outcomeOf } from '../../../../test/support/store/conformance/samples.ts'
import { freshnessPoints, freshnessSummary } from './freshness.ts'

const sync = (startedAtMs: number, more: Partial<PastSyncView> = {}): PastSyncView => ({
  ...outcomeOf({ startedAtMs }),
  slotCount: 10,
  ...more,
})

test('shows the newest syncs oldest first, with removals as negative numbers', () => {
  const history = [sync(3, { removed: 2, slotCount: 8 }), sync(2, { outcome: 'failed' }), sync(1)]
  const points = freshnessPoints(history, 2)
  assert.deepEqual(
    points.map(({ atMs, removed, isFailed }) => [atMs, removed, isFailed]),
    [
      [2, 0, true],
      [3, -2, false],
    ],
  )
  assert.equal(freshnessSummary(points), '2 syncs: between 8 and 10 slots, 1 with changes, 1 failed')
})

test('the first sync, which adds all slots, has no bar', () => {
  const points = freshnessPoints(
    [sync(2, { added: 3, slotCount: 63_903 }), sync(1, { added: 63_900, slotCount: 63_900 })],
    2,
  )
  assert.deepEqual(
    points.map(({ added, isFirst }) => [added, isFirst]),
    [
      [0, true],
      [3, false],
    ],
  )
  assert.equal(freshnessSummary(points), '2 syncs: between 63,900 and 63,903 slots, 2 with changes, 0 failed')
})

test('counts no changes for held syncs', () => {
  const points = freshnessPoints([sync(2, { outcome: 'held', removed: 10, added: 1 }), sync(1)], 2)
  assert.deepEqual(
    points.map(({ added, removed, isFailed }) => [added, removed, isFailed]),
    [
      [0, 0, false],
      [0, 0, false],
    ],
  )
})
