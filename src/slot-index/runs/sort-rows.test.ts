import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { compareIds, RECORD_WORDS, writeIdAndForm } from './row-record.ts'
import { orderOf } from './sort-rows.ts'

test('sorts rows by start, then by id, whatever starts they have', () => {
  const minutes = fc.integer({ min: -3e6, max: 3e6 }).map((minute) => minute * MINUTE_MS)
  const starts = [
    fc.constant(0),
    minutes,
    fc.oneof(minutes, fc.nat(1e5)),
    // As far from each other as instants can be.
    fc.oneof(fc.nat(1e5), fc.constantFrom(-8.64e15, 8.64e15, 8.64e15 - 1)),
  ]
  const word = fc.oneof(fc.nat(2), fc.nat(2 ** 30 - 1))
  const rowsOf = (start: fc.Arbitrary<number>) =>
    fc.array(fc.record({ start, id: fc.tuple(word, word, word, word) }), { maxLength: 100, size: 'max' })
  fc.assert(
    fc.property(fc.oneof(...starts.map(rowsOf)), fc.nat(255), (rows, form) => {
      const records = new Uint32Array(rows.length * RECORD_WORDS)
      for (const [row, { id }] of rows.entries())
        writeIdAndForm(records, row * RECORD_WORDS, Uint32Array.from(id), 0, form)
      const compare = (a: number, b: number) =>
        rows[a].start - rows[b].start || compareIds(records, a * RECORD_WORDS, records, b * RECORD_WORDS) || a - b
      const startsMs = Float64Array.from(rows, ({ start }) => start)
      assert.deepEqual([...orderOf(records, startsMs)], [...rows.keys()].sort(compare))
    }),
    { numRuns: casesOf(500) },
  )
})
