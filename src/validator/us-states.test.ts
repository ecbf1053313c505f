import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatOffset, mayHaveZip, offsetMinutesOf, offsetsInUse } from './us-states.ts'

const inUse = (state: string, instant: string) => offsetsInUse(state, Date.parse(instant)).map(formatOffset)

test('returns the UTC offsets of a state by season', () => {
  assert.deepEqual(inUse('NJ', '2026-01-15T12:00:00Z'), ['-05:00'])
  assert.deepEqual(inUse('NJ', '2026-07-15T12:00:00Z'), ['-04:00'])
  assert.deepEqual(inUse('AZ', '2026-07-15T12:00:00Z'), ['-06:00', '-07:00'])
  assert.deepEqual(inUse('TX', '2026-07-15T12:00:00Z'), ['-05:00', '-06:00'])
  assert.deepEqual(inUse('HI', '2026-07-15T12:00:00Z'), ['-10:00'])
  assert.deepEqual(inUse('GU', '2026-07-15T12:00:00Z'), ['+10:00'])
  assert.deepEqual(inUse('AE', '2026-07-15T12:00:00Z'), [])
  assert.deepEqual(inUse('XX', '2026-07-15T12:00:00Z'), [])
})

test('changes offsets in the hour of the clock change', () => {
  assert.deepEqual(inUse('MA', '2026-03-08T06:59:59Z'), ['-05:00'])
  assert.deepEqual(inUse('MA', '2026-03-08T07:00:00Z'), ['-04:00'])
  assert.deepEqual(inUse('MA', '2026-11-01T05:59:59Z'), ['-04:00'])
  assert.deepEqual(inUse('MA', '2026-11-01T06:00:00Z'), ['-05:00'])
})

test('has a time zone for every state except the military ones', () => {
  const codes =
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI FM MH PW'
  for (const code of codes.split(' ')) assert.notDeepEqual(inUse(code, '2026-07-15T12:00:00Z'), [], code)
})

test('parses and formats offsets', () => {
  for (const text of ['-05:00', '+00:00', '+05:30', '-09:30', '+13:45'])
    assert.equal(formatOffset(offsetMinutesOf(`2026-07-15T12:00:00${text}`)), text)
  assert.equal(offsetMinutesOf('2026-07-15T12:00:00Z'), 0)
})

test('knows the ZIP codes of a state by their first three digits', () => {
  const isKnown = (address: string) => mayHaveZip(address.slice(0, 2), address.slice(3))
  const right = ['NY 10001', 'NY 06390', 'NY 00501', 'MA 02139-4307', 'VA 20170', 'TX 88510', 'WY 83414', 'DC 56901']
  for (const address of [...right, 'PR 00901', 'GU 96910', 'AE 09012']) assert.equal(isKnown(address), true, address)
  const wrong = ['NY 02139', 'ME 02139', 'MA 04101', 'SC 27601', 'CA 97201', 'CA 96201', 'AE 02139', 'XX 02139']
  for (const address of wrong) assert.equal(isKnown(address), false, address)
})
