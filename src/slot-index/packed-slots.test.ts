import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { type SampleRow, sampleRows } from '../../test/support/slot-index/run-samples.ts'
import { runAtOnce } from '../lib/steps.ts'
import { encodeSlot, SLOT_STATUSES } from '../slot/slot.ts'
import { IndexBuilder } from './index-builder.ts'
import type { IndexContent } from './index-content.ts'
import { noNumbers, SlotPacker } from './packed-slots.ts'

test('slots that several threads pack are those that one puts, also if there are more texts than numbers', () => {
  fc.assert(
    fc.property(
      sampleRows,
      fc.constantFrom(1, 2, 100, 20_000),
      fc.integer({ min: 1, max: 9 }),
      (rows, threads, size) => {
        const entries = entriesOf(rows)
        const packed = loaded((builder) => {
          const sides = [0, 1].map(() => ({ packer: new SlotPacker(threads), numbers: noNumbers() }))
          for (let n = 0; n * size < rows.length; n++) {
            const { packer, numbers } = sides[n % Math.min(2, threads)]
            packer.put(entries.slice(n * size, (n + 1) * size))
            builder.putPacked(packer.take(), numbers)
          }
        })
        const put = loaded((builder) => builder.put(entries))
        assert.deepEqual(textsOf(packed), textsOf(put))
        assert.deepEqual(packed.homeRevisions, put.homeRevisions)
        assert.ok(packed.tables.forms.length <= 255)
      },
    ),
    { numRuns: casesOf(60) },
  )
})

test('rejects slots of an unknown offering', () => {
  const packer = new SlotPacker(2)
  const [rows] = fc.sample(
    sampleRows.filter(({ length }) => length > 0),
    1,
  )
  packer.put([{ ...entriesOf(rows)[0], offeringId: 99 }])
  assert.throws(
    () => loaded((builder) => builder.putPacked(packer.take(), noNumbers())),
    /its offering 99 is not in the index/,
  )
})

const OFFERINGS = Array.from({ length: 8 }, (_, n) => ({
  id: n * 10,
  offering: { publisher: 'p', scheduleId: `s${n}`, isVirtual: false, location: { state: n % 2 === 0 ? 'AL' : 'NY' } },
}))

function loaded(put: (builder: IndexBuilder) => void): IndexContent {
  const builder = new IndexBuilder()
  builder.begin(true)
  builder.putOfferings(OFFERINGS)
  put(builder)
  return runAtOnce(builder.commit({ store: 1, revision: 1, atMs: 0 }))
}

function entriesOf(rows: readonly SampleRow[]) {
  return rows.map(({ slot, offering }, n) => {
    const status = SLOT_STATUSES[n % 2]
    return { ...slot, status, offeringId: offering * 10, json: encodeSlot({ ...slot, status }) }
  })
}

function textsOf({ levels, tables }: IndexContent): string[][] {
  return levels.map(({ one }, status) =>
    one.flatMap(({ run }) => Array.from({ length: run.length }, (_, row) => tables.writers[status].textOf(run, row))),
  )
}
