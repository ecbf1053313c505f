import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { formatDateTime, formatTime, otherZone, timeHeader, zoneLabel } from './visitor-time.ts'

process.env.TZ = 'America/New_York'
// Names of zones are of the machine's language.
const skip = zoneLabel(new Date('2026-07-01T12:00:00Z')) !== 'EDT'

// Eight days after the end of daylight saving time.
beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-09T17:00:00Z') }))
afterEach(() => mock.timers.reset())

test('names the zone of a time before clocks changed, below a head with the zone of now', { skip }, () => {
  assert.equal(timeHeader('Time'), 'Time (EST)')
  assert.match(formatDateTime(new Date('2026-11-02T14:30:00Z'), true), /^Nov 2, 2026, 9:30\sAM$/)
  assert.match(formatDateTime(new Date('2026-10-30T13:30:00Z'), true), /^Oct 30, 2026, 9:30\sAM EDT$/)
})

test('distinguishes the two instants of a local time that is repeated', { skip }, () => {
  const hours = ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'].map((text) => formatTime(new Date(text), true))
  assert.match(hours[0], /^1:30:00\sAM EDT$/)
  assert.match(hours[1], /^1:30:00\sAM$/)
})

test('names the zone of every time outside of tables', { skip }, () => {
  assert.match(formatDateTime(new Date('2026-11-02T14:30:00Z')), /9:30\sAM EST$/)
  assert.equal(otherZone(new Date('2027-07-01T12:00:00Z')), ' EDT')
})
