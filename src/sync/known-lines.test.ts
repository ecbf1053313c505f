import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HeldLines } from './known-lines.ts'

interface Row {
  readonly fingerprint: number
  readonly part: number
}

function heldLines(rows: readonly Row[]): HeldLines {
  return new HeldLines({
    keys: Float64Array.from(rows, (_, at) => 10 + at * 3),
    fingerprints: Float64Array.from(rows, (row) => row.fingerprint),
    parts: Uint32Array.from(rows, (row) => row.part),
    ends: Uint32Array.from(rows, (_, at) => 1000 - at),
  })
}

const keysLeft = (lines: HeldLines): number[] => [...lines.left(2)].flat()

test('keeps a line once, so that the second of two equal lines is not kept', () => {
  const lines = heldLines([{ fingerprint: 7, part: 1 }])
  assert.equal(lines.keep(7), true)
  assert.equal(lines.keep(7), false)
  assert.equal(lines.keep(8), false)
})

test('keeps lines in any order, with fingerprints up to 2^53 and of 0', () => {
  const fingerprints = [0, 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1, 2 ** 52, 5]
  const lines = heldLines(fingerprints.map((fingerprint) => ({ fingerprint, part: 1 })))
  for (const fingerprint of fingerprints.toReversed()) assert.equal(lines.keep(fingerprint), true)
  assert.deepEqual(keysLeft(lines), [])
})

test('keeps what is left of a part, and says how many that were', () => {
  const lines = heldLines([1, 2, 1, 2, 1].map((part, fingerprint) => ({ part, fingerprint })))
  assert.equal(lines.keep(2), true)
  assert.equal(lines.keepPart(1), 2)
  assert.equal(lines.keepPart(1), 0)
  assert.equal(lines.keepPart(9), 0)
  assert.deepEqual(keysLeft(lines), [13, 19])
})

test('takes a row by its key once, and refuses a key that is not held', () => {
  const lines = heldLines([1, 2, 3].map((fingerprint) => ({ fingerprint, part: 1 })))
  assert.equal(lines.take(13), true)
  assert.equal(lines.take(13), false)
  assert.equal(lines.keep(2), false)
  assert.throws(() => lines.take(14), /key must be in the last snapshot: got "14"/)
})

test('leaves rows of equal fingerprint to be taken by key, at no more cost', () => {
  const lines = heldLines(Array.from({ length: 100_000 }, () => ({ fingerprint: 0, part: 1 })))
  assert.equal(lines.keep(0), true)
  assert.equal(keysLeft(lines).length, 99_999)
})

test('agrees with a plain list, whatever is kept, taken and kept by part', () => {
  const rows = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 30 })
  const step = fc.record({
    verb: fc.constantFrom('keep', 'keepPart', 'take'),
    at: fc.nat({ max: 40 }),
  })
  fc.assert(
    fc.property(rows, fc.array(step, { maxLength: 60 }), (fingerprints, steps) => {
      const lines = heldLines(fingerprints.map((fingerprint) => ({ fingerprint, part: fingerprint % 3 })))
      const left = new Set(fingerprints)
      for (const { verb, at } of steps) {
        if (verb === 'keep') assert.equal(lines.keep(at), left.delete(at))
        else if (verb === 'take' && at < fingerprints.length)
          assert.equal(lines.take(10 + at * 3), left.delete(fingerprints[at]))
        else if (verb === 'keepPart') {
          const ofPart = [...left].filter((fingerprint) => fingerprint % 3 === at)
          for (const fingerprint of ofPart) left.delete(fingerprint)
          assert.equal(lines.keepPart(at), ofPart.length)
        }
      }
      const expected = fingerprints.flatMap((fingerprint, at) => (left.has(fingerprint) ? [10 + at * 3] : []))
      assert.deepEqual(keysLeft(lines), expected)
    }),
  )
})

test('knows when the last of the rows ends that are taken', () => {
  const lines = heldLines([1, 2, 3].map((fingerprint) => ({ fingerprint, part: 1 })))
  assert.equal(lines.lastEnd(), 0)
  lines.keep(3)
  assert.equal(lines.lastEnd(), 998)
  lines.keep(2)
  assert.equal(lines.lastEnd(), 999)
})
