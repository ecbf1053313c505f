import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  counted,
  errorCode,
  errorMessage,
  errorText,
  escapeHtml,
  groupDigits,
  isPercentEncoded,
  singleLine,
  truncate,
} from './text.ts'

test('a single line has neither control characters nor unpaired surrogates', () => {
  assert.equal(singleLine('got "a\0\u001b[2J\r\nfaked: ok\u0085"'), 'got "a [2J faked: ok "')
  assert.equal(singleLine('half \ud83d here'), 'half \ufffd here')
})

test('truncates to a maximum length and marks the cut', () => {
  assert.equal(truncate('abcdef', 6), 'abcdef')
  assert.equal(truncate('abcdefg', 6), 'abcde…')
})

test('separates thousands by commas', () => {
  assert.deepEqual([0, 999, 12_480, 1_000_000].map(groupDigits), ['0', '999', '12,480', '1,000,000'])
  assert.deepEqual(
    [0, 1, 12_480].map((count) => counted(count, 'slot')),
    ['0 slots', '1 slot', '12,480 slots'],
  )
})

test('escapes everything that has a meaning in HTML content and attributes', () => {
  assert.equal(escapeHtml(`<a b="c" d='e'>&amp;`), '&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;')
})

test('the text of an error is its stack, else its message', () => {
  const error = new TypeError('wrong')
  assert.match(errorText(error), /^TypeError: wrong\n +at /)
  Reflect.deleteProperty(error, 'stack')
  Object.defineProperty(error, 'stack', { value: undefined })
  assert.equal(errorText(error), 'wrong')
  assert.equal(errorText('not an error'), 'not an error')
  assert.deepEqual([errorMessage(error), errorMessage(404)], ['wrong', '404'])
})

test('the code of an error is a text', () => {
  const codes = [Object.assign(new Error('no file'), { code: 'ENOENT' }), new DOMException('aborted'), { code: 'none' }]
  assert.deepEqual(codes.map(errorCode), ['ENOENT', undefined, undefined])
})

test('percent-encoded text is UTF-8', () => {
  for (const text of ['', 'a b', 'caf%C3%A9', '%20']) assert.equal(isPercentEncoded(text), true, text)
  for (const text of ['%', '%zz', 'caf%E9']) assert.equal(isPercentEncoded(text), false, text)
})
