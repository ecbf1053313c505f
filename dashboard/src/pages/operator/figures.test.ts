import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBytes, formatSpan, formatTook } from './figures.ts'

test('bytes are told in the unit that a person would take', () => {
  const digits = (bytes: number) => formatBytes(bytes).replace(/[^\d.,]/g, '')
  assert.equal(digits(0), '0')
  assert.equal(digits(999), '999')
  assert.equal(digits(284_000_000), '284')
  assert.equal(formatBytes(284_000_000).replace(/[\d\s.,]/g, ''), 'MB')
})

test('a span of time is told in its two largest units', () => {
  assert.equal(formatSpan(0), '0 s')
  assert.equal(formatSpan(8_400), '8 s')
  assert.equal(formatSpan(3_600_000), '1 h')
  assert.equal(formatSpan(273_600_000), '3 d 4 h')
  assert.equal(formatSpan(72_000), '1 min 12 s')
})

test('what took less than a minute is told in seconds or parts of them', () => {
  assert.equal(formatTook(812.4), '812 ms')
  assert.equal(formatTook(4_210), '4.2 s')
  assert.equal(formatTook(72_000), '1 min 12 s')
})
