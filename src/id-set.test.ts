import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IdSet } from './id-set.ts'
import { slotId } from './slot/slot-id.ts'

test('tells apart as many ids as a file may hold, and knows each again', () => {
  const ids = Array.from({ length: 50_000 }, (_, n) => slotId('clinic', 's', String(n % 40_000), n % 7, 1))
  const set = new IdSet()
  const plain = new Set<string>()
  for (const id of ids) {
    assert.equal(set.add(id), !plain.has(id))
    plain.add(id)
  }
})

test('tells apart ids that begin alike, or end alike', () => {
  const set = new IdSet()
  const id = 'v'.repeat(24)
  assert.ok(set.add(id))
  assert.ok(!set.add(id))
  for (let at = 0; at < 16; at++) assert.ok(set.add(`${id.slice(0, at)}0${id.slice(at + 1)}`), String(at))
})
