import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeedFailure } from './connector.ts'
import { rejectionReason, rejectionSample } from './invalid-data.ts'

test('truncates reasons and samples without splitting surrogate pairs', () => {
  assert.equal(rejectionReason(`${'x'.repeat(299)}\u{1f600}`), `${'x'.repeat(299)}\ufffd`)
  assert.equal(rejectionSample(`a\0b\n${'\u{1f600}'.repeat(300)}`).length, 500)
  assert.ok(rejectionSample(`a\0b\n${'\u{1f600}'.repeat(300)}`).isWellFormed())
  assert.equal(rejectionSample('a\0b\n'), 'a\ufffdb\n')
})

test('the message of a failure is a single line', () => {
  assert.equal(new FeedFailure('Cannot read manifest: got "\0\n\ud83d"').message, 'Cannot read manifest: got " \ufffd"')
})
