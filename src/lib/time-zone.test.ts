import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from './time.ts'
import { findTimeZone, TimeZone } from './time-zone.ts'

test('each day begins where the one before ends, in every zone, over years of changing clocks', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) {
    const zone = new TimeZone(name)
    const dayOf = (ms: number) => new Date(ms).toLocaleDateString('sv-SE', { timeZone: name })
    for (const from of ['2018-11-03T12:00:00Z', '2026-03-07T12:00:00Z', '2026-10-24T12:00:00Z']) {
      const days = zone.daysFrom(Date.parse(from), 3)
      assert.equal(days[0].date, dayOf(Date.parse(from)), name)
      for (const { date, startMs } of days) {
        assert.equal(dayOf(startMs), date, `${name} ${date}`)
        assert.notEqual(dayOf(startMs - 1), date, `${name} ${date}`)
      }
    }
  }
})

test('a day begins after a skipped midnight, and at the first of two', () => {
  // Clocks in Beirut went from 24:00 to 01:00 on 29 March 2026, those in Havana back from 01:00 on 1 November.
  const [, skipped] = new TimeZone('Asia/Beirut').daysFrom(Date.parse('2026-03-28T12:00:00Z'), 2)
  assert.deepEqual(skipped, { date: '2026-03-29', startMs: Date.parse('2026-03-28T22:00:00Z') })
  const [, twice, after] = new TimeZone('America/Havana').daysFrom(Date.parse('2026-10-31T12:00:00Z'), 3)
  assert.deepEqual(twice, { date: '2026-11-01', startMs: Date.parse('2026-11-01T04:00:00Z') })
  assert.equal(after.startMs - twice.startMs, DAY_MS + 3_600_000)
})

test('knows the offset of a zone by season', () => {
  const zone = new TimeZone('America/New_York')
  assert.equal(zone.offsetMinutes(Date.parse('2026-03-08T06:59:59Z')), -300)
  assert.equal(zone.offsetMinutes(Date.parse('2026-03-08T07:00:00Z')), -240)
  assert.equal(new TimeZone('Asia/Kathmandu').offsetMinutes(0), 330)
})

test('finds the zones that Intl knows, and no others', () => {
  const names = [
    ...Intl.supportedValuesOf('timeZone'),
    'utc',
    'america/new_york',
    'EST',
    'Etc/GMT+5',
    '+05:00',
    '-0330',
  ]
  const others = ['', 'Mars/Base', '2026-01-01T00:00[UTC]', '[UTC]', 'America', '+25:00', 'EST ']
  const isKnown = (timeZone: string) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone }) !== undefined
    } catch {
      return false
    }
  }
  for (const name of [...names, ...others]) assert.equal(findTimeZone(name) !== undefined, isKnown(name), name)
})

test('knows the offset of a local time, or that clocks skip or repeat it', () => {
  const offset = (name: string, local: string) => new TimeZone(name).localOffsetMinutes(Date.parse(`${local}Z`))
  assert.equal(offset('America/New_York', '2026-03-08T01:59:59'), -300)
  assert.equal(offset('America/New_York', '2026-03-08T02:00:00'), 'skipped')
  assert.equal(offset('America/New_York', '2026-03-08T02:59:59'), 'skipped')
  assert.equal(offset('America/New_York', '2026-03-08T03:00:00'), -240)
  assert.equal(offset('America/New_York', '2026-11-01T00:59:59'), -240)
  assert.equal(offset('America/New_York', '2026-11-01T01:00:00'), 'repeated')
  assert.equal(offset('America/New_York', '2026-11-01T02:00:00'), -300)
  assert.equal(offset('Australia/Lord_Howe', '2026-10-04T02:15:00'), 'skipped')
  assert.equal(offset('Australia/Lord_Howe', '2026-10-04T02:30:00'), 660)
})
