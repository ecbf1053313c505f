import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../../src/lib/time.ts'
import { expiryError, expiryTime, type Lifetime } from './key-expiry.ts'

const NOW = new Date(2026, 2, 20, 15, 40).getTime()
const after = (lifetime: Lifetime) => expiryTime({ lifetime, date: '' }, NOW)
const error = (date: string) => expiryError({ lifetime: 'date', date }, NOW)

test('computes no expiry, the same lifetime, or a number of days', () => {
  assert.equal(after('never'), null)
  assert.equal(after('same'), undefined)
  assert.equal(after('30'), NOW + 30 * DAY_MS)
})

test("expires at the end of the day in the visitor's time zone", () => {
  assert.equal(expiryTime({ lifetime: 'date', date: '2026-03-20' }, NOW), new Date(2026, 2, 21).getTime())
  assert.equal(error('2026-03-20'), null, 'today is allowed')
})

test('rejects a date that is past, too far away or missing', () => {
  assert.match(error('2026-03-19') ?? '', /today or a later date/)
  assert.match(error('2046-03-19') ?? '', /10 years/)
  assert.match(error('') ?? '', /Choose a date/)
  assert.equal(expiryError({ lifetime: 'never', date: '' }, NOW), null)
})
