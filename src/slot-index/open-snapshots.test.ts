import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IndexState } from './index-state.ts'
import { OpenSnapshots } from './open-snapshots.ts'
import { RowVector } from './row-vector.ts'

const COMMITTED = { state: new IndexState(), groups: new Map(), committed: { store: 1, revision: 1 } }

test('closes only the oldest snapshots when too many rows are retained', () => {
  const snapshots = new OpenSnapshots()
  const hold = () => snapshots.open(COMMITTED, () => {})
  const [first, second] = [hold(), hold()]
  snapshots.defer(rows(300_000))
  const third = hold()
  snapshots.defer(rows(200_000))
  assert.deepEqual([first.isOpen, second.isOpen, third.isOpen], [true, true, true])
  snapshots.defer(rows(1))
  assert.deepEqual([first.isOpen, second.isOpen, third.isOpen], [false, false, true])
  assert.equal(snapshots.takeFreed()?.length, 300_000)
  assert.equal(snapshots.takeFreed(), undefined)
  third.close()
  assert.equal(snapshots.takeFreed()?.length, 200_000)
  assert.equal(snapshots.takeFreed()?.length, 1)
  assert.deepEqual([snapshots.waitingRows, snapshots.size], [0, 0])
})

test('frees deleted rows immediately while no snapshot is open', () => {
  const snapshots = new OpenSnapshots()
  snapshots.defer(rows(3))
  const later = snapshots.open(COMMITTED, () => {})
  assert.equal(snapshots.takeFreed()?.length, 3)
  later.close()
})

function rows(length: number): RowVector {
  const vector = new RowVector()
  vector.length = length
  return vector
}
