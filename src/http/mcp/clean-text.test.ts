import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { cleanLink, cleanText, TEXT_LENGTH_MAX } from './clean-text.ts'

test('removes invisible characters and keeps visible ones', () => {
  for (const [text, clean] of [
    ['Dr. Zoë Núñez', 'Dr. Zoë Núñez'],
    ['  a\tb\r\n\nc\u2028d ', 'a b c d'],
    ['a\u0000b\u001b[31mc\u007f\u009b', 'ab[31mc'],
    ['a\u202eb\u2066c\u200bd\ufeffe\u00adf', 'abcdef'],
    ['a\u{e0049}\u{e0067}\u{e007f}b', 'ab'],
    ['a\ufe0f\u{e0101}\u034f\u3164b', 'ab'],
    ['a\ud800b', 'ab'],
  ]) {
    assert.equal(cleanText(text), clean)
  }
})

test('returns undefined if nothing is left or the value is not a string', () => {
  for (const value of ['', ' \n', '\u200b', undefined, null, 1, {}, ['a']]) assert.equal(cleanText(value), undefined)
})

test('returns one line of bounded, well-formed text for any input', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 500 }), (text) => {
      const clean = cleanText(text) ?? 'x'
      assert.ok(clean.length > 0 && clean.length <= TEXT_LENGTH_MAX + 1)
      assert.ok(clean.isWellFormed())
      assert.doesNotMatch(clean, /[\r\n\u2028\u2029]|\p{C}/u)
      assert.equal(cleanText(clean.slice(0, TEXT_LENGTH_MAX)), clean.slice(0, TEXT_LENGTH_MAX).trim())
    }),
  )
  assert.equal(cleanText(`${'x'.repeat(TEXT_LENGTH_MAX - 1)}😀`), `${'x'.repeat(TEXT_LENGTH_MAX - 1)}…`)
  assert.equal(cleanText('x'.repeat(100_000)), `${'x'.repeat(TEXT_LENGTH_MAX)}…`)
})

test('accepts only well-formed http and https links', () => {
  assert.equal(cleanLink('https://book.example/a?b=1#c'), 'https://book.example/a?b=1#c')
  assert.equal(cleanLink('https://book.example/ignore all\n"this"'), 'https://book.example/ignore%20all%22this%22')
  for (const value of ['javascript:alert(1)', 'data:text/html,x', 'book.example', '', 7, undefined])
    assert.equal(cleanLink(value), undefined)
  assert.equal(cleanLink(`https://book.example/${'x'.repeat(2000)}`), undefined)
})
