import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { linePath, roundTicks, spacedLabels, stack, tooltipLeft } from './scale.ts'

test('ticks are round, evenly spaced and cover zero and all values', () => {
  assert.deepEqual(roundTicks([1640, 900], { count: 4, isWhole: true }), [0, 500, 1000, 1500, 2000])
  assert.deepEqual(roundTicks([17_000, -900], { count: 2, isWhole: true }), [-10_000, 0, 10_000, 20_000])
  assert.deepEqual(roundTicks([0.28, 0.3], { count: 3, isWhole: false }), [0, 0.1, 0.2, 0.3])
  assert.deepEqual(roundTicks([3], { count: 10, isWhole: true }), [0, 1, 2, 3])
  assert.deepEqual(roundTicks([], { count: 4, isWhole: true }), [0, 1])
  const values = fc.array(fc.integer({ min: -1e9, max: 1e9 }).map((value) => value / 1000))
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 9 }), fc.boolean(), (all, count, isWhole) => {
      const ticks = roundTicks(all, { count, isWhole })
      assert.ok(ticks.includes(0) && ticks.length >= 2 && ticks.length <= count + 3)
      assert.ok(all.every((value) => value >= ticks[0] && value <= ticks[ticks.length - 1]))
      assert.ok(!isWhole || ticks.every(Number.isInteger))
    }),
  )
})

test('labels stay inside the chart and keep their distance', () => {
  const labels = Array.from({ length: 24 }, (_, n) => ({ x: n * 10, text: 'label' }))
  const kept = spacedLabels(labels, { width: 230, gap: 20 })
  assert.deepEqual(
    kept.map(({ x }) => x),
    [17.5, 80, 160],
  )
  assert.deepEqual(spacedLabels([{ x: 115, text: 'one' }], { width: 230, gap: 20 }), [{ x: 115, text: 'one' }])
  assert.deepEqual(spacedLabels([], { width: 230, gap: 20 }), [])
})

test('stacks positive values upward and negative values downward', () => {
  assert.deepEqual(stack([2, 3, -4, 0, -1]), [
    { from: 0, to: 2 },
    { from: 2, to: 5 },
    { from: 0, to: -4 },
    { from: 5, to: 5 },
    { from: -4, to: -5 },
  ])
})

test('lines have gaps where there is no value, and a dot where a value has no neighbor', () => {
  assert.equal(linePath([[0, 1], [2, 3], undefined, [4, 5], undefined]), 'M0 1h0L2 3M4 5h0')
  assert.equal(linePath([]), '')
})

test('the tooltip stands beside the point, and inside the chart if there is space', () => {
  assert.equal(tooltipLeft(10, 100, 400), 22)
  assert.equal(tooltipLeft(350, 100, 400), 238)
  assert.equal(tooltipLeft(100, 150, 200), 50)
  assert.equal(tooltipLeft(100, 300, 200), 0)
})
