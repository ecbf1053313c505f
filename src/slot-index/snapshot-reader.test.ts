import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fillIndex, putSlots } from '../../test/support/fill-index.ts'
import { slotId } from '../slot/ids.ts'
import type { Offering, Slot } from '../slot/slot.ts'
import { packIds } from './slot-batch.ts'
import { SlotIndex } from './slot-index.ts'
import { SnapshotChunk } from './snapshot-chunk.ts'
import type { SnapshotReader } from './snapshot-reader.ts'

const ALL = { status: 'free', sort: 'start' } as const

test('a snapshot reader returns exactly the slots that matched when it was opened, during changes', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
      const reference = new ReferenceIndex()
      for (const each of steps) reference.take(each)
      reference.finish()
    }),
    { numRuns: 150 },
  )
})

test('deleted rows are retained until every earlier reader is closed, and then freed', () => {
  const index = new SlotIndex()
  fillIndex(index, slots(100, 1))
  const { snapshots } = index.openSnapshot().state
  snapshots.closeAll()
  let freed = 0
  index.whenFreed(() => freed++)
  const [older, newer] = [index.open(ALL, 0), index.open(ALL, 0)]
  replace(index, slots(100, 1), slots(100, 2))
  assert.equal(snapshots.waitingRows, 100)
  const after = index.open(ALL, 0)
  older.close()
  older.close()
  assert.equal(freed, 0)
  newer.close()
  assert.equal(freed, 1)
  assert.equal(snapshots.waitingRows, 100)
  run(index.retireFreed())
  assert.equal(snapshots.waitingRows, 0)
  assert.deepEqual(takeAll(after), publishedOf(slots(100, 2)))
  after.close()
  assert.equal(freed, 1)
})

test('a snapshot reader stays complete during compaction', () => {
  const index = new SlotIndex()
  const held = slots(30_000, 1).map((slot) => ({
    ...slot,
    bookingDeepLink: `https://a.example/${'x'.repeat(500)}`,
  }))
  fillIndex(index, held)
  const older = index.open(ALL, 0)
  const isGone = (_: unknown, n: number) => n % 10 > 0
  replace(index, held.filter(isGone), [])
  const left = publishedOf(held.filter((slot, n) => !isGone(slot, n)))
  const reader = index.open(ALL, 0)
  const { rows } = index.openSnapshot().state
  const piece = new SnapshotChunk(1)
  const taken: unknown[] = []
  const takeOne = () => {
    reader.next(piece)
    taken.push(...read(piece))
  }
  takeOne()
  const [row] = piece.rows
  const before = rows.addressOf(row)
  older.close()
  run(index.retireFreed(), () => reader.left > 1500 && takeOne())
  assert.notEqual(rows.addressOf(row), before)
  assert.deepEqual([...taken, ...takeAll(reader)], left)
  reader.close()
  assert.deepEqual(takeAll(index.open(ALL, 0)), left)
})

test('a chunk exceeds its byte limit by at most one slot', () => {
  const index = new SlotIndex()
  const long = slots(40, 1).map((slot) => ({
    ...slot,
    bookingDeepLink: `https://a.example/${'x'.repeat(60_000)}`,
  }))
  fillIndex(index, long)
  const reader = index.open(ALL, 0)
  const piece = new SnapshotChunk(100)
  reader.next(piece)
  assert.equal(piece.count, 4)
  assert.equal(reader.left, 36)
  reader.close()
})

test('a full load keeps snapshots of the previous state open and closes older ones', () => {
  const index = new SlotIndex()
  fillIndex(index, slots(10, 1))
  const first = index.open(ALL, 0)
  fillIndex(index, slots(10, 2))
  const second = index.open(ALL, 0)
  assert.deepEqual(takeAll(first), publishedOf(slots(10, 1)))
  fillIndex(index, slots(10, 3))
  assert.deepEqual([first.isOpen, second.isOpen], [false, true])
  assert.throws(() => first.next(new SnapshotChunk(1)), /it is closed/)
  assert.deepEqual(takeAll(second), publishedOf(slots(10, 2)))
})

type Step =
  | { readonly kind: 'open' }
  | { readonly kind: 'take'; readonly which: number }
  | { readonly kind: 'close'; readonly which: number }
  | { readonly kind: 'change'; readonly generation: number; readonly share: number }
  | { readonly kind: 'load' | 'free' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('open' as const) }),
  fc.record({ kind: fc.constant('take' as const), which: fc.nat(9) }),
  fc.record({ kind: fc.constant('close' as const), which: fc.nat(9) }),
  fc.record({
    kind: fc.constant('change' as const),
    generation: fc.nat(1000),
    share: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ kind: fc.constantFrom('free', 'free', 'load') }),
)

