import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeedFailure } from './connector.ts'
import { RejectionSample, rejectionReason, rejectionSample } from './rejections.ts'

test('truncates reasons and samples without splitting surrogate pairs', () => {
  assert.equal(rejectionReason(`${'x'.repeat(299)}\u{1f600}`), `${'x'.repeat(299)}\ufffd`)
  assert.equal(rejectionSample(`a\0b\n${'\u{1f600}'.repeat(300)}`).length, 500)
  assert.ok(rejectionSample(`a\0b\n${'\u{1f600}'.repeat(300)}`).isWellFormed())
  assert.equal(rejectionSample('a\0b\n'), 'a\ufffdb\n')
})

test('the message of a failure is a single line', () => {
  assert.equal(new FeedFailure('Cannot read manifest: got "\0\n\ud83d"').message, 'Cannot read manifest: got " \ufffd"')
})

const rejected = (line: number, reason: string) => ({
  code: 'invalid' as const,
  file: 'slots.ndjson',
  line,
  reason,
  sample: '{',
})

test('a sample counts all rejections, and keeps a rare reason beside a frequent one', () => {
  const sample = new RejectionSample()
  for (let line = 1; line <= 50_000; line++) {
    sample.add(rejected(line, `Cannot read Slot: start must be an instant: got "2030-13-${line}"`))
  }
  sample.add(rejected(50_001, 'Cannot read Slot: it must name its Schedule'))
  assert.equal(sample.count, 50_001)
  assert.equal(sample.kept.length, 101)
  assert.equal(sample.kept.at(-1)?.line, 50_001)
})

test('a sample keeps at most 1,000, the first by arrival', () => {
  const sample = new RejectionSample()
  for (let line = 1; line <= 3000; line++) sample.add(rejected(line, `reason ${'x'.repeat(line % 30)}`))
  assert.equal(sample.count, 3000)
  assert.equal(sample.kept.length, 1000)
  assert.equal(sample.kept.at(-1)?.line, 1000)
})
