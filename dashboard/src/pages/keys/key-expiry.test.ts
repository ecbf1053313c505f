import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../../src/lib/time.ts'
import { expiryError, expiryTime, type Lifetime } from './key-expiry.ts'

const NOW = new Date(2026, 2, 20, 15, 40).getTime()
const after = (lifetime: Lifetime) => expiryTime({ lifetime, date: '' }, NOW)
const fault = (date: string) => expiryError({ lifetime: 'date', date }, NOW)

test('a key lives for ever, as long as the one before, or for so many days', () => {
  assert.equal(after('never'), null)
  assert.equal(after('same'), undefined)
  assert.equal(after('30'), NOW + 30 * DAY_MS)
})

test('a key lives until a day is over where the visitor is', () => {
  assert.equal(expiryTime({ lifetime: 'date', date: '2026-03-20' }, NOW), new Date(2026, 2, 21).getTime())
  assert.equal(fault('2026-03-20'), null, 'today is not over')
})

test('a day that is over, far away or not chosen is refused', () => {
  assert.match(fault('2026-03-19') ?? '', /not over yet/)
  assert.match(fault('2046-03-19') ?? '', /10 years/)
  assert.match(fault('') ?? '', /Choose a day/)
  assert.equal(expiryError({ lifetime: 'never', date: '' }, NOW), null)
})
