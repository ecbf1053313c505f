import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RejectionSample } from './rejection-sample.ts'

const rejected = (line: number, reason: string) => ({ file: 'slots.ndjson', line, reason, sample: '{' })

test('counts all rejections, and keeps a rare reason beside a frequent one', () => {
  const sample = new RejectionSample()
  for (let line = 1; line <= 50_000; line++) {
    sample.add(rejected(line, `Cannot read Slot: start must be an instant: got "2030-13-${line}"`))
  }
  sample.add(rejected(50_001, 'Cannot read Slot: it must name its Schedule'))
  assert.equal(sample.count, 50_001)
  assert.equal(sample.kept.length, 101)
  assert.equal(sample.kept.at(-1)?.line, 50_001)
})

test('keeps at most 1,000, the first by arrival', () => {
  const sample = new RejectionSample()
  for (let line = 1; line <= 3000; line++) sample.add(rejected(line, `reason ${'x'.repeat(line % 30)}`))
  assert.equal(sample.count, 3000)
  assert.equal(sample.kept.length, 1000)
  assert.equal(sample.kept.at(-1)?.line, 1000)
})
