import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { putSlots } from '../../test/fill-index.ts'
import { type Modality, type Offering, SLOT_STATUSES, type Slot } from '../slot/slot.ts'
import type { SlotQuery } from '../slot/slot-query.ts'
import { packIds } from './slot-batch.ts'
import { SlotIndex } from './slot-index.ts'

/** What the index must do, said in the plainest way. Slow on purpose. */
function naiveSelect(
  slots: Iterable<Slot>,
  query: SlotQuery,
  nowMs: number,
): { slots: unknown[]; total: number } {
  const matching = [...slots].filter((slot) => matches(slot, query, nowMs))
  matching.sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1))
  return {
    slots: matching.slice(query.offset, query.offset + query.limit).map(published),
    total: matching.length,
  }
}

function matches(slot: Slot, query: SlotQuery, nowMs: number): boolean {
  const { offering } = slot
  const modalities = offering.modalities ?? ['in-person']
  const states = [offering.location?.state, ...(offering.serviceStates ?? [])]
  return (
    slot.status === query.status &&
    (query.states === undefined || query.states.some((state) => states.includes(state))) &&
    (query.isVirtual === undefined || modalities.includes(query.isVirtual ? 'virtual' : 'in-person')) &&
    (query.startAfterMs === undefined ? slot.endMs > nowMs : slot.startMs >= query.startAfterMs) &&
    (query.startBeforeMs === undefined || slot.startMs <= query.startBeforeMs) &&
    (query.serviceTypeCodes === undefined ||
      query.serviceTypeCodes.includes(offering.serviceTypeCode ?? '')) &&
    (query.appointmentType === undefined || offering.appointmentType === query.appointmentType) &&
    (query.city === undefined || offering.location?.city?.toLowerCase() === query.city.toLowerCase()) &&
    (query.publishers === undefined || query.publishers.includes(offering.publisher))
  )
}

function published({ startMs: _startMs, endMs: _endMs, offering, ...own }: Slot): unknown {
  return { ...own, ...JSON.parse(JSON.stringify(offering)) }
}

const OFFERINGS: Offering[] = ['MA', 'CA', undefined].flatMap((state, s) =>
  ([['in-person'], ['virtual'], ['in-person', 'virtual'], undefined] as (Modality[] | undefined)[]).map(
    (modalities, m) => ({
      publisher: m < 2 ? 'north' : 'south',
      scheduleId: `schedule-${s}-${m}`,
      serviceTypeCode: s === 0 ? '57' : 'covid19-immunization',
      ...(m === 1 ? { appointmentType: 'WALKIN' } : {}),
      isVirtual: modalities?.includes('virtual') ?? false,
      ...(modalities ? { modalities } : {}),
      ...(state ? { location: { name: 'Praxis Müller ☂', city: m === 0 ? 'Boston' : 'BOSTON', state } } : {}),
      ...(m === 1 ? { serviceStates: ['CA', 'NY'] } : {}),
    }),
  ),
)

/** Few starts, and ids that agree in their first 60 bits, so that every comparison is put to the test. */
const slotIn: fc.Arbitrary<Slot> = fc
  .record({
    number: fc.integer({ min: 0, max: 60 }),
    status: fc.constantFrom(...SLOT_STATUSES, 'free' as const, 'free' as const),
    lasts: fc.integer({ min: 0, max: 5 }),
    offering: fc.constantFrom(...OFFERINGS),
    capacity: fc.option(fc.nat(9), { nil: undefined }),
  })
  .map(({ number, status, lasts, offering, capacity }) => {
    const startMs = (number % 7) * 1000
    const endMs = startMs + lasts * 1000
    return {
      id: `${number % 3 === 0 ? 'aaaaaaaaaaaa' : 'abcdefghijkl'}${String(number).padStart(12, '0')}`,
      status,
      start: new Date(startMs).toISOString(),
      end: new Date(endMs).toISOString(),
      startMs,
      endMs,
      offering,
      ...(capacity === undefined ? {} : { capacity }),
    }
  })

const query: fc.Arbitrary<SlotQuery> = fc.record(
  {
    status: fc.constantFrom(...SLOT_STATUSES, 'free' as const, 'free' as const),
    limit: fc.integer({ min: 1, max: 100 }),
    offset: fc.oneof(fc.nat(70), fc.constant(Number.MAX_SAFE_INTEGER)),
    sort: fc.constant('start' as const),
    states: fc.subarray(['MA', 'CA', 'NY', 'TX'], { minLength: 1 }),
    isVirtual: fc.boolean(),
    startAfterMs: fc.integer({ min: -1, max: 8000 }),
    startBeforeMs: fc.integer({ min: -1, max: 8000 }),
    serviceTypeCodes: fc.subarray(['57', 'none'], { minLength: 1 }),
    appointmentType: fc.constantFrom('WALKIN', 'ROUTINE'),
    city: fc.constantFrom('boston', 'Boston', 'Salem'),
    publishers: fc.subarray(['north', 'south'], { minLength: 1 }),
  },
  { requiredKeys: ['status', 'sort', 'limit', 'offset'] },
)

