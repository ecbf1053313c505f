import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IndexState } from './index-state.ts'
import { HeldMoments } from './open-snapshots.ts'
import { RowVector } from './row-vector.ts'

const SHOWS = { state: new IndexState(), groups: new Map(), shown: { store: 1, revision: 1 } }

test('closes the oldest moments when too many rows wait for them, and those only', () => {
  const moments = new HeldMoments()
  const hold = () => moments.hold(SHOWS, () => {})
  const [first, second] = [hold(), hold()]
  moments.defer(rows(300_000))
  const third = hold()
  moments.defer(rows(200_000))
  assert.deepEqual([first.isOpen, second.isOpen, third.isOpen], [true, true, true])
  moments.defer(rows(1))
  assert.deepEqual([first.isOpen, second.isOpen, third.isOpen], [false, false, true])
  assert.equal(moments.takeFreed()?.length, 300_000)
  assert.equal(moments.takeFreed(), undefined)
  third.close()
  assert.equal(moments.takeFreed()?.length, 200_000)
  assert.equal(moments.takeFreed()?.length, 1)
  assert.deepEqual([moments.waitingRows, moments.size], [0, 0])
})

test('hands out at once what goes while nothing is open', () => {
  const moments = new HeldMoments()
  moments.defer(rows(3))
  const later = moments.hold(SHOWS, () => {})
  assert.equal(moments.takeFreed()?.length, 3)
  later.close()
})

function rows(length: number): RowVector {
  const vector = new RowVector()
  vector.length = length
  return vector
}
