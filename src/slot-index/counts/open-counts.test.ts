import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fillIndex } from '../../../test/support/fill-index.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { type Offering, SLOT_STATUSES, type Slot } from '../../slot/slot.ts'
import { SlotIndex } from '../slot-index.ts'

const OFFERINGS: Offering[] = ['north', 'south'].flatMap((publisher) =>
  [{}, { location: { name: 'A', state: 'MA' } }, { serviceStates: ['MA', 'NH'] }].flatMap((where, at) =>
    [false, true].map((isVirtual) => ({
      publisher,
      scheduleId: `${publisher}-${at}-${isVirtual}`,
      isVirtual,
      ...(isVirtual && { modalities: ['virtual', 'in-person'] as const }),
      ...where,
    })),
  ),
)

const slots: fc.Arbitrary<Slot[]> = fc
  .array(
    fc.record({
      offering: fc.constantFrom(...OFFERINGS),
      status: fc.constantFrom(...SLOT_STATUSES),
      startMs: fc.nat(20),
      lengthMs: fc.integer({ min: 1, max: 20 }),
    }),
    { maxLength: 60 },
  )
  .map((rows) =>
    rows.map(({ offering, status, startMs, lengthMs }, at) => ({
      id: String(at).padStart(24, '0'),
      status,
      start: new Date(startMs).toISOString(),
      end: new Date(startMs + lengthMs).toISOString(),
      startMs,
      endMs: startMs + lengthMs,
      offering,
    })),
  )

/** What `countOpen()` must say, said in the plainest way: publisher, state and number, `*` for all. */
function naiveCount(all: readonly Slot[], nowMs: number): string[] {
  const counts = new Map<string, number>()
  for (const { status, endMs, offering } of all) {
    if (status !== 'free' || endMs <= nowMs) continue
    const states = [offering.location?.state, ...(offering.serviceStates ?? [])].filter(Boolean)
    for (const state of ['*', ...states]) {
      const name = `${offering.publisher} ${state}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return [...counts].map(([name, count]) => `${name} ${count}`).sort()
}

test('countOpen() equals a naive count, also as slots end', () => {
  fc.assert(
    fc.property(slots, fc.nat(45), (all, nowMs) => {
      const index = new SlotIndex()
      fillIndex(index, all)
      for (const atMs of [0, nowMs]) {
        const counted = [...runAtOnce(index.view(atMs).counts.open())].flatMap(([publisher, { all, byState }]) => [
          `${publisher} * ${all}`,
          ...[...byState].map(([state, count]) => `${publisher} ${state} ${count}`),
        ])
        assert.deepEqual(counted.sort(), naiveCount(all, atMs))
      }
    }),
  )
})

test('countOpen() of an empty index is empty', () => {
  assert.equal(runAtOnce(new SlotIndex().view(0).counts.open()).size, 0)
})
