import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeedFailure } from '../feeds/connector.ts'
import { oneLine, reasonText, sampleText } from './text.ts'

test('what others wrote stays in its line, and in the bounds that it is told within', () => {
  assert.equal(oneLine('got "a\0\u001b[2J\r\nfaked: ok\u0085"'), 'got "a [2J faked: ok "')
  assert.equal(oneLine('half \ud83d here'), 'half \ufffd here')
  assert.equal(reasonText(`${'x'.repeat(299)}\u{1f600}`), `${'x'.repeat(299)}\ufffd`)
  assert.equal(sampleText(`a\0b\n${'\u{1f600}'.repeat(300)}`).length, 500)
  assert.ok(sampleText(`a\0b\n${'\u{1f600}'.repeat(300)}`).isWellFormed())
  assert.equal(sampleText('a\0b\n'), 'a\ufffdb\n')
})

test('a failure is told in one line', () => {
  assert.equal(
    new FeedFailure('Cannot read manifest: got "\0\n\ud83d"').message,
    'Cannot read manifest: got " \ufffd"',
  )
})
