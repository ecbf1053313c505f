import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { OFFERINGS, query, slotIn } from '../../test/support/slot-index/index-samples.ts'
import { ReferenceIndex } from '../../test/support/slot-index/reference-index.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { Slot } from '../slot/slot.ts'
import type { SlotQuery } from '../slot/slot-query.ts'
import { packIds } from './slot-batch.ts'
import { SlotIndex } from './slot-index.ts'

type Step =
  | { readonly put: readonly Slot[]; readonly remove: readonly number[]; readonly whole: boolean }
  | { readonly queries: readonly SlotQuery[]; readonly ids: readonly string[]; readonly passMs: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    put: fc.array(slotIn, { maxLength: 30 }),
    remove: fc.array(fc.nat(60), { maxLength: 10 }),
    whole: fc.boolean(),
  }),
  fc.record({
    queries: fc.array(query, { minLength: 1, maxLength: 8 }),
    ids: fc.array(
      slotIn.map(({ id }) => id),
      { maxLength: 8 },
    ),
    passMs: fc.constantFrom(0, 0.5, 1, 2.5).map((minutes) => minutes * MINUTE_MS),
  }),
)

const EVERYTHING: SlotQuery = { status: 'free', sort: 'start', limit: 100, offset: 0 }

test('select() returns what the naive index returns, after any sequence of changes, as time goes by', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const reference = new ReferenceIndex()
      for (const taken of steps) {
        if ('queries' in taken) {
          reference.nowMs += taken.passMs
          for (const asked of taken.queries) reference.check(asked)
          for (const id of taken.ids) reference.checkFind(id)
        } else {
          const remove = taken.remove.map((number) => [...reference.slots.keys()][number % (reference.slots.size || 1)])
          reference.change(
            taken.put,
            remove.filter((id) => id !== undefined),
            taken.whole,
          )
        }
      }
      assert.equal(reference.index.length, reference.slots.size)
    }),
    { numRuns: 300 },
  )
})

test('shows the state before a change until its commit, however much time passes in between', () => {
  fc.assert(
    fc.property(
      fc.array(slotIn),
      fc.array(slotIn),
      query,
      fc.integer({ min: 1, max: 18_000 }),
      (first, second, asked, msPerStep) => {
        const reference = new ReferenceIndex()
        reference.change(first, [], false)
        const revision = reference.index.revision
        reference.change(second, [...reference.slots.keys()].slice(0, 5), false, () => {
          if (reference.index.revision !== revision) return
          reference.nowMs += msPerStep
          reference.check(asked)
          for (const { id } of second.slice(0, 3)) reference.checkFind(id)
        })
        reference.check(asked)
        reference.check(EVERYTHING)
      },
    ),
    { numRuns: 200 },
  )
})

test('keeps its order and its pages over many chunks, splits and compactions', () => {
  const reference = new ReferenceIndex()
  const many = (from: number, to: number, shift: number) =>
    Array.from({ length: to - from }, (_, n): Slot => {
      const number = from + n
      const startMs = 1_000_000 + ((number * 7919) % 5000) * 1000 + shift
      const id = String((number * 2_654_435_761) % 4_294_967_296)
        .padStart(10, '0')
        .padEnd(24, '0')
      const offering = OFFERINGS[number % OFFERINGS.length]
      const times = { start: new Date(startMs).toISOString(), end: new Date(startMs + 1).toISOString() }
      return {
        id,
        status: 'free',
        ...times,
        startMs,
        endMs: startMs + 1,
        offering,
        bookingDeepLink: `https://book.example/${'x'.repeat(400)}`,
      }
    })
  reference.change(many(0, 12_000, 0), [], false)
  for (let round = 0; round < 8; round++) {
    reference.change(many(round * 1500, round * 1500 + 3000, round), [...reference.slots.keys()].slice(0, 1000), false)
    for (const offset of [0, 1023, 1024, 5000, reference.slots.size - 10]) {
      reference.check({ ...EVERYTHING, offset })
      reference.check({ ...EVERYTHING, offset: offset >> 2, states: ['MA'], startAfterMs: 2_000_000 })
    }
  }
})

test('keeps its version while results stay equal, and changes it when a slot ends or a change is committed', () => {
  const [one] = fc.sample(
    slotIn.filter((slot) => slot.endMs > MINUTE_MS && slot.status === 'free'),
    1,
  )
  const reference = new ReferenceIndex()
  reference.change([one], [], false)
  reference.index.advance(0)
  const before = reference.index.version
  reference.index.advance(one.endMs - 1)
  assert.equal(reference.index.version, before)
  reference.index.advance(one.endMs)
  assert.notEqual(reference.index.version, before)
})

test('refuses to remove an unknown slot', () => {
  const change = new SlotIndex().begin(false, 0)
  assert.throws(
    () => [...change.remove(packIds([{ id: '0'.repeat(24), startMs: 0 }]))],
    /"0{24}": it is not in the index/,
  )
})
