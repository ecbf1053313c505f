import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { InvalidData } from '../rejections.ts'
import { readTime, type TimeRules } from './local-time.ts'

const BOSTON = { timeZone: 'America/New_York' }

const read = (text: unknown, rules: TimeRules = BOSTON) => readTime(text, 'start', rules).text

for (const [text, served, rules = BOSTON] of [
  ['2026-11-21T09:30:00-05:00', '2026-11-21T09:30:00-05:00', {}],
  ['2026-11-21T09:30-05', '2026-11-21T09:30:00-05:00', {}],
  ['2026-11-21 14:30Z', '2026-11-21T14:30:00Z', {}],
  ['2026-11-21T09:30', '2026-11-21T09:30:00-05:00'],
  ['2026-07-21 09:30:15', '2026-07-21T09:30:15-04:00'],
  ['2026/7/4 9:05', '2026-07-04T09:05:00-04:00'],
  ['2026-11-21T09:30:00.000', '2026-11-21T09:30:00-05:00'],
  ['11/21/2026 9:30 AM', '2026-11-21T09:30:00-05:00'],
  ['11/21/2026 9:30:00 pm', '2026-11-21T21:30:00-05:00'],
  ['11/21/2026, 9:30 p.m.', '2026-11-21T21:30:00-05:00'],
  [' 11/21/2026\u00a09:30\u202fAM ', '2026-11-21T09:30:00-05:00'],
  ['11/21/2026 12:00 AM', '2026-11-21T00:00:00-05:00'],
  ['11/21/2026 12:15 PM', '2026-11-21T12:15:00-05:00'],
  ['11/21/2026 9 AM', '2026-11-21T09:00:00-05:00'],
  ['21/11/2026 09:30', '2026-11-21T09:30:00-05:00'],
  ['21.11.2026 09:30', '2026-11-21T09:30:00-05:00'],
  ['4.3.2026 09:30', '2026-03-04T09:30:00-05:00'],
  ['03/03/2026 09:30', '2026-03-03T09:30:00-05:00'],
  ['03/04/2026 09:30', '2026-03-04T09:30:00-05:00', { ...BOSTON, dateOrder: 'mdy' }],
  ['03/04/2026 09:30', '2026-04-03T09:30:00-04:00', { ...BOSTON, dateOrder: 'dmy' }],
  ['2026-11-21 09:30 -05:00', '2026-11-21T09:30:00-05:00', {}],
  ['2026-11-21 09:30:00.123 -0500', '2026-11-21T09:30:00.123-05:00', {}],
  ['2026-11-21 14:30:00 Z', '2026-11-21T14:30:00Z', {}],
  ['2026-11-21 24:00', '2026-11-22T00:00:00-05:00'],
  ['31.12.2026 24:00:00', '2027-01-01T00:00:00-05:00'],
  ['2026-11-21 09:30', '2026-11-21T09:30:00+00:00', { timeZone: 'UTC' }],
  ['2026-11-21 09:30', '2026-11-21T09:30:00+05:45', { timeZone: 'Asia/Kathmandu' }],
  ['2026-11-21 09:30', '2026-11-21T09:30:00-03:30', { timeZone: 'America/St_Johns' }],
] as const satisfies readonly (readonly [string, string, TimeRules?])[]) {
  test(`reads ${JSON.stringify(text)} as ${served}`, () => assert.equal(read(text, rules), served))
}

