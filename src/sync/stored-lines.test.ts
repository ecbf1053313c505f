import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { StoredLines } from './stored-lines.ts'

interface Row {
  readonly fingerprint: number
  readonly part: number
}

function storedLines(rows: readonly Row[]): StoredLines {
  return new StoredLines({
    keys: Float64Array.from(rows, (_, at) => 10 + at * 3),
    fingerprints: Float64Array.from(rows, (row) => row.fingerprint),
    parts: Uint32Array.from(rows, (row) => row.part),
    ends: Uint32Array.from(rows, (_, at) => 1000 - at),
  })
}

const keysLeft = (lines: StoredLines): number[] => [...lines.left(2)].flat()

test('keeps a line once, so that the second of two equal lines is not kept', () => {
  const lines = storedLines([{ fingerprint: 7, part: 1 }])
  assert.equal(lines.keep(7), true)
  assert.equal(lines.keep(7), false)
  assert.equal(lines.keep(8), false)
})

test('keeps lines in any order, with fingerprints up to 2^53 and of 0', () => {
  const fingerprints = [0, 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1, 2 ** 52, 5]
  const lines = storedLines(fingerprints.map((fingerprint) => ({ fingerprint, part: 1 })))
  for (const fingerprint of fingerprints.toReversed()) assert.equal(lines.keep(fingerprint), true)
  assert.deepEqual(keysLeft(lines), [])
})

test('keeps the remaining rows of a part if there are as many as expected, else none', () => {
  const lines = storedLines([1, 2, 1, 2, 1].map((part, fingerprint) => ({ part, fingerprint })))
  assert.equal(lines.keep(2), true)
  assert.equal(lines.keepPart(1, 3), false)
  assert.deepEqual(keysLeft(lines), [10, 13, 19, 22])
  assert.equal(lines.keepPart(1, 2), true)
  assert.equal(lines.keepPart(1, 2), false)
  assert.equal(lines.keepPart(9, 0), true)
  assert.deepEqual(keysLeft(lines), [13, 19])
})

test('takes a row by its key once, and throws for an unknown key', () => {
  const lines = storedLines([1, 2, 3].map((fingerprint) => ({ fingerprint, part: 1 })))
  assert.equal(lines.take(13), true)
  assert.equal(lines.take(13), false)
  assert.equal(lines.keep(2), false)
  assert.throws(() => lines.take(14), /no row with key 14/)
})

test('takes rows with equal fingerprints by key, at the same cost', () => {
  const lines = storedLines(Array.from({ length: 100_000 }, () => ({ fingerprint: 0, part: 1 })))
  assert.equal(lines.keep(0), true)
  assert.equal(keysLeft(lines).length, 99_999)
})

test('equals a plain list after any sequence of operations', () => {
  const rows = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 30 })
  const step = fc.record({
    verb: fc.constantFrom('keep', 'keepPart', 'take'),
    at: fc.nat({ max: 40 }),
  })
  fc.assert(
    fc.property(rows, fc.array(step, { maxLength: 60 }), (fingerprints, steps) => {
      const lines = storedLines(fingerprints.map((fingerprint) => ({ fingerprint, part: fingerprint % 3 })))
      const left = new Set(fingerprints)
      for (const { verb, at } of steps) {
        if (verb === 'keep') assert.equal(lines.keep(at), left.delete(at))
        else if (verb === 'take' && at < fingerprints.length)
          assert.equal(lines.take(10 + at * 3), left.delete(fingerprints[at]))
        else if (verb === 'keepPart') {
          const ofPart = [...left].filter((fingerprint) => fingerprint % 3 === at)
          assert.equal(lines.keepPart(at, ofPart.length + 1), false)
          for (const fingerprint of ofPart) left.delete(fingerprint)
          assert.equal(lines.keepPart(at, ofPart.length), true)
        }
      }
      const expected = fingerprints.flatMap((fingerprint, at) => (left.has(fingerprint) ? [10 + at * 3] : []))
      assert.deepEqual(keysLeft(lines), expected)
    }),
  )
})

test('returns the latest end of the taken rows', () => {
  const lines = storedLines([1, 2, 3].map((fingerprint) => ({ fingerprint, part: 1 })))
  assert.equal(lines.lastEnd(), 0)
  lines.keep(3)
  assert.equal(lines.lastEnd(), 998)
  lines.keep(2)
  assert.equal(lines.lastEnd(), 999)
})
