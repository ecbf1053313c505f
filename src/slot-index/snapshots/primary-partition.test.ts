import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { slotIn } from '../../../test/support/slot-index/index-samples.ts'
import { published } from '../../../test/support/slot-index/naive-index.ts'
import { ReferenceIndex } from '../../../test/support/slot-index/reference-index.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { type Offering, SLOT_STATUSES, type Slot } from '../../slot/slot.ts'
import type { IndexSnapshot } from './open-snapshots.ts'
import { partitionRevision, partitionStates, readPartition } from './primary-partition.ts'
import { SnapshotChunk } from './snapshot-chunk.ts'

const change = fc.record({
  put: fc.array(slotIn, { maxLength: 40 }),
  remove: fc.array(fc.nat(60), { maxLength: 10 }),
  whole: fc.oneof({ arbitrary: fc.constant(false), weight: 3 }, fc.constant(true)),
  merges: fc.constantFrom(0, 1, Infinity),
  passMs: fc.constantFrom(0, MINUTE_MS),
})

test('each slot is in the partition of its state, whose revision is that of its last change', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const reference = new ReferenceIndex()
      let revisions = new Map<string | undefined, number>()
      for (const { put, remove, whole, merges, passMs } of changes) {
        const before = partitionsOf(reference.slots.values())
        reference.change({ put, remove: reference.idsOf(remove), whole, merges })
        reference.nowMs += passMs
        reference.index.advance(reference.nowMs)
        const snapshot = reference.index.openSnapshot()
        const found = new Map(
          [...runAtOnce(partitionStates(snapshot)).keys()].map((state) => [state, readAll(snapshot, state)]),
        )
        const expected = partitionsOf(reference.slots.values())
        for (const [state, slots] of found) assert.deepEqual(slots, publishedIn(expected.get(state) ?? []))
        assert.deepEqual(
          [...expected.keys()].filter((state) => !found.has(state)),
          [],
        )
        const next = new Map([...found.keys()].map((state) => [state, partitionRevision(snapshot, state)]))
        for (const [state, revision] of next) {
          // A full load gives all partitions its revision.
          const isEqual = !whole && sameSlots(before.get(state), expected.get(state))
          assert.equal(revision, isEqual ? (revisions.get(state) ?? 0) : snapshot.committed.revision)
        }
        revisions = next
        snapshot.close()
      }
    }),
    { numRuns: casesOf(150) },
  )
})

function partitionsOf(slots: Iterable<Slot>): Map<string | undefined, Slot[]> {
  return Map.groupBy(slots, ({ offering }) => homeOf(offering))
}

function homeOf({ location, serviceStates }: Offering): string | undefined {
  return location?.state ?? serviceStates?.at(-1)
}

function sameSlots(some: readonly Slot[] = [], others: readonly Slot[] = []): boolean {
  return some.length === others.length && some.every((slot) => others.includes(slot))
}

function publishedIn(slots: readonly Slot[]): unknown[] {
  const statusOf = ({ status }: Slot) => SLOT_STATUSES.indexOf(status)
  return slots
    .toSorted((a, b) => statusOf(a) - statusOf(b) || a.startMs - b.startMs || (a.id < b.id ? -1 : 1))
    .map(published)
}

function readAll(snapshot: IndexSnapshot, state: string | undefined): unknown[] {
  const reader = runAtOnce(readPartition(snapshot, state))
  const chunk = new SnapshotChunk(1000)
  reader.next(chunk)
  assert.equal(reader.total, chunk.count)
  const lines = chunk.json.toString('utf8', 0, chunk.byteLength).split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}
