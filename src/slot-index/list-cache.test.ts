import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ListCache } from './list-cache.ts'
import { PostingList } from './posting-list.ts'

const listOf = (length: number) => PostingList.of(length === 0 ? [] : [new Uint32Array(length)])

test('evicts the oldest lists by the weight of their rows', () => {
  const memory = new ListCache(1000)
  for (const name of ['a', 'b', 'c', 'd']) memory.add(name, listOf(200))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => memory.find(name)?.length),
    [undefined, 200, 200, 200],
  )
  memory.add('e', listOf(2000))
  assert.equal(memory.size, 0)
})

test('counts the length of names, so that empty lists with long names are bounded', () => {
  const memory = new ListCache(100_000)
  for (let n = 0; n < 1000; n++) memory.add(`${n} ${'x'.repeat(8000)}`, PostingList.EMPTY)
  assert.ok(memory.size > 10 && memory.size < 13)
})
