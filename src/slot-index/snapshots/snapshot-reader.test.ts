import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { fillIndex } from '../../../test/support/fill-index.ts'
import { ChangingIndex } from '../../../test/support/slot-index/changing-index.ts'
import { slotId } from '../../slot/ids.ts'
import type { Offering, Slot } from '../../slot/slot.ts'
import { SlotIndex } from '../slot-index.ts'
import { OpenSnapshots } from './open-snapshots.ts'
import { SnapshotChunk } from './snapshot-chunk.ts'
import type { SnapshotReader } from './snapshot-reader.ts'

const ALL = { status: 'free', sort: 'start' } as const
/** Runs so small that every change merges some. */
const SMALL = { runRowsMax: 16, zeroRowsMin: 12, zeroShare: 1 / 8, goneShareMax: 1 / 4 }

test('a snapshot reader returns exactly the slots that matched when it was opened, during changes and merges', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
      const reference = new ReferenceReaders()
      for (const each of steps) reference.take(each)
      reference.finish()
    }),
    { numRuns: casesOf(150) },
  )
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
  assert.deepEqual([...read(piece), ...takeAll(reader)], publishedOf(long))
  reader.close()
})

test('a chunk is NDJSON, and gives each offering with its details', () => {
  const index = new SlotIndex()
  const offering: Offering = {
    publisher: 'north',
    scheduleId: 'a',
    isVirtual: true,
    details: { languages: [{ code: 'es' }] },
  }
  const some = slots(3, 1).map((slot) => ({ ...slot, offering }))
  fillIndex(index, some)
  const reader = index.open(ALL, 0)
  const piece = new SnapshotChunk(5)
  reader.next(piece)
  const text = piece.json.toString('utf8', 0, piece.byteLength)
  const { details: _, ...served } = offering
  const lines = publishedOf(some.map((slot) => ({ ...slot, offering: served })))
  assert.equal(text, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  assert.deepEqual(
    [0, 1, 2].map((n) => piece.offeringOf(n)),
    [offering, offering, offering],
  )
  reader.close()
})

test('keeps a snapshot open until it is closed, and none if it is never opened', () => {
  const snapshots = new OpenSnapshots()
  const index = new SlotIndex(snapshots)
  fillIndex(index, slots(10, 1))
  const reader = index.open(ALL, 0)
  assert.equal(snapshots.size, 1)
  const steps = index.openInSteps({ ...ALL, scheduleId: 'generation-1' }, () => 0)
  assert.equal(steps.next().done, false)
  assert.equal(snapshots.size, 2)
  steps.return(reader)
  assert.equal(snapshots.size, 1)
  reader.close()
  assert.equal(snapshots.size, 0)
  assert.throws(() => reader.next(new SnapshotChunk(1)), /it is closed/)
})

type Step =
  | { readonly kind: 'open' | 'load' }
  | { readonly kind: 'take' | 'close'; readonly which: number }
  | { readonly kind: 'change'; readonly generation: number; readonly share: number; readonly merges: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('open', 'open', 'load') }),
  fc.record({ kind: fc.constantFrom('take', 'take', 'close'), which: fc.nat(9) }),
  fc.record({
    kind: fc.constant('change' as const),
    generation: fc.nat(1000),
    share: fc.integer({ min: 1, max: 4 }),
    merges: fc.constantFrom(0, 1, 2, Infinity),
  }),
)

/** An index with readers at several places, beside what each of them must return. */
class ReferenceReaders {
  readonly #snapshots = new OpenSnapshots()
  readonly #changing = new ChangingIndex({ index: new SlotIndex(this.#snapshots), limits: SMALL })
  readonly #chunk = new SnapshotChunk(7)
  #slots: Slot[] = slots(50, 0)
  readonly #open: { reader: SnapshotReader; expected: unknown[]; taken: unknown[] }[] = []

  constructor() {
    this.#load()
  }

  take(step: Step): void {
    if (step.kind === 'open') {
      const reader = this.#changing.index.open(ALL, 0)
      this.#open.push({ reader, expected: publishedOf(this.#slots), taken: [] })
    } else if (step.kind === 'load') this.#load()
    else if (step.kind === 'change') this.#change(step)
    else if (step.kind === 'take') this.#takeChunk(step.which)
    else if (step.kind === 'close') this.#open.splice(step.which, 1)[0]?.reader.close()
  }

  finish(): void {
    for (const { reader, expected, taken } of this.#open) {
      assert.equal(reader.total, expected.length)
      assert.deepEqual([...taken, ...takeAll(reader)], expected)
      assert.equal(reader.left, 0)
      reader.close()
    }
    assert.equal(this.#snapshots.size, 0)
    assert.deepEqual(takeAll(this.#changing.index.open(ALL, 0)), publishedOf(this.#slots))
  }

  #load(): void {
    this.#changing.change({ put: this.#slots, whole: true })
  }

  #takeChunk(which: number): void {
    const open = this.#open[which]
    if (open === undefined) return
    open.reader.next(this.#chunk)
    open.taken.push(...read(this.#chunk))
  }

  #change({ generation, share, merges }: Step & { kind: 'change' }): void {
    const isChosen = (_: unknown, n: number) => (n + generation) % share === 0
    const remove = this.#slots.filter(isChosen)
    const stay = this.#slots.filter((slot) => !remove.includes(slot))
    const put = slots(50, generation)
      .filter(isChosen)
      .filter((slot) => !stay.some(({ id }) => id === slot.id))
    this.#changing.change({ remove, put, merges }, () => this.#takeChunk(generation % 10))
    this.#slots = [...stay, ...put]
  }
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

/** In the order and with the field order of the JSON. */
function publishedOf(some: readonly Slot[]): unknown[] {
  return [...some]
    .sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1))
    .map(({ id, status, start, end, bookingDeepLink, capacity, offering }) => {
      return JSON.parse(JSON.stringify({ id, status, start, end, bookingDeepLink, capacity, ...offering }))
    })
}

function takeAll(reader: SnapshotReader): unknown[] {
  const chunk = new SnapshotChunk(13)
  const taken: unknown[] = []
  for (reader.next(chunk); chunk.count > 0; reader.next(chunk)) taken.push(...read(chunk))
  return taken
}

function read({ count, json, starts }: SnapshotChunk): unknown[] {
  return Array.from({ length: count }, (_, n) => JSON.parse(json.toString('utf8', starts[n * 2], starts[n * 2 + 2])))
}
