import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { pausesOf } from '../../../test/support/pauses.ts'
import { ChangingIndex } from '../../../test/support/slot-index/changing-index.ts'
import { countedPairs } from '../../../test/support/slot-index/counted-pairs.ts'
import { OFFERINGS, query, slotIn, spreadId } from '../../../test/support/slot-index/index-samples.ts'
import { ReferenceIndex } from '../../../test/support/slot-index/reference-index.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import type { Slot } from '../../slot/slot.ts'
import { countMatches, selectOfferings } from '../counts/offering-counts.ts'
import { LEVEL_LIMITS } from '../runs/levels.ts'
import { matchRows } from './matched-rows.ts'
import { countWindow } from './window-counts.ts'

test('selected from the counts of a window, offerings have as many rows as match', () => {
  const steps = fc.array(
    fc.record({
      put: fc.array(slotIn, { maxLength: 60, size: 'max' }),
      remove: fc.array(fc.nat(90), { maxLength: 10 }),
      merges: fc.constantFrom(0, 1, 3, Infinity),
      passMs: fc.constantFrom(0, 500, MINUTE_MS, 2.5 * MINUTE_MS),
      queries: fc.array(query, { minLength: 1, maxLength: 5 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  fc.assert(
    fc.property(steps, (taken) => {
      const reference = new ReferenceIndex()
      for (const { put, remove, merges, passMs, queries } of taken) {
        reference.change({ put, remove: reference.idsOf(remove), merges })
        reference.nowMs += passMs
        reference.index.advance(reference.nowMs)
        const { content, open } = reference.index.openSnapshot()
        for (const { minDurationMs: _, identifiers: __, ...filters } of queries) {
          const matches = runAtOnce(matchRows(content, open, filters))
          const { offerings, planner } = content.tables
          const sums = runAtOnce(countWindow(content, open, filters))
          const selected = runAtOnce(
            selectOfferings(sums, runAtOnce(planner.offeringsOf(runAtOnce(planner.plan(filters))))),
          )
          const counted = runAtOnce(countMatches(matches, offerings.end))
          assert.deepEqual(countedPairs(selected).sort(byOffering), countedPairs(counted).sort(byOffering))
        }
      }
    }),
    { numRuns: casesOf(200) },
  )
})

test('after prepare(), counting the open rows of many runs only adds their sum', () => {
  const limits = { ...LEVEL_LIMITS, runRowsMax: 20, zeroRowsMin: 0, zeroShare: 0 }
  const pauses = [false, true].map((isPrepared) => {
    const changing = new ChangingIndex({ limits })
    const [slot] = fc.sample(slotIn, { numRuns: 1, seed: 1 })
    const put = Array.from({ length: 2000 }, (_, n): Slot => {
      const startMs = n * MINUTE_MS
      const offering = OFFERINGS[n % OFFERINGS.length]
      return { ...slot, id: spreadId(n), status: 'free', startMs, endMs: startMs + MINUTE_MS, offering }
    })
    changing.change({ put })
    if (isPrepared) runAtOnce(changing.index.prepare(0))
    const { content, open } = changing.index.openSnapshot()
    return pausesOf(countWindow(content, open, { status: 'free' })).pauses
  })
  assert.ok(pauses[0] > 10 && pauses[1] < 5, `paused ${pauses} times`)
})

function byOffering([a]: [number, number], [b]: [number, number]): number {
  return a - b
}
