import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderedMatches } from './matching/slot-matches.ts'
import { WeightedCache } from './weighted-cache.ts'

test('drops the oldest matches when all together are too heavy', () => {
  const cache = new WeightedCache<OrderedMatches>(1000)
  const names = ['a', 'b', 'c', 'd']
  for (const name of names) cache.add(name, matchesOf(200))
  // Each weighs 200, its name and 64.
  assert.deepEqual(
    names.map((name) => cache.find(name) !== undefined),
    [false, true, true, true],
  )
  cache.add('e', matchesOf(0))
  assert.equal(cache.size, 4)
  cache.add('f', matchesOf(700))
  assert.deepEqual([cache.size, cache.find('e') !== undefined, cache.find('f') !== undefined], [2, true, true])
})

test('does not keep matches that alone are too heavy, and counts long names', () => {
  const cache = new WeightedCache<OrderedMatches>(1000)
  cache.add('a', matchesOf(1001))
  assert.equal(cache.size, 0)
  for (let n = 0; n < 10; n++) cache.add('x'.repeat(300) + n, matchesOf(0))
  assert.equal(cache.size, 2)
})

test('keeps the matches that were found first under a name', () => {
  const cache = new WeightedCache<OrderedMatches>(1000)
  const [first, second] = [matchesOf(400), matchesOf(400)]
  cache.add('a', first)
  cache.add('a', second)
  assert.equal(cache.find('a'), first)
  cache.add('b', second)
  assert.equal(cache.size, 2)
})

test('weighs a value again that has become heavier', () => {
  const cache = new WeightedCache<{ weight: number }>(1000)
  const value = { weight: 100 }
  cache.add('a', { weight: 100 })
  cache.add('b', value)
  value.weight = 800
  cache.add('b', value)
  assert.deepEqual([cache.find('a'), cache.find('b')], [undefined, value])
  value.weight = 1000
  cache.add('b', value)
  cache.add('c', { weight: 900 })
  assert.equal(cache.size, 1)
})

function matchesOf(weight: number): OrderedMatches {
  return { count: 0, weight, countThrough: () => 0, read: () => assert.fail('not read') }
}