for (const [text, said, rules = BOSTON] of [
  ['03/04/2026 09:30', /is ambiguous.*mdy or dmy/],
  ['21/11/2026 09:30', /date and a time/, { ...BOSTON, dateOrder: 'mdy' }],
  ['2026-11-21 09:30', /must have an offset or a time zone/, {}],
  ['2026-11-21 09:30', /timeZone must be a name such as/, { timeZone: 'EST' }],
  ['2026-11-21 09:30', /timeZone must be a name such as/, { timeZone: '-05:00' }],
  ['2026-11-21 09:30', /timeZone must be a name such as/, { timeZone: 'Etc/GMT+5' }],
  ['2026-11-21 09:30', /timeZone must be a name such as/, { timeZone: 'Mars/Base' }],
  ['2026-03-08 02:30', /must be an unambiguous time in .*: got "2026-03-08 02:30": clocks skip it/],
  ['2026-11-01 01:30', /clocks show it twice/],
  ['21/11/2026 09:30', /got "21\/11\/2026 09:30": the configured order of dates is mdy/, { dateOrder: 'mdy' }],
  ['2026-11-21', /date and a time.*: the time is missing/],
  ['11/21/2026', /date and a time.*: the time is missing/],
  ['09:30', /date and a time.*: the date is missing/],
  ['9:30 AM', /date and a time.*: the date is missing/],
  ['11/21/26 9:30', /date and a time.*: the year must have four digits/],
  ['21.11.26', /date and a time.*: the year must have four digits/],
  ['46347.3958', /date and a time.*: this is a spreadsheet serial number; format the column as date and time/],
  ['46347,3958', /date and a time.*: this is a spreadsheet serial number/],
  ['2026-11-21 09:30 EST', /date and a time.*: name the zone in the column timeZone/],
  ['2026-11-21 9:30 AM (EDT)', /date and a time.*: name the zone/],
  ['2026-02-30 09:30', /date and a time/],
  ['2026-13-01 09:30', /date and a time/],
  ['2026-11-21 24:30', /date and a time/],
  ['2026-11-21 24:00:01', /date and a time/],
  ['2026-11-21 24:00 PM', /date and a time/],
  ['2026-11-21T24:00:00-05:00', /date and a time/],
  ['2026-11-21 13:00 PM', /date and a time/],
  ['2026-11-21 0:30 AM', /date and a time/],
  ['2026-11/21 09:30', /date and a time/],
  ['0026-11-21 09:30', /date and a time/],
  ['2026-11-21 9', /date and a time/],
  ['', /date and a time/],
  [undefined, /date and a time/],
  [46_347.3958, /date and a time/],
] as const satisfies readonly (readonly [unknown, RegExp, TimeRules?])[]) {
  test(`refuses ${JSON.stringify(text)} with ${JSON.stringify(rules)}, with a reason`, () => {
    assert.throws(() => read(text, rules), InvalidData)
    assert.throws(() => read(text, rules), said)
  })
}

test('reads back the local time of any zone at any time, or reports it as repeated', () => {
  const zones = ['America/New_York', 'America/Phoenix', 'Pacific/Honolulu', 'Australia/Lord_Howe', 'Europe/Dublin']
  const formats = new Map(
    zones.map((timeZone) => [
      timeZone,
      new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
    ]),
  )
  const moments = fc.integer({ min: Date.UTC(2000), max: Date.UTC(2035) }).map((ms) => Math.floor(ms / 1000) * 1000)
  const property = fc.property(moments, fc.constantFrom(...zones), (ms, timeZone) => {
    const shown = formats.get(timeZone)?.format(ms) ?? ''
    const before = formats.get(timeZone)?.format(ms - 3_600_000)
    try {
      const { text, ms: back } = readTime(shown, 'start', { timeZone })
      assert.equal(back, ms)
      assert.equal(Date.parse(text), ms)
    } catch (error) {
      assert.ok(error instanceof InvalidData && /twice/.test(error.message), `${shown} ${before} ${error}`)
    }
  })
  fc.assert(property, { numRuns: casesOf(2000) })
})

test('throws only InvalidData for any text and never stalls', () => {
  const noise = fc.string({ unit: fc.constantFrom(...'0123456789/-.: TAPMZ,'), maxLength: 60 })
  fc.assert(
    fc.property(noise, (text) => {
      try {
        read(text)
      } catch (error) {
        assert.ok(error instanceof InvalidData)
      }
    }),
    { numRuns: casesOf(5000) },
  )
})
