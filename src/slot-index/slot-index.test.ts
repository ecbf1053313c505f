import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { OFFERINGS, query, slotIn } from '../../test/support/slot-index/index-samples.ts'
import { ReferenceIndex } from '../../test/support/slot-index/reference-index.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { Offering, Slot } from '../slot/slot.ts'
import type { SlotQuery } from '../slot/slot-query.ts'
import { IndexBuilder } from './index-builder.ts'

type Step =
  | {
      readonly put: readonly Slot[]
      readonly remove: readonly number[]
      readonly whole: boolean
      readonly merges: number
    }
  | { readonly restart: true }
  | { readonly queries: readonly SlotQuery[]; readonly ids: readonly string[]; readonly passMs: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    put: fc.array(slotIn, { maxLength: 30 }),
    remove: fc.array(fc.nat(60), { maxLength: 10 }),
    whole: fc.oneof({ arbitrary: fc.constant(false), weight: 3 }, fc.constant(true)),
    merges: fc.constantFrom(0, 1, 2, 3, Infinity),
  }),
  fc.record({
    queries: fc.array(query, { minLength: 1, maxLength: 8 }),
    ids: fc.array(
      slotIn.map(({ id }) => id),
      { maxLength: 8 },
    ),
    passMs: fc.constantFrom(0, 0.5, 1, 2.5, -2).map((minutes) => minutes * MINUTE_MS),
  }),
  fc.constant({ restart: true } as const),
)

const EVERYTHING: SlotQuery = { status: 'free', sort: 'start', limit: 100, offset: 0 }

test('select() returns what the naive index returns, after any sequence of changes, merges and restarts, as time goes by and is set back', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const reference = new ReferenceIndex()
      for (const taken of steps) {
        if ('restart' in taken) reference.restart()
        else if ('queries' in taken) {
          reference.nowMs += taken.passMs
          for (const asked of taken.queries) reference.check(asked)
          for (const id of taken.ids) reference.checkFind(id)
        } else {
          const remove = taken.remove.map((number) => [...reference.slots.keys()][number % (reference.slots.size || 1)])
          reference.change({ ...taken, remove: remove.filter((id) => id !== undefined) })
        }
      }
      assert.equal(reference.index.length, reference.slots.size)
    }),
    { numRuns: casesOf(300) },
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
        reference.change({ put: first, remove: [] })
        const revision = reference.index.revision
        reference.change({ put: second, remove: [...reference.slots.keys()].slice(0, 5) }, () => {
          if (reference.index.revision !== revision) return
          reference.nowMs += msPerStep
          reference.check(asked)
          for (const { id } of second.slice(0, 3)) reference.checkFind(id)
        })
        reference.check(asked)
        reference.check(EVERYTHING)
      },
    ),
    { numRuns: casesOf(200) },
  )
})

test('keeps its order and its pages over many runs, while they are merged', () => {
  const reference = new ReferenceIndex({ runRowsMax: 1000, zeroRowsMin: 500, zeroShare: 1 / 8, goneShareMax: 1 / 4 })
  const many = (from: number, to: number, shift: number) =>
    Array.from({ length: to - from }, (_, n): Slot => {
      const number = from + n
      const startMs = 1_000_000 + ((number * 7919) % 5000) * 1000 + shift
      const id = String((number * 2_654_435_761) % 4_294_967_296)
        .padStart(10, '0')
        .padEnd(24, '0')
      const offering = OFFERINGS[number % OFFERINGS.length]
      const endMs = startMs + 10 * MINUTE_MS
      const times = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() }
      return {
        id,
        status: 'free',
        ...times,
        startMs,
        endMs,
        offering,
        bookingDeepLink: `https://book.example/${'x'.repeat(400)}`,
      }
    })
  reference.change({ put: many(0, 12_000, 0), remove: [] })
  for (let round = 0; round < 2 + casesOf(6); round++) {
    const remove = [...reference.slots.keys()].slice(0, 1000)
    reference.change({ put: many(round * 1500, round * 1500 + 3000, round), remove, merges: round })
    // Before all slots, and while many are in progress.
    reference.nowMs = round % 2 === 0 ? 0 : 2_500_000
    for (const offset of [0, 1023, 1024, 5000, reference.slots.size - 10]) {
      reference.check({ ...EVERYTHING, offset })
      reference.check({ ...EVERYTHING, offset: offset >> 2, states: ['MA'], startAfterMs: 2_000_000 })
    }
  }
})

