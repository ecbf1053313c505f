import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IdSet } from './id-set.ts'

test('tells apart as many ids as a file may hold, and knows each again', () => {
  const ids = Array.from({ length: 50_000 }, (_, n) => `${n % 40_000}/${n % 7}`)
  const set = new IdSet()
  const plain = new Set<string>()
  for (const id of ids) {
    assert.equal(set.add(id), !plain.has(id))
    plain.add(id)
  }
  assert.equal(set.isOverfull, false)
})

test('takes no more once it is full, says so, and still knows what it took', () => {
  const set = new IdSet(3000)
  for (let n = 0; n < 3000; n++) assert.ok(set.add(String(n)))
  assert.ok(!set.add('0'))
  assert.equal(set.isOverfull, false)
  assert.ok(set.add('other'))
  assert.ok(set.add('other'))
  assert.equal(set.isOverfull, true)
  for (let n = 0; n < 3000; n++) assert.ok(!set.add(String(n)))
})
