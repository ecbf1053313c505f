import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { blocksOf, countBlocks, rankInBitmap, wordsOf } from '../runs/row-bitmap.ts'
import type { RowSubset } from '../runs/row-subset.ts'
import type { TermRows } from '../runs/run-terms.ts'
import { BitmapRows, CommonRows, copyCommon, countIn } from './bitmap-rows.ts'
import type { RowSet } from './listed-rows.ts'

/** Lengths around the ends of words and blocks. */
const length = fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.constantFrom(31, 32, 33, 511, 512, 513, 1024, 1536))
const TERM = 7

/** Sets of rows of one run, and a range of it. */
const sets = length.chain((rows) =>
  fc.record({
    rows: fc.constant(rows),
    members: fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 1000 })), {
      minLength: 1,
      maxLength: 4,
    }),
    gone: fc.array(fc.integer({ min: 0, max: rows - 1 }), { maxLength: 60 }),
    range: fc.tuple(fc.integer({ min: 0, max: rows }), fc.integer({ min: 0, max: rows })),
  }),
)

/** Pseudo-random rows, of which about one in `oneIn` is a member. */
function membersOf(rows: number, [oneIn, seed]: readonly [number, number]): boolean[] {
  return Array.from({ length: rows }, (_, row) => (Math.imul(row + seed, 0x9e37_79b1) >>> 8) % oneIn === 0)
}

/** Bits that do not begin at the begin of their arrays. */
function bitmapOf(members: readonly boolean[], term: number | undefined): TermRows {
  const rows = members.length
  const bits = new Uint32Array(wordsOf(rows) + 3)
  const bitmap = { bits, word: 3, before: new Uint16Array(blocksOf(rows) + 2), block: 2, term }
  for (const [row, isMember] of members.entries()) if (isMember) bits[3 + (row >>> 5)] |= 1 << (row & 31)
  countBlocks(bitmap, rows)
  return bitmap
}

/** Rows that are left out; those of a term are counted as such. */
function goneOf(rows: number, gone: readonly number[], members: readonly boolean[]): RowSubset {
  const bits = new Uint32Array(wordsOf(rows))
  for (const row of gone) bits[row >>> 5] |= 1 << (row & 31)
  const count = (term: number | undefined, from: number, to: number) => {
    assert.equal(term, TERM)
    return new Set(gone.filter((row) => members[row] && row >= from && row < to)).size
  }
  return { bits, count } as unknown as RowSubset
}

function check(found: RowSet, expected: readonly number[], rows: number): void {
  assert.equal(found.count, expected.length)
  for (let row = 0; row <= rows; row += 1 + (row % 13))
    assert.equal(found.rankOf(row), expected.filter((each) => each < row).length)
  const target = new Uint16Array(rows)
  for (const [from, to] of [
    [0, rows],
    [expected.length >> 1, (expected.length >> 1) + 3],
    [expected.length, expected.length + 1],
    [Math.max(0, expected.length - 1), expected.length + 5],
  ]) {
    const copied = found.copy(from, to, target)
    assert.deepEqual([...target.subarray(0, copied)], expected.slice(from, to))
  }
}

test('rows with bits are counted, ranked and read like a list of them', () => {
  fc.assert(
    fc.property(sets, fc.boolean(), ({ rows, members, gone, range }, hasGone) => {
      const [firstRow, endRow] = range.toSorted((a, b) => a - b)
      if (firstRow === endRow) return
      const isGone = (row: number) => hasGone && gone.includes(row)
      const each = members.map((member) => membersOf(rows, member))
      const inRange = Array.from({ length: rows }, (_, row) => row).slice(firstRow, endRow)
      const own = bitmapOf(each[0], TERM)
      const deleted = hasGone ? goneOf(rows, gone, each[0]) : undefined
      const ofFirst = inRange.filter((row) => each[0][row])
      assert.equal(rankInBitmap(own, rows), each[0].filter(Boolean).length)
      assert.equal(countIn(own, { firstRow, endRow }), ofFirst.length)
      const shown = ofFirst.filter((row) => !isGone(row))
      check(new BitmapRows(own, { firstRow, endRow }, deleted), shown, rows)
      const intersection = {
        bitmaps: each.map((members) => bitmapOf(members, TERM)),
        range: { firstRow, endRow },
        gone: deleted,
      }
      const common = shown.filter((row) => each.every((members) => members[row]))
      check(new CommonRows(intersection), common, rows)
      const target = new Uint16Array(rows)
      assert.deepEqual([...target.subarray(0, copyCommon(intersection, target))], common)
    }),
    { numRuns: casesOf(300) },
  )
})

test('intersections of terms with bits do not share what they keep', () => {
  const range = { firstRow: 0, endRow: 600 }
  const of = (...oneIn: number[]) =>
    new CommonRows({ bitmaps: oneIn.map((each) => bitmapOf(membersOf(600, [each, 0]), TERM)), range, gone: undefined })
  const [a, b] = [of(2, 3), of(5, 2)]
  const [first, second] = [new Uint16Array(600), new Uint16Array(600)]
  const counts = [a.copy(0, 600, first), b.copy(0, 600, second), a.copy(0, 600, first)]
  assert.deepEqual(counts, [a.count, b.count, a.count])
  assert.notDeepEqual(first, second)
})
