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

for (const drafts of [0, 10, 20_000]) {
  test(`names stored rows and drafts, with ${drafts} drafts before them`, () => {
    const held = new StoredIds(10_000)
    for (let at = 0; at < drafts; at++) held.add(tagOf(`draft-${at}`), 100_000 + at)
    const keys = Float64Array.from({ length: 10_000 }, (_, at) => at * 3)
    held.setStored({ keys, tags: Uint32Array.from(keys, (key) => tagOf(`slot-${key}`)) })
    for (let at = 0; at < 20_000; at++) held.add(tagOf(`later-${at}`), 200_000 + at + (at > 500 ? 7 : 0))
    for (const key of keys) assert.ok(held.candidates([`slot-${key}`]).includes(key))
    for (let at = 0; at < drafts; at++) assert.ok(held.candidates([`draft-${at}`]).includes(100_000 + at))
    assert.deepEqual(held.candidates(['later-500', 'later-501']), [200_500, 200_508])
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
