import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAgo, formatBytes, formatElapsed, formatNumberOf, formatSpan, formatUtc } from './format.ts'

const NOW = Date.parse('2026-05-03T14:00:00Z')
const ago = (seconds: number) => formatAgo(new Date(NOW - seconds * 1000), NOW)
const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

test('formats past and future times in the largest unit that fits', () => {
  assert.equal(ago(60), words.format(-1, 'minute'))
  assert.equal(ago(3 * 3600), words.format(-3, 'hour'))
  assert.equal(ago(-2 * 86_400), words.format(2, 'day'))
  assert.equal(ago(400 * 86_400), words.format(-1, 'year'))
})

test('formats times within 45 seconds as "just now"', () => {
  assert.equal(ago(44), 'just now')
  assert.equal(ago(-44), 'just now')
  assert.equal(ago(46), words.format(-1, 'minute'))
})

test('writes UTC to the second', () => {
  assert.equal(formatUtc(new Date(NOW + 5_999)), '2026-05-03 14:00:05 UTC')
})

test('formats bytes in the most readable unit', () => {
  const digits = (bytes: number) => formatBytes(bytes).replace(/[^\d.,]/g, '')
  assert.equal(digits(0), '0')
  assert.equal(digits(999), '999')
  assert.equal(digits(284_000_000), '284')
  assert.equal(formatBytes(284_000_000).replace(/[\d\s.,]/g, ''), 'MB')
})

test('formats a time span in its two largest units', () => {
  assert.equal(formatSpan(0), '0 s')
  assert.equal(formatSpan(8_400), '8 s')
  assert.equal(formatSpan(3_600_000), '1 h')
  assert.equal(formatSpan(273_600_000), '3 d 4 h')
  assert.equal(formatSpan(72_000), '1 min 12 s')
})

test('formats durations under a minute in seconds or milliseconds', () => {
  assert.equal(formatElapsed(812.4), '812 ms')
  assert.equal(formatElapsed(4_210), '4.2 s')
  assert.equal(formatElapsed(72_000), '1 min 12 s')
})

test('counts one of a thing in the singular', () => {
  assert.equal(formatNumberOf(1, 'slot'), '1 slot')
  assert.equal(formatNumberOf(0, 'slot'), '0 slots')
  assert.equal(formatNumberOf(1234, 'entry', 'entries'), `${(1234).toLocaleString()} entries`)
})
