import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoredIds, tagOf } from './stored-ids.ts'

for (const expected of [0, 1_000, 50_000]) {
  test(`names the row of every id that was added, and few others, with ${expected} expected`, () => {
    const held = new StoredIds(expected)
    for (let key = 1; key <= 50_000; key++) held.add(tagOf(`slot-${key}`), key)
    let candidates = 0
    for (let key = 1; key <= 50_000; key++) {
      const keys = held.candidates([`slot-${key}`])
      assert.ok(keys.includes(key))
      candidates += keys.length
    }
    assert.ok(candidates < 50_100)
  })
}

test('names all rows of an id that was added again', () => {
  const held = new StoredIds()
  held.add(tagOf('a'), 5)
  held.add(tagOf('a'), 7)
  assert.deepEqual(held.candidates(['a']), [5, 7])
  assert.deepEqual(held.candidates(['b']), [])
  assert.deepEqual(held.candidates(['b', 'a']), [5, 7])
})

test('names a row whose key is more than 2^32 above another', () => {
  const held = new StoredIds()
  const keys = [2 ** 33 + 7, 2 ** 33 + 9, 2 ** 34 + 8]
  for (const key of keys) held.add(tagOf(`slot-${key}`), key)
  for (const key of keys) assert.ok(held.candidates([`slot-${key}`]).includes(key))
})
