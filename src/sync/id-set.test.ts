import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotId } from '../slot/slot-id.ts'
import { IdSet } from './id-set.ts'

test('never calls an id new that was added before', () => {
  const set = new IdSet()
  const ids = Array.from({ length: 20_000 }, (_, n) => slotId('clinic', 'schedule', `slot-${n}`, n, n))
  assert.equal(ids.filter((id) => set.add(id)).length, ids.length)
  assert.equal(ids.filter((id) => set.add(id)).length, 0)
})

test('tells ids apart at the ends of the alphabet', () => {
  const set = new IdSet()
  const ids = ['0'.repeat(24), `0000000001${'0'.repeat(14)}`, 'v'.repeat(24), `vvvvvvvvvu${'v'.repeat(14)}`]
  assert.deepEqual(
    ids.map((id) => set.add(id)),
    [true, true, true, true],
  )
})

test('says "perhaps" for ids that differ only after their first ten characters', () => {
  const set = new IdSet()
  assert.equal(set.add(`0123456789${'a'.repeat(14)}`), true)
  assert.equal(set.add(`0123456789${'b'.repeat(14)}`), false)
})
