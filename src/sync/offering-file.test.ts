import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lasting, OFFERINGS } from '../../test/support/slot-index/index-samples.ts'
import { runAtOnce } from '../lib/steps.ts'
import { OfferingTable } from '../slot-index/offerings/offering-table.ts'
import type { PackedOfferings } from '../slot-index/offerings/pack-offerings.ts'
import { offeringFileOf, readOfferingFile } from './offering-file.ts'

test('reads the offerings that were written, also from files that were read before', () => {
  const table = new OfferingTable()
  const others = lasting(60, OFFERINGS.slice(0, 2)).map((each, original) => ({ ...each, original }))
  const packed = [lasting(30, OFFERINGS), others, lasting(45, OFFERINGS.slice(1))].map((batch) => {
    const each = table.pack(batch)
    runAtOnce(table.put(each))
    return each
  })
  const ids = Array.from({ length: table.end }, (_, number) => number * 7)
  const first = writtenAndRead(packed.slice(0, 2), ids.slice(0, OFFERINGS.length + 2))
  const all = writtenAndRead([first, packed[2]], ids)
  assert.deepEqual([...all.ids], ids)
  const restored = new OfferingTable()
  runAtOnce(restored.put(all))
  for (const number of ids.keys()) assert.deepEqual(restored.offeringOf(number), table.offeringOf(number))
  assert.deepEqual(restored.share(undefined)?.segments, structuredClone(table.share(undefined)?.segments))
})

function writtenAndRead(packed: readonly PackedOfferings[], ids: readonly number[]) {
  const { sizes, parts } = offeringFileOf(packed, ids)
  const bytes = Buffer.concat(parts)
  const file = new SharedArrayBuffer(bytes.length)
  bytes.copy(new Uint8Array(file))
  return readOfferingFile(file, sizes)
}
