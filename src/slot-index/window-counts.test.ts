import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { countedPairs } from '../../test/support/slot-index/counted-pairs.ts'
import { query, slotIn } from '../../test/support/slot-index/index-samples.ts'
import { ReferenceIndex } from '../../test/support/slot-index/reference-index.ts'
import { runAtOnce } from '../lib/steps.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { matchRows } from './matched-rows.ts'
import { countMatches, selectOfferings } from './offering-counts.ts'
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
        const ids = [...reference.slots.keys()]
        reference.change({ put, remove: remove.filter((n) => n < ids.length).map((n) => ids[n]), merges })
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

function byOffering([a]: [number, number], [b]: [number, number]): number {
  return a - b
}
