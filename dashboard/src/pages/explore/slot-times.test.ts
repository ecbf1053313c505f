import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clockName, clockOffset, placeClock } from './place-clock.ts'
import { slotTimes } from './slot-times.ts'
import { STATE_CHOICES } from './us-states.ts'

// The texts are of the machine's language.
const skip = clockName(0, 'America/New_York') !== 'EST'

const at = (state: string | undefined, start: string) => ({
  start,
  location: state === undefined ? undefined : { state },
})
const plain = (text: string | undefined) => text?.replaceAll('\u202f', ' ')
const startOf = (...slot: Parameters<typeof at>) => plain(slotTimes(at(...slot), 'place', 'UTC').start)

test("shows the place's time first and the visitor's beside it", { skip }, () => {
  const honolulu = at('HI', '2026-11-25T09:00:00-10:00')
  const times = slotTimes(honolulu, 'place', 'America/New_York')
  assert.equal(plain(times.start), 'Nov 25, 2026, 9:00 AM HST')
  assert.equal(plain(times.other), '2:00 PM your time')
  assert.equal(plain(slotTimes(honolulu, 'mine', 'America/New_York').start), 'Nov 25, 2026, 2:00 PM EST')
  assert.equal(plain(slotTimes(honolulu, 'mine', 'America/New_York').other), '9:00 AM HST')
  assert.equal(plain(slotTimes(honolulu, 'utc', 'America/New_York').start), 'Nov 25, 2026, 7:00 PM UTC')
  assert.equal(slotTimes(honolulu, 'place', 'Pacific/Honolulu').other, undefined)
  assert.equal(plain(slotTimes(honolulu, 'place', 'Asia/Tokyo').other), 'Thu 4:00 AM your time')
})

test("names the zone of the slot's own day around changes of the clocks", { skip }, () => {
  assert.equal(startOf('MA', '2026-10-30T09:00:00-04:00'), 'Oct 30, 2026, 9:00 AM EDT')
  assert.equal(startOf('MA', '2026-11-02T09:00:00-05:00'), 'Nov 2, 2026, 9:00 AM EST')
  // The hour that the clocks show twice.
  assert.equal(startOf('MA', '2026-11-01T01:30:00-04:00'), 'Nov 1, 2026, 1:30 AM EDT')
  assert.equal(startOf('MA', '2026-11-01T01:30:00-05:00'), 'Nov 1, 2026, 1:30 AM EST')
  assert.equal(startOf('AZ', '2026-07-01T09:00:00-07:00'), 'Jul 1, 2026, 9:00 AM MST')
  assert.equal(startOf('AZ', '2026-07-01T09:00:00-06:00'), 'Jul 1, 2026, 9:00 AM MDT')
})

test('selects the zone of a state with several by the published offset', { skip }, () => {
  assert.equal(startOf('TN', '2026-11-25T09:00:00-06:00'), 'Nov 25, 2026, 9:00 AM CST')
  assert.equal(startOf('TN', '2026-11-25T09:00:00-05:00'), 'Nov 25, 2026, 9:00 AM EST')
})

test('shows a time published in UTC by the clock of a state with one zone', { skip }, () => {
  assert.equal(startOf('CA', '2026-11-25T17:00:00Z'), 'Nov 25, 2026, 9:00 AM PST')
  assert.equal(startOf('TN', '2026-11-25T15:00:00Z'), 'Nov 25, 2026, 3:00 PM UTC')
})

test('shows the published offset of places whose zone is unknown', { skip }, () => {
  assert.equal(startOf(undefined, '2026-11-25T09:00:00-03:00'), 'Nov 25, 2026, 9:00 AM UTC-3')
  assert.equal(startOf('BR-SP', '2026-11-25T09:00:00-03:00'), 'Nov 25, 2026, 9:00 AM UTC-3')
  assert.equal(startOf('CA-ON', '2026-11-25T09:00:00+05:30'), 'Nov 25, 2026, 9:00 AM UTC+5:30')
})

test('names the zones of Canada and other countries as people there do', { skip }, () => {
  assert.equal(startOf('CA-ON', '2026-11-25T09:00:00-05:00'), 'Nov 25, 2026, 9:00 AM EST')
  assert.equal(startOf('CA-BC', '2026-07-25T09:00:00-07:00'), 'Jul 25, 2026, 9:00 AM PDT')
  assert.equal(startOf('CA-NS', '2026-11-25T13:00:00Z'), 'Nov 25, 2026, 9:00 AM AST')
  assert.equal(startOf('CA-NL', '2026-11-25T09:00:00-03:30'), 'Nov 25, 2026, 9:00 AM NST')
  assert.equal(startOf('DE-BE', '2026-11-25T09:00:00+01:00'), 'Nov 25, 2026, 9:00 AM CET')
  assert.equal(startOf('DE-BE', '2026-07-25T07:00:00Z'), 'Jul 25, 2026, 9:00 AM CEST')
  assert.equal(startOf('GB-LND', '2026-07-25T09:00:00+01:00'), 'Jul 25, 2026, 9:00 AM BST')
  assert.equal(startOf('FI-18', '2026-11-25T09:00:00+02:00'), 'Nov 25, 2026, 9:00 AM EET')
  assert.equal(startOf('AU-NSW', '2026-11-25T09:00:00+11:00'), 'Nov 25, 2026, 9:00 AM AEDT')
})

test('names the zone of a slot without a state like the zones of states', { skip }, () => {
  assert.equal(startOf(undefined, '2026-11-25T09:00:00-06:00'), 'Nov 25, 2026, 9:00 AM CST')
  assert.equal(startOf(undefined, '2026-07-25T09:00:00-06:00'), 'Jul 25, 2026, 9:00 AM MDT')
  assert.equal(startOf(undefined, '2026-07-25T09:00:00Z'), 'Jul 25, 2026, 9:00 AM UTC')
})

test('has at least one valid zone for every state that can be chosen', () => {
  for (const { value } of STATE_CHOICES) {
    const clock = placeClock(at(value, '2026-11-25T17:00:00+13:45'))
    const isKnown = typeof clock === 'string' || /^(AK|AZ|FL|ID|IN|KS|KY|MI|ND|NE|NV|OR|SD|TN|TX)$/.test(value)
    assert.ok(isKnown, value)
  }
})

test('shows the published wall clock wherever the offset is one of the place', () => {
  const minutes = fc.integer({ min: 0, max: 400 * 24 * 60 })
  const zones: [string | undefined, string][] = [
    ['MA', 'America/New_York'],
    ['TX', 'America/Chicago'],
    ['TX', 'America/Denver'],
    ['AK', 'America/Adak'],
    [undefined, 'Asia/Kolkata'],
  ]
  fc.assert(
    fc.property(minutes, fc.constantFrom(...zones), (minute, [state, zone]) => {
      const ms = Date.parse('2026-01-01T00:00:00Z') + minute * 60_000
      const offset = clockOffset(zone, ms)
      const wall = new Date(ms + offset * 60_000).toISOString().slice(0, 19)
      const [hours, rest] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
      const two = (number: number) => String(number).padStart(2, '0')
      const start = `${wall}${offset < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`
      assert.equal(Date.parse(start), ms)
      assert.equal(clockOffset(placeClock(at(state, start)), ms), offset)
    }),
  )
})
