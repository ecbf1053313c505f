import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import {
  compareRows,
  rowText,
  SAMPLE_GROUPS,
  type SampleRow,
  sampleWriter,
} from '../../../test/support/slot-index/run-samples.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { slotId } from '../../slot/ids.ts'
import { encodeSlot } from '../../slot/slot.ts'
import { idBitsOf } from '../slot-ids.ts'
import type { SortedRows } from './build-run.ts'
import {
  beginMerge,
  findRow,
  isMergeDue,
  type LevelMerge,
  type Levels,
  levelsOf,
  mergeNext,
  NO_RUNS,
  type RunContext,
  type RunState,
  shownRowsOf,
  withoutRows,
  withRows,
} from './levels.ts'
import { RowPacker } from './pack-rows.ts'
import { SlotTexts } from './slot-texts.ts'

/** The last number of a slot. */
const LAST = 200
const LIMITS = { runRowsMax: 16, zeroRowsMin: 12, zeroShare: 1 / 8, goneShareMax: 1 / 4 }

type Step = { readonly toggled: readonly number[] } | { readonly merges: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ toggled: fc.uniqueArray(fc.nat(LAST), { maxLength: 30 }) }),
  fc.record({ merges: fc.nat(4) }),
)

test('has the slots of a Map after any changes, with merges at any point', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const reference = new ReferenceLevels()
      for (const each of steps) {
        if ('toggled' in each) reference.toggle(each.toggled)
        else reference.merge(each.merges)
        reference.check()
      }
      reference.merge(Infinity)
      reference.check()
      assert.ok(!isMergeDue(reference.levels, LIMITS))
      assert.ok(reference.levels.zero.length <= 8, `${reference.levels.zero.length} runs`)
    }),
    { numRuns: casesOf(60) },
  )
})

test('builds level 1 from unsorted blocks', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(LAST), { maxLength: 150, size: 'max' }), fc.nat(149), (numbers, cut) => {
      const reference = new ReferenceLevels()
      reference.load([numbers.slice(0, cut), numbers.slice(cut)])
      reference.check()
      assert.equal(reference.levels.one.length, Math.ceil(numbers.length / LIMITS.runRowsMax))
    }),
  )
})

test('keeps a run that no change touches', () => {
  const reference = new ReferenceLevels()
  reference.load([Array.from({ length: LAST }, (_, n) => n)])
  const before = new Set(reference.levels.one.map(({ run }) => run))
  const { lastStartMs } = reference.levels.one[3].run
  // Every seventh slot starts early: enough to be merged, and only into the first runs.
  const early = Array.from({ length: LAST }, (_, n) => n).filter((n) => SLOTS[n].startMs <= lastStartMs)
  reference.toggle(early.filter((_, n) => n % 2 === 0))
  reference.toggle(early.filter((_, n) => n % 2 === 0))
  assert.ok(isMergeDue(reference.levels, LIMITS))
  reference.merge(Infinity)
  reference.check()
  const kept = reference.levels.one.filter(({ run }) => before.has(run))
  assert.ok(kept.length >= before.size - 5, `${kept.length} of ${before.size}`)
})

/** The runs of one status beside a Map. */
class ReferenceLevels {
  levels: Levels = NO_RUNS
  readonly #slots = new Map<number, SampleRow>()
  readonly #texts = new SlotTexts()
  #merge: LevelMerge | undefined

  get #context(): RunContext {
    return { groups: SAMPLE_GROUPS, forms: this.#texts.forms, limits: LIMITS }
  }

  load(blocks: readonly (readonly number[])[]): void {
    const packed = blocks.map((numbers) => this.#pack(numbers))
    this.levels = runAtOnce(levelsOf(packed, this.#context))
  }

  /** Removes the slots that are there, and adds the others. */
  toggle(numbers: readonly number[]): void {
    const added = numbers.filter((n) => !this.#has(n))
    const removed = new Map<RunState, number[]>()
    for (const n of numbers.filter((n) => this.#slots.delete(n))) {
      const found = findRow(this.levels, KEYS[n])
      assert.ok(found)
      removed.set(found.state, [...(removed.get(found.state) ?? []), found.row])
    }
    this.levels = withoutRows(this.levels, removed, this.#context)
    this.levels = withRows(this.levels, this.#pack(added), this.#context)
  }

  /** Takes steps of merges that are due. */
  merge(steps: number): void {
    for (let n = 0; n < steps; n++) {
      if (this.#merge === undefined && !isMergeDue(this.levels, LIMITS)) return
      const next = mergeNext(this.levels, this.#merge ?? beginMerge(this.levels), this.#context)
      this.levels = next.levels
      this.#merge = next.merge
    }
  }

  check(): void {
    const { zero, one } = this.levels
    const expected = [...this.#slots.values()].toSorted(compareRows).map(rowText)
    const [ofZero, ofOne] = [this.#textsOf(zero), this.#textsOf(one)]
    assert.deepEqual([...ofOne, ...ofZero].toSorted(), expected.toSorted())
    const isInOne = new Set(ofOne)
    assert.deepEqual(
      ofOne,
      expected.filter((text) => isInOne.has(text)),
    )
    assert.ok(one.every(({ run }) => run.length <= LIMITS.runRowsMax))
    for (const state of [...zero, ...one]) {
      assert.ok(shownRowsOf(state) > 0)
      assert.equal(shownRowsOf(state), this.#textsOf([state]).length)
    }
    for (let n = 0; n <= LAST; n++) {
      const found = findRow(this.levels, KEYS[n])
      assert.equal(found !== undefined, this.#has(n))
      if (found !== undefined) assert.equal(found.state.run.idOf(found.row), SLOTS[n].id)
    }
  }

  #has(n: number): boolean {
    return this.#slots.has(n)
  }

  #pack(numbers: readonly number[]): SortedRows {
    const packer = new RowPacker(this.#texts)
    for (const n of numbers) {
      const slot = SLOTS[n]
      this.#slots.set(n, { slot, offering: n % 8 })
      packer.add({ ...slot, json: encodeSlot(slot) }, n % 8)
    }
    return packer.take()
  }

  #textsOf(states: readonly RunState[]): string[] {
    const writer = sampleWriter(this.#texts)
    return states.flatMap(({ run, from, gone }) =>
      Array.from({ length: run.length }, (_, row) => row)
        .filter((row) => row >= from && gone?.has(row) !== true)
        .map((row) => writer.textOf(run, row)),
    )
  }
}

/** Four slots start at each time. */
function slotOf(n: number): SampleRow['slot'] {
  const startMs = Date.UTC(2026, 10, 22) + (n % 50) * MINUTE_MS
  const endMs = startMs + 15 * MINUTE_MS
  const [start, end] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()]
  const id = slotId('p', 's', String(n), { startMs, endMs })
  const offering = { publisher: 'p', scheduleId: 's', isVirtual: false }
  const link = n % 3 === 0 ? {} : { bookingDeepLink: `https://a.example/${n}` }
  return { id, status: 'free', start, end, startMs, endMs, ...link, offering }
}

const SLOTS = Array.from({ length: LAST + 1 }, (_, n) => slotOf(n))
const KEYS = SLOTS.map(({ startMs, id }) => ({ startMs, idBits: idBitsOf(id) }))
