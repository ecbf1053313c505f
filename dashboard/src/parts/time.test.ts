import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAgo, formatUtc } from './time.ts'

const NOW = Date.parse('2026-05-03T14:00:00Z')
const ago = (seconds: number) => formatAgo(new Date(NOW - seconds * 1000), NOW)
const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

test('tells the past and the future in the largest unit that fits', () => {
  assert.equal(ago(60), words.format(-1, 'minute'))
  assert.equal(ago(3 * 3600), words.format(-3, 'hour'))
  assert.equal(ago(-2 * 86_400), words.format(2, 'day'))
  assert.equal(ago(400 * 86_400), words.format(-1, 'year'))
})

test('says "just now" within 45 seconds, either way, and a minute after', () => {
  assert.equal(ago(44), 'just now')
  assert.equal(ago(-44), 'just now')
  assert.equal(ago(46), words.format(-1, 'minute'))
})

test('writes UTC to the second', () => {
  assert.equal(formatUtc(new Date(NOW + 5_999)), '2026-05-03 14:00:05 UTC')
})