test('finds the same in long runs, where rare offerings are looked up and long lists are searched', () => {
  const reference = new ReferenceIndex({ runRowsMax: 2000, zeroRowsMin: 500, zeroShare: 1 / 8, goneShareMax: 1 })
  const put = Array.from({ length: 3000 }, (_, number): Slot => {
    const startMs = ((number * 7919) % 480) * 1000
    const endMs = startMs + (number % 6) * MINUTE_MS
    // One offering has most of the slots.
    const offering = OFFERINGS[number % 30 === 0 ? (number / 30) % OFFERINGS.length : 0]
    const times = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString(), startMs, endMs }
    return { id: String(number).padStart(24, '0'), status: 'free', ...times, offering }
  })
  reference.change({ put, remove: [] })
  reference.change({ put: [], remove: put.filter((_, number) => number % 7 === 0).map(({ id }) => id) })
  fc.assert(
    fc.property(query, (asked) => reference.check({ ...asked, status: 'free' })),
    { numRuns: casesOf(400) },
  )
})

test('finds the same in circles of many offerings, whose rows are read from the cells of the grid', () => {
  const reference = new ReferenceIndex({ runRowsMax: 2000, zeroRowsMin: 500, zeroShare: 1 / 8, goneShareMax: 1 })
  // A fourth of the slots are spread over 400 offerings in 25 cells; the others are far away.
  const offerings = Array.from({ length: 400 }, (_, n): Offering => {
    const location = { state: n % 3 === 0 ? 'MA' : 'NH', latitude: 42 + (n % 20) / 16, longitude: -71 + n / 20 / 16 }
    return { ...OFFERINGS[0], scheduleId: `circle-${n}`, isVirtual: false, location }
  })
  const far: Offering = { ...OFFERINGS[0], scheduleId: 'far', location: { state: 'MA', latitude: 10, longitude: 10 } }
  const put = Array.from({ length: 6000 }, (_, number): Slot => {
    const startMs = ((number * 7919) % 480) * 1000
    const endMs = startMs + 15 * MINUTE_MS
    const offering = number % 4 === 0 ? offerings[(number / 4) % offerings.length] : far
    const times = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString(), startMs, endMs }
    return { id: String(number).padStart(24, '0'), status: 'free', ...times, offering }
  })
  reference.change({ put, remove: [] })
  reference.change({ put: [], remove: put.filter((_, number) => number % 7 === 0).map(({ id }) => id) })
  const circle = fc.record({
    latitude: fc.double({ min: 42, max: 43.25, noNaN: true }),
    longitude: fc.double({ min: -71, max: -69.75, noNaN: true }),
    radiusKm: fc.constantFrom(5, 25, 60, 500),
  })
  const second = fc.integer({ min: 0, max: 500 }).map((seconds) => seconds * 1000)
  const asked = fc.record(
    {
      near: circle,
      states: fc.constantFrom(['MA'], ['MA', 'NH']),
      startAfterMs: second,
      startBeforeMs: second,
      offset: fc.nat(300),
    },
    { requiredKeys: ['near', 'offset'] },
  )
  fc.assert(
    fc.property(asked, (query) => reference.check({ ...EVERYTHING, limit: 25, ...query })),
    { numRuns: casesOf(300) },
  )
})

test('keeps its version while results stay equal, and changes it when a slot ends or a change is committed', () => {
  const [one] = fc.sample(
    slotIn.filter((slot) => slot.endMs > MINUTE_MS && slot.status === 'free'),
    1,
  )
  const reference = new ReferenceIndex()
  reference.change({ put: [one], remove: [] })
  reference.index.advance(0)
  const before = reference.index.version
  reference.index.advance(one.endMs - 1)
  assert.equal(reference.index.version, before)
  reference.index.advance(one.endMs)
  assert.notEqual(reference.index.version, before)
})

test('refuses to remove an unknown slot', () => {
  const builder = new IndexBuilder()
  builder.begin(false)
  assert.throws(() => builder.remove([{ id: '0'.repeat(24), startMs: 0 }]), /"0{24}": it is not in the index/)
})
