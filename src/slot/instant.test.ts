import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseInstant, parseRfc3339 } from './instant.ts'

const years = {
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9998-12-30T00:00:00Z'),
  noInvalidDate: true,
}

/** The same moment, written with an offset. */
function withOffset(date: Date, minutes: number): string {
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1)
  const size = Math.abs(minutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

test('parses every instant with every offset as Date does', () => {
  const property = fc.property(fc.date(years), fc.integer({ min: -1439, max: 1439 }), (date, offset) => {
    const text = withOffset(date, offset)
    assert.equal(parseRfc3339(text), date.getTime())
    const served = Math.abs(offset) <= 840 ? text : date.toISOString()
    assert.deepEqual(parseInstant(text), { text: served, ms: date.getTime() })
  })
  fc.assert(property, { numRuns: 2000 })
})

test('accepts the same dates as the calendar', () => {
  const number = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'))
  const year = fc.integer({ min: 1, max: 9999 }).map((value) => String(value).padStart(4, '0'))
  const property = fc.property(year, number(14), number(33), (year, month, day) => {
    const text = `${year}-${month}-${day}T00:00:00.000Z`
    const date = new Date(text)
    const possible = !Number.isNaN(date.getTime()) && date.toISOString() === text
    assert.equal(parseRfc3339(text), possible ? date.getTime() : undefined)
  })
  fc.assert(property, { numRuns: 3000 })
})

test('never throws and rejects random text', () => {
  fc.assert(fc.property(fc.string({ maxLength: 45 }), (text) => parseInstant(text) === undefined))
})

test('truncates fractions to milliseconds and keeps them in the text', () => {
  assert.equal(parseRfc3339('2021-03-10T15:00:00.1239999Z'), Date.parse('2021-03-10T15:00:00.123Z'))
  assert.equal(parseRfc3339('2021-03-10T15:00:00.5-05:00'), Date.parse('2021-03-10T20:00:00.500Z'))
  assert.equal(parseInstant('2021-03-10T15:00:00.123456789Z')?.text, '2021-03-10T15:00:00.123456789Z')
})

for (const [given, served] of [
  ['2021-03-10T15:00:00-05', '2021-03-10T15:00:00-05:00'],
  ['2021-03-10T15:00:00-0530', '2021-03-10T15:00:00-05:30'],
  ['2021-03-10T15:00:00.000+00', '2021-03-10T15:00:00.000+00:00'],
  ['2021-03-10T15:00-05:00', '2021-03-10T15:00:00-05:00'],
  ['2021-03-10T15:00Z', '2021-03-10T15:00:00Z'],
  ['2021-03-10t15:00:00z', '2021-03-10T15:00:00Z'],
  ['2000-02-29T15:00:00Z', '2000-02-29T15:00:00Z'],
  ['2021-03-10 15:00:00-0500', '2021-03-10T15:00:00-05:00'],
  ['2021-07-10T15:00:00-05:00', '2021-07-10T15:00:00-05:00'],
  ['2021-07-10T15:00:00+14:00', '2021-07-10T15:00:00+14:00'],
  ['2021-07-10T15:00:00+14:01', '2021-07-10T00:59:00.000Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2016-12-31T18:59:60.25-05:00', '2017-01-01T00:00:00.250Z'],
]) {
  test(`serves ${given} as ${served}`, () => {
    assert.deepEqual(parseInstant(given), { text: served, ms: Date.parse(served) })
  })
}

for (const [text, why] of [
  ['2021-03-10T15:00:00', 'has no offset'],
  ['2021-03-10T15:00', 'has neither seconds nor offset'],
  ['2021-03-10', 'is a date'],
  ['2021-02-30T15:00:00Z', 'is not in the calendar'],
  ['2021-02-29T15:00:00Z', 'is not in a leap year'],
  ['2100-02-29T15:00:00Z', 'is not in a leap year, as most that end a century'],
  ['2021-03-10T15.00:00Z', 'has a dot in its time'],
  ['2021-03-0:T15:00:00Z', 'has a colon as a digit'],
  ['20:1-03-10T15:00:00Z', 'has a colon as the first of two digits'],
  ['2021-03-10T/9:00:00Z', 'has a slash as a digit'],
  ['2021-03-10T1/:00:00Z', 'has a slash as the last of two digits'],
  ['2021-03-10T25:00:00Z', 'has an hour 25'],
  ['2021-03-10T24:00:00Z', 'has an hour 24'],
  ['2021-03-10T15:60:00Z', 'has a minute 60'],
  ['2021-03-10T15:00:60Z', 'is no leap second'],
  ['2021-03-10T15:00:00.Z', 'has an empty fraction'],
  ['2021-03-10T15:00:00+24:00', 'has an offset of a day'],
  ['2021-03-10T15:00:00+05:60', 'has an offset minute 60'],
  ['2021-03-10T15:00:00-5', 'has half an offset'],
  ['2021-03-10T15:00:00-05:00 ', 'has a space behind it'],
  ['2021-03-10T15:00:00ZZ', 'has two offsets'],
  ['+021-03-10T15:00:00Z', 'has a sign'],
  [`2021-03-10T15:00:00.${'0'.repeat(40)}Z`, 'is endless'],
]) {
  test(`rejects ${text}: it ${why}`, () => {
    assert.equal(parseInstant(text), undefined)
    assert.equal(parseRfc3339(text), undefined)
  })
}

test('rejects what is in a year without four digits in UTC', () => {
  for (const text of ['9999-12-31T23:59:60Z', '0000-01-01T00:00:00+23:59']) assert.equal(parseInstant(text), undefined)
})

test('accepts exactly RFC 3339 from callers', () => {
  assert.equal(parseRfc3339('2016-12-31T23:59:60Z'), Date.parse('2017-01-01T00:00:00Z'))
  assert.equal(parseRfc3339('2016-12-31T18:59:60-05:00'), Date.parse('2017-01-01T00:00:00Z'))
  assert.equal(parseRfc3339('2021-03-10t15:00:00z'), Date.parse('2021-03-10T15:00:00Z'))
  assert.equal(parseRfc3339('2021-03-10T15:00:00-05'), undefined)
  assert.equal(parseRfc3339('2021-03-10T15:00:00-0500'), undefined)
  assert.equal(parseRfc3339('2021-03-10T15:00-05:00'), undefined)
  assert.equal(parseRfc3339('2021-03-10 15:00:00Z'), undefined)
})
