import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IdSet } from './id-set.ts'

test('recognizes every id that was added', () => {
  const ids = Array.from({ length: 50_000 }, (_, n) => `${n % 40_000}/${n % 7}`)
  const set = new IdSet()
  const plain = new Set<string>()
  for (const id of ids) {
    assert.equal(set.has(id), plain.has(id))
    assert.equal(set.add(id), !plain.has(id))
    plain.add(id)
  }
  assert.equal(set.isOverfull, false)
})

test('adds no ids when full, reports it, and still recognizes added ids', () => {
  const set = new IdSet(3000)
  for (let n = 0; n < 3000; n++) assert.ok(set.add(String(n)))
  assert.ok(!set.add('0'))
  assert.equal(set.isOverfull, false)
  assert.ok(set.add('other'))
  assert.ok(set.add('other'))
  assert.equal(set.isOverfull, true)
  for (let n = 0; n < 3000; n++) assert.ok(!set.add(String(n)))
})
