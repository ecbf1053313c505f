import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Location } from '../../slot/slot.ts'
import { parseLocation } from './location.ts'

const read = (resource: object): Location =>
  parseLocation({ ...resource }, { nowMs: Date.UTC(2026, 5, 1) }).location ?? {}

test('recognizes US states only in US addresses, and region codes of other countries with their country', () => {
  const stateOf = (address: object) => read({ address }).state
  for (const country of [undefined, 'US', 'u.s.a.', 'United States of America', 'PR', '840', 840, 'Estados Unidos'])
    assert.equal(stateOf({ state: 'WA', country }), 'WA', String(country))
  for (const country of ['AU', 'AUS', 'Australia']) assert.equal(stateOf({ state: 'WA', country }), 'AU-WA', country)
  for (const country of ['036', 'Estados Unidos Mexicanos'])
    assert.equal(stateOf({ state: 'WA', country }), undefined, country)
})

test('keeps postal codes of other countries unchanged', () => {
  const codeOf = (address: object) => read({ address }).postalCode
  assert.equal(codeOf({ state: 'MA', postalCode: '2139' }), '02139')
  assert.equal(codeOf({ state: 'MA', postalCode: '2139', country: 'MA' }), '2139')
})

test('returns only valid phone numbers', () => {
  const values = ['tel:+1-413-555-0100', 'javascript:alert(111)', '<b>413</b>555', 'n/a', '+1-413-555-0100']
  const telecom = values.map((value) => ({ system: 'phone', value }))
  assert.deepEqual(read({ telecom }).phone, ['+1-413-555-0100'])
})

test('leaves out old and ended contacts, and lists the others by rank', () => {
  const telecom = [
    { value: '555-0101' },
    { value: '555-0102', use: 'old' },
    { value: '555-0103', rank: 2, period: { start: '2020' } },
    { value: '555-0104', period: { end: '2026-05' } },
    { value: '555-0105', period: { end: '2026-05-31' } },
    { value: '555-0106', period: { end: '2026' } },
    { value: '555-0107', rank: 1, period: { end: '2026-06-01T00:00:01Z' } },
    { value: '555-0108', period: { end: '2026-05-31T23:59:59Z' } },
  ].map((contact) => ({ system: 'phone', ...contact }))
  assert.deepEqual(read({ telecom }).phone, ['555-0107', '555-0103', '555-0101', '555-0106'])
})

test('writes cities in Unicode NFC', () => {
  const city = 'Mayagüez'
  for (const form of ['NFC', 'NFD']) assert.equal(read({ address: { city: city.normalize(form) } }).city, city)
})