type Step =
  | { readonly put: readonly Slot[]; readonly remove: readonly number[]; readonly whole: boolean }
  | { readonly queries: readonly SlotQuery[]; readonly passMs: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    put: fc.array(slotIn, { maxLength: 30 }),
    remove: fc.array(fc.nat(60), { maxLength: 10 }),
    whole: fc.boolean(),
  }),
  fc.record({
    queries: fc.array(query, { minLength: 1, maxLength: 8 }),
    passMs: fc.constantFrom(0, 500, 1000, 2500),
  }),
)

/** The index beside a plain Map, driven by the same steps. */
class Twin {
  readonly index = new SlotIndex()
  readonly slots = new Map<string, Slot>()
  nowMs = 0
  #revision = 0

  /** `meanwhile` runs between any two pieces of the work. */
  change(
    put: readonly Slot[],
    remove: readonly string[],
    whole: boolean,
    meanwhile: () => void = () => {},
  ): void {
    const before = new Map(this.slots)
    const next = new Map(whole ? [] : this.slots)
    for (const id of remove) next.delete(id)
    for (const slot of put) next.set(slot.id, slot)
    const born = [...next.values()].filter((slot) => whole || before.get(slot.id) !== slot)
    const died = whole ? [] : [...before.values()].filter((slot) => next.get(slot.id) !== slot)
    const change = this.index.begin(whole, this.nowMs)
    const run = (work: Generator<void, void>) => {
      for (const _ of work) meanwhile()
    }
    run(change.remove(packIds(died)))
    run(putSlots(change, born, new Map(OFFERINGS.map((offering, n) => [offering, n + 1]))))
    this.index.commit(change, { store: 1, revision: ++this.#revision })
    this.slots.clear()
    for (const [id, slot] of next) this.slots.set(id, slot)
    run(change.retire())
  }

  check(query: SlotQuery): void {
    const page = this.index.select(query, this.nowMs)
    const expected = naiveSelect(this.slots.values(), query, this.nowMs)
    assert.deepEqual(JSON.parse(page.body.toString('utf8')), expected)
    assert.equal(page.total, expected.total)
  }
}

const EVERYTHING: SlotQuery = { status: 'free', sort: 'start', limit: 100, offset: 0 }

test('select() returns what the naive index returns, after any sequence of changes, as time goes by', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const twin = new Twin()
      for (const taken of steps) {
        if ('queries' in taken) {
          twin.nowMs += taken.passMs
          for (const asked of taken.queries) twin.check(asked)
        } else {
          const remove = taken.remove.map((number) => [...twin.slots.keys()][number % (twin.slots.size || 1)])
          twin.change(
            taken.put,
            remove.filter((id) => id !== undefined),
            taken.whole,
          )
        }
      }
      assert.equal(twin.index.length, twin.slots.size)
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
      fc.integer({ min: 1, max: 300 }),
      (first, second, asked, msPerStep) => {
        const twin = new Twin()
        twin.change(first, [], false)
        const revision = twin.index.revision
        twin.change(second, [...twin.slots.keys()].slice(0, 5), false, () => {
          if (twin.index.revision !== revision) return
          twin.nowMs += msPerStep
          twin.check(asked)
        })
        twin.check(asked)
        twin.check(EVERYTHING)
      },
    ),
    { numRuns: 200 },
  )
})

test('keeps its order and its pages over many chunks, splits and compactions', () => {
  const twin = new Twin()
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
  twin.change(many(0, 12_000, 0), [], false)
  for (let round = 0; round < 8; round++) {
    twin.change(many(round * 1500, round * 1500 + 3000, round), [...twin.slots.keys()].slice(0, 1000), false)
    for (const offset of [0, 1023, 1024, 5000, twin.slots.size - 10]) {
      twin.check({ ...EVERYTHING, offset })
      twin.check({ ...EVERYTHING, offset: offset >> 2, states: ['MA'], startAfterMs: 2_000_000 })
    }
  }
})

test('gives the same version for the same answers, and another once a slot ended or a change was committed', () => {
  const [one] = fc.sample(
    slotIn.filter((slot) => slot.endMs > 1000 && slot.status === 'free'),
    1,
  )
  const twin = new Twin()
  twin.change([one], [], false)
  twin.index.advance(0)
  const before = twin.index.version
  twin.index.advance(one.endMs - 1)
  assert.equal(twin.index.version, before)
  twin.index.advance(one.endMs)
  assert.notEqual(twin.index.version, before)
})

test('refuses to remove a slot that it does not hold', () => {
  const change = new SlotIndex().begin(false, 0)
  assert.throws(
    () => [...change.remove(packIds([{ id: '0'.repeat(24), startMs: 0 }]))],
    /must be in the index: got "0{24}"/,
  )
})