/** An index with readers at several places, beside what each of them should hold. */
class ReferenceIndex {
  readonly #index = new SlotIndex()
  readonly #piece = new SnapshotChunk(7)
  #held: Slot[] = slots(50, 0)
  #open: { reader: SnapshotReader; expected: unknown[]; taken: unknown[]; loads: number }[] = []
  #loads = 0

  constructor() {
    fillIndex(this.#index, this.#held)
  }

  take(step: Step): void {
    if (step.kind === 'open') {
      const expected = publishedOf(this.#held)
      this.#open.push({ reader: this.#index.open(ALL, 0), expected, taken: [], loads: this.#loads })
    } else if (step.kind === 'take') this.#takePiece(step.which)
    else if (step.kind === 'close') this.#open.splice(step.which, 1)[0]?.reader.close()
    else if (step.kind === 'free') run(this.#index.retireFreed())
    else if (step.kind === 'load') {
      this.#loads++
      fillIndex(this.#index, this.#held)
    } else if (step.kind === 'change') this.#change(step)
  }

  finish(): void {
    for (const { reader, expected, taken, loads } of this.#open) {
      assert.equal(reader.isOpen, this.#loads - loads < 2)
      if (!reader.isOpen) continue
      assert.equal(reader.total, expected.length)
      assert.deepEqual([...taken, ...takeAll(reader)], expected)
      reader.close()
    }
    run(this.#index.retireFreed())
    assert.equal(this.#index.openSnapshot().state.snapshots.waitingRows, 0)
    assert.deepEqual(takeAll(this.#index.open(ALL, 0)), publishedOf(this.#held))
  }

  #takePiece(which: number): void {
    const open = this.#open[which]
    if (!open?.reader.isOpen) return
    open.reader.next(this.#piece)
    open.taken.push(...read(this.#piece))
  }

  #change({ generation, share }: { generation: number; share: number }): void {
    const isGone = (_: unknown, n: number) => (n + generation) % share === 0
    const gone = this.#held.filter(isGone)
    const come = slots(50, generation).filter(isGone)
    const stay = this.#held.filter((slot) => !gone.includes(slot))
    const fresh = come.filter((slot) => !stay.some(({ id }) => id === slot.id))
    replace(this.#index, gone, fresh, () => this.#takePiece(generation % 10))
    this.#held = [...stay, ...fresh]
  }
}

let lastOffering = 100

/** One change, with an offering of its own. */
function replace(index: SlotIndex, gone: readonly Slot[], come: readonly Slot[], meanwhile = () => {}): void {
  const change = index.begin(false, 0)
  run(change.remove(packIds(gone)))
  const ids = new Map([...new Set(come.map(({ offering }) => offering))].map((each) => [each, ++lastOffering]))
  run(putSlots(change, come, ids), meanwhile)
  index.commit(change, { store: 1, revision: index.revision + 1 })
  run(change.retire(), meanwhile)
}

/** Some have the same ids in every generation, others come once. */
function slots(count: number, generation: number): Slot[] {
  const offering: Offering = { publisher: 'north', scheduleId: `generation-${generation}`, isVirtual: false }
  return Array.from({ length: count }, (_, n) => {
    const startMs = n * 60_000 + (n % 3 === 0 ? generation : 0)
    const endMs = startMs + 60_000
    const id = slotId('north', 'a', n % 3 === 0 ? `${n}-${generation}` : String(n), { startMs, endMs })
    const [start, end] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()]
    return { id, status: 'free', start, end, startMs, endMs, capacity: generation, offering }
  })
}

function publishedOf(held: readonly Slot[]): unknown[] {
  return [...held]
    .sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1))
    .map(({ startMs: _start, endMs: _end, offering, ...own }) => ({ ...own, ...offering }))
}

function takeAll(reader: SnapshotReader): unknown[] {
  const piece = new SnapshotChunk(13)
  const taken: unknown[] = []
  for (reader.next(piece); piece.count > 0; reader.next(piece)) taken.push(...read(piece))
  return taken
}

function read({ count, segments, starts, lengths }: SnapshotChunk): unknown[] {
  const text = (n: number) => segments[n].toString('utf8', starts[n], starts[n] + lengths[n])
  return Array.from({ length: count }, (_, n) => JSON.parse(text(n * 2) + text(n * 2 + 1)))
}

/** `meanwhile` runs between any two pieces of the work. */
function run(work: Generator<void, void>, meanwhile = () => {}): void {
  for (const _ of work) meanwhile()
}
