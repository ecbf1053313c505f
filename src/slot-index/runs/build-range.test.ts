import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import {
  compareRows,
  rowText,
  SAMPLE_GROUPS,
  sampleRows,
  sampleWriter,
} from '../../../test/support/slot-index/run-samples.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { encodeSlot } from '../../slot/slot.ts'
import { buildRange, divideByStart, sliceByStart } from './build-range.ts'
import { LEVEL_LIMITS } from './levels.ts'
import { RowPacker } from './pack-rows.ts'
import { SlotTexts } from './slot-texts.ts'

test('builds the same rows in slices and ranges as a sort of all', () => {
  const sizes = fc.integer({ min: 1, max: 40 })
  fc.assert(
    fc.property(
      sampleRows,
      sizes,
      sizes,
      sizes,
      sizes,
      (rows, rowsPerBlock, rowsPerSlice, rowsPerRange, runRowsMax) => {
        const texts = new SlotTexts()
        const packer = new RowPacker(texts)
        const blocks = Array.from({ length: Math.ceil(rows.length / rowsPerBlock) }, (_, n) => {
          for (const { slot, offering } of rows.slice(n * rowsPerBlock, (n + 1) * rowsPerBlock))
            packer.add({ ...slot, json: encodeSlot(slot) }, offering)
          return packer.take()
        })
        const context = { groups: SAMPLE_GROUPS, forms: texts.forms, limits: { ...LEVEL_LIMITS, runRowsMax } }
        const slices = runAtOnce(sliceByStart(blocks, rowsPerSlice))
        const runs = slices.flatMap((slice) =>
          divideByStart(slice, rowsPerRange).flatMap((range) => buildRange(slice, range, context)),
        )
        const writer = sampleWriter(texts)
        const found = runs.flatMap((run) => Array.from({ length: run.length }, (_, row) => writer.textOf(run, row)))
        assert.deepEqual(found, rows.toSorted(compareRows).map(rowText))
        assert.ok(runs.every(({ length }) => length > 0 && length <= runRowsMax))
      },
    ),
    { numRuns: casesOf(60) },
  )
})
