import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprint } from './fingerprint.ts'

test('is an integer below 2^52, the same for the same line of the same part', () => {
  for (let at = 0; at < 1000; at++) {
    const mark = fingerprint(Buffer.from(`line ${at}`), at % 7)
    assert.ok(Number.isSafeInteger(mark) && mark >= 0 && mark < 2 ** 52)
    assert.equal(mark, fingerprint(Buffer.from(`line ${at}`), at % 7))
  }
})

test('differs from line to line and from part to part', () => {
  const marks = new Set<number>()
  for (let at = 0; at < 2000; at++) {
    for (let part = 0; part < 50; part++) marks.add(fingerprint(Buffer.from(`line ${at}`), part))
  }
  assert.equal(marks.size, 100_000)
})
