import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { ChangingIndex } from '../../../test/support/slot-index/changing-index.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { SLOT_STATUSES, type Slot } from '../../slot/slot.ts'

/** A run lists the rows of a rare publisher, and has a bitmap of those of a frequent one. */
const publisher = fc.oneof(
  { weight: 50, arbitrary: fc.constant('frequent') },
  { weight: 1, arbitrary: fc.constant('rare') },
)
const status = fc.oneof({ weight: 20, arbitrary: fc.constant('free' as const) }, fc.constantFrom(...SLOT_STATUSES))
const rows = fc.array(
  fc.record({ publisher, status, startMs: fc.nat(20), lengthMs: fc.integer({ min: 1, max: 20 }) }),
  { minLength: 50, maxLength: 200 },
)

test("counts each publisher's slots by status, less those that are deleted or have ended", () => {
  const deleted = fc.uniqueArray(fc.nat(49), { maxLength: 20 })
  const property = fc.property(rows, deleted, fc.nat(40), (drawn, gone, nowMs) => {
    const slots = drawn.map(({ publisher, status, startMs, lengthMs }, n): Slot => {
      const [start, end] = [startMs, startMs + lengthMs].map((ms) => new Date(ms).toISOString())
      const offering = { publisher, scheduleId: 's', isVirtual: false }
      return { id: String(n).padStart(24, '0'), status, start, end, startMs, endMs: startMs + lengthMs, offering }
    })
    const changing = new ChangingIndex()
    changing.change({ put: slots })
    changing.change({ remove: gone.map((n) => slots[n]) })
    const expected: Record<string, number[]> = {}
    for (const [n, { status, endMs, offering }] of slots.entries()) {
      if (gone.includes(n) || endMs <= nowMs) continue
      expected[offering.publisher] ??= SLOT_STATUSES.map(() => 0)
      expected[offering.publisher][SLOT_STATUSES.indexOf(status)]++
    }
    assert.deepEqual(Object.fromEntries(runAtOnce(changing.index.view(nowMs).counts.publishers())), expected)
  })
  fc.assert(property, { numRuns: casesOf(100) })
})
