import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { RUN_ROWS_MAX } from '../runs/run-layout.ts'
import { sortRowNumbers } from './row-numbers.ts'

test('sorts few and many distinct row numbers', () => {
  const row = fc.oneof(fc.nat(RUN_ROWS_MAX - 1), fc.constantFrom(0, 31, 32, RUN_ROWS_MAX - 1))
  const few = fc.uniqueArray(row, { maxLength: 20 })
  const many = fc.uniqueArray(row, { minLength: 256, maxLength: 600, size: 'max' })
  fc.assert(
    fc.property(fc.oneof(few, many), (rows) => {
      assert.deepEqual(
        [...sortRowNumbers(Uint16Array.from(rows))],
        rows.toSorted((a, b) => a - b),
      )
    }),
    { numRuns: casesOf(100) },
  )
})
