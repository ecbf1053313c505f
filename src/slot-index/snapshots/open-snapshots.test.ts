import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangingIndex } from '../../../test/support/slot-index/changing-index.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { slotId } from '../../slot/ids.ts'
import type { Slot } from '../../slot/slot.ts'
import type { IndexContent } from '../index-content.ts'
import { SlotIndex } from '../slot-index.ts'
import { OpenSnapshots } from './open-snapshots.ts'

test('closes the oldest snapshots, and only while too much memory is kept by snapshots alone', () => {
  const bytes = bytesOf(1000)
  const open = new OpenSnapshots(bytes * 1.5)
  const changing = indexWith(open)
  const snapshots = [1, 2, 3, 4].map((generation) => {
    changing.change({ put: slots(1000, generation), whole: true })
    return [changing.index.openSnapshot(), changing.index.openSnapshot()]
  })
  const isOpen = snapshots.map((pair) => pair.map((each) => each.isOpen))
  // The memory of the last generation is in use; that of one other is within the bound.
  assert.deepEqual(isOpen, [
    [false, false],
    [false, false],
    [true, true],
    [true, true],
  ])
  assert.equal(open.size, 4)
  assert.deepEqual(
    snapshots.slice(2).map(([{ committed }]) => committed.revision),
    [3, 4],
  )
})

test('keeps any number of snapshots whose memory is still in use', () => {
  const changing = indexWith(new OpenSnapshots(0))
  changing.change({ put: slots(1000, 1), whole: true })
  const snapshots = Array.from({ length: 100 }, () => changing.index.openSnapshot())
  // A few new slots make a run of their own.
  for (let n = 0; n < 3; n++) changing.change({ put: slots(3, n + 2) })
  assert.ok(snapshots.every(({ isOpen }) => isOpen))
})

test('keeps a share of the memory in use, however much that is', () => {
  const changing = indexWith(new OpenSnapshots(0))
  const [many, few] = [slots(1000, 1), slots(150, 2)]
  changing.change({ put: few })
  const snapshot = changing.index.openSnapshot()
  changing.change({ put: many, whole: true })
  assert.equal(snapshot.isOpen, true)
  changing.change({ put: few, whole: true })
  assert.equal(snapshot.isOpen, false)
})

test('a closed snapshot cannot be read, and closing it again does nothing', () => {
  const open = new OpenSnapshots()
  const { index } = indexWith(open)
  const [first, second] = [index.openSnapshot(), index.openSnapshot()]
  first.close()
  first.close()
  assert.equal(open.size, 1)
  assert.throws(() => first.content, /it is closed/)
  assert.throws(() => first.open, /it is closed/)
  assert.deepEqual(first.committed, second.committed)
})

function indexWith(snapshots: OpenSnapshots): ChangingIndex {
  return new ChangingIndex({ index: new SlotIndex(snapshots) })
}

/** The memory of an index of so many slots. */
function bytesOf(count: number): number {
  const changing = indexWith(new OpenSnapshots(0))
  changing.change({ put: slots(count, 1), whole: true })
  const { levels }: IndexContent = changing.content
  const states = levels.flatMap(({ zero, one }) => [...zero, ...one])
  return states.reduce((sum, { run }) => sum + run.memory.byteLength, 0)
}

function slots(count: number, generation: number): Slot[] {
  const offering = { publisher: 'north', scheduleId: 'a', isVirtual: false }
  return Array.from({ length: count }, (_, n) => {
    const [startMs, endMs] = [n * MINUTE_MS, (n + 1) * MINUTE_MS]
    const [start, end] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()]
    const id = slotId('north', 'a', `${n}-${generation}`, { startMs, endMs })
    return { id, status: 'free', start, end, startMs, endMs, offering }
  })
}
