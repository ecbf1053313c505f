import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { SAMPLE_GROUPS } from '../../../test/support/slot-index/run-samples.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { slotId } from '../../slot/ids.ts'
import { encodeSlot } from '../../slot/slot.ts'
import { buildRun } from './build-run.ts'
import type { RunState } from './levels.ts'
import { RowPacker } from './pack-rows.ts'
import { RunSums } from './run-sums.ts'
import { SlotTexts } from './slot-texts.ts'

const OFFERINGS = 8
const LENGTH = 40

/** A run of some rows, each of one of the offerings. */
const run = fc
  .tuple(fc.nat(1e6), fc.array(fc.nat(OFFERINGS - 1), { minLength: 1, maxLength: 12 }))
  .map(([seed, offerings]) => stateOf(seed, offerings))

test('sums the rows of any runs of a level by offering, while runs and offerings are added and removed', () => {
  const change = fc.record({ at: fc.nat(LENGTH - 1), removed: fc.nat(2), added: fc.array(run, { maxLength: 2 }) })
  const ranges = fc.array(fc.tuple(fc.nat(LENGTH), fc.nat(LENGTH), fc.nat(2)), { minLength: 1, maxLength: 4 })
  const steps = fc.array(fc.record({ change, ranges }), { maxLength: 12 })
  fc.assert(
    fc.property(fc.array(run, { minLength: LENGTH, maxLength: LENGTH }), steps, (runs, taken) => {
      const sums = new RunSums()
      let level: readonly RunState[] = runs
      for (const { change, ranges } of taken) {
        for (const [a, b, unused] of [...ranges, [0, level.length, 0]]) {
          const [from, to] = [Math.min(a, b, level.length), Math.min(Math.max(a, b), level.length)]
          const counts = new Uint32Array(OFFERINGS + unused).fill(7)
          runAtOnce(sums.add(level, from, to, counts))
          assert.deepEqual([...counts], naiveSums(level.slice(from, to), counts.length))
        }
        level = level.toSpliced(change.at, change.removed, ...change.added)
      }
    }),
    { numRuns: casesOf(60) },
  )
})

/** From 7 on. */
function naiveSums(states: readonly RunState[], length: number): number[] {
  const sums = Array.from({ length }, () => 7)
  for (const { run } of states) for (let row = 0; row < run.length; row++) sums[run.offeringOf(row)]++
  return sums
}

function stateOf(seed: number, offerings: readonly number[]): RunState {
  const texts = new SlotTexts()
  const packer = new RowPacker(texts)
  for (const [n, offering] of offerings.entries()) {
    const startMs = n * MINUTE_MS
    const endMs = startMs + MINUTE_MS
    const [start, end] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()]
    const id = slotId('p', String(seed), String(n), { startMs, endMs })
    const slot = { id, status: 'free', start, end, startMs, endMs } as const
    const json = encodeSlot({ ...slot, offering: { publisher: 'p', scheduleId: 's', isVirtual: false } })
    packer.add({ ...slot, json }, offering)
  }
  return { run: buildRun(packer.take(), SAMPLE_GROUPS, texts.forms), from: 0, gone: undefined }
}
