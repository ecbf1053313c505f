import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { GrowingColumns } from './row-columns.ts'

const rows = fc.uniqueArray(
  fc.record({
    key: fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 2 ** 32 - 2, max: 2 ** 40 })),
    fingerprint: fc.maxSafeNat(),
    part: fc.oneof(fc.nat(255), fc.nat(65_535), fc.nat(2 ** 32 - 1)),
    end: fc.nat(2 ** 32 - 1),
    tag: fc.nat(2 ** 32 - 1),
  }),
  { selector: ({ key }) => key, maxLength: 40 },
)

test('has the rows that were added by ascending key, one by one and in blocks', () => {
  fc.assert(
    fc.property(rows, rows, fc.integer({ min: 0, max: 50 }), (single, more, expected) => {
      const keys = new Set(single.map(({ key }) => key))
      const blocks = more.filter(({ key }) => !keys.has(key))
      const columns = new GrowingColumns(expected)
      for (const row of single) columns.push(row.key, row.fingerprint, row.part, row.end, row.tag)
      const block = new GrowingColumns(1)
      for (const row of blocks) block.push(row.key, row.fingerprint, row.part, row.end, row.tag)
      if (block.size > 0) columns.append(block.byKey())
      const all = [...single, ...blocks].sort((a, b) => a.key - b.key)
      const read = columns.byKey()
      assert.deepEqual(
        [...read.keys],
        all.map(({ key }) => key),
      )
      assert.deepEqual(
        [...read.fingerprints],
        all.map(({ fingerprint }) => fingerprint),
      )
      assert.deepEqual(
        [...read.parts],
        all.map(({ part }) => part),
      )
      assert.deepEqual(
        [...read.ends],
        all.map(({ end }) => end),
      )
      assert.deepEqual(
        [...read.tags],
        all.map(({ tag }) => tag),
      )
    }),
  )
})

test('takes 21 bytes per row while keys and parts are small', () => {
  const columns = new GrowingColumns(100)
  for (let key = 1; key <= 100; key++) columns.push(key, key, key, key, key)
  const bytes = Object.values(columns.byKey()).reduce((sum, column) => sum + column.buffer.byteLength, 0)
  assert.equal(bytes, 2100)
})
